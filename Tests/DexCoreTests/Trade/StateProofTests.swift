import DexSandbox
import EVM
import Ethereum
import EthereumWallet
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

/// What proofs cost, and what is said where there are none.
@Suite("What a signature rests on is proven")
struct StateProofTests {
    @Test(
        "a purchase is proven by two nodes in at most two round trips more",
        arguments: ProofStage.Venue.allCases
    )
    func honest(venue: ProofStage.Venue) async throws {
        let plain = try await ProofStage(venue)
        #expect(try await plain.trade(plain.session(proofs: false)).exit == .done)
        #expect(plain.second.rounds.isEmpty, "nothing is asked without the setting")
        #expect(!plain.first.rounds.joined().contains { $0.isProof })
        let stage = try await ProofStage(venue)
        let proof = try await stage.proof()
        #expect(proof.isComplete, "\(proof)")
        #expect(proof.nodes == ProofStage.names)
        #expect(proof.words >= 4 && proof.accounts >= 4, "\(proof)")
        let more = stage.first.rounds.count - plain.first.rounds.count
        #expect((1...2).contains(more), "\(more)")
        #expect((1...2).contains(stage.second.rounds.count))
        #expect(proof.sentences.count == 1)
        #expect(proof.sentences.first?.hasSuffix("by a header that 2 nodes give.") == true)
        #expect(stage.market.clock.messages.contains(proof.sentences[0]))
    }

    @Test("with a quorum the state is proven, unless the setting says that it is not")
    func quorum() async throws {
        for (proofs, isProven) in [(nil, true), (false, false)] as [(Bool?, Bool)] {
            let stage = try await ProofStage()
            var session = try stage.session(proofs: proofs)
            session.network.quorum = 2
            session.chain = QuorumChainClient(session.proofNodes, quorum: 2)
            let outcome = try await stage.trade(session)
            #expect(outcome.exit == .done)
            let proof = outcome.transactions.last?.simulation?.proof
            #expect((proof != nil) == isProven)
            #expect(proof?.isComplete != false)
        }
    }

    @Test("one node alone can invent the header, and that is said")
    func oneNode() async throws {
        let stage = try await ProofStage()
        let proof = try await stage.proof(stage.session(nodes: 1))
        #expect(proof.isComplete && proof.nodes == [ProofStage.names[0]])
        #expect(proof.sentences.first?.contains("one node alone gives, and could invent") == true)
    }

    @Test("a node without eth_getProof leaves the state unproven, and stops nothing")
    func noMethod() async throws {
        let stage = try await ProofStage()
        stage.first.hideProofs()
        stage.second.hideProofs()
        let proof = try await stage.proof()
        #expect(proof.failure?.contains("the method does not exist") == true, "\(proof)")
        #expect(proof.words == 0 && proof.accounts == 0 && !proof.gaps.isEmpty)
        let other = try await ProofStage()
        other.first.hideProofs()
        #expect(try await other.proof().isComplete, "the second node proves it")
    }

    @Test("a second node that does not answer leaves the header of the first one")
    func silent() async throws {
        let stage = try await ProofStage()
        stage.second.onRead { _, _ throws(ChainError) in
            throw .unreachable(url: ProofStage.names[1], reason: "it timed out")
        }
        let proof = try await stage.proof()
        #expect(proof.nodes == [ProofStage.names[0]])
        #expect(proof.sentences.first?.contains("one node alone") == true)
        let both = try await ProofStage()
        both.first.onRead { reads, answers throws(ChainError) in
            guard reads.contains(where: { $0.isProof }) else { return answers }
            throw .unreachable(url: ProofStage.names[0], reason: "it timed out")
        }
        both.second.onRead { _, _ throws(ChainError) in
            throw .unreachable(url: ProofStage.names[1], reason: "it timed out")
        }
        #expect(try await both.proof().failure?.contains("it timed out") == true)
    }

    @Test("a chain whose headers hash other fields is not verifiable, which is no lie")
    func foreignHeaders() async throws {
        let stage = try await ProofStage()
        for node in [stage.first, stage.second] {
            node.answer { read, answer in
                guard case .header = read else { return answer }
                return .failure(.nonsense("its fields hash to another hash"))
            }
        }
        let proof = try await stage.proof()
        #expect(proof.failure?.contains("no header that can be verified") == true, "\(proof)")
    }

    @Test("a node that is a block behind is no liar: the block that both have is taken")
    func lagging() async throws {
        let stage = try await ProofStage()
        // So that there is a block before the newest.
        try await stage.market.pay("1", from: stage.market.rival, to: stage.market.rival.address)
        let head = await stage.market.chain.latestBlock.number
        let late = LaggingNode(wrapped: stage.second, newest: head - 1)
        let proof = try await stage.proof(stage.session(second: late))
        #expect(proof.block == head - 1, "\(proof)")
        #expect(proof.nodes == ProofStage.names)
        #expect(proof.words > 0 && proof.failure == nil)
    }

    @Test("a node that is far behind leaves the state unproven, and both blocks are named")
    func farBehind() async throws {
        let stage = try await ProofStage()
        for _ in 0..<4 {
            try await stage.market.pay(
                "1",
                from: stage.market.rival,
                to: stage.market.rival.address
            )
            stage.market.clock.pass(seconds: 60)
        }
        let late = LaggingNode(wrapped: stage.second, newest: 0)
        let proof = try await stage.proof(stage.session(second: late))
        #expect(proof.failure?.contains("b.example is at block 0") == true, "\(proof)")
    }

    @Test("a node that proves its newest block alone is asked about that")
    func newestOnly() async throws {
        let stage = try await ProofStage()
        let market = stage.market
        var session = try stage.session()
        let head = await market.chain.latestBlock.number
        session.chain = MovingChain(wrapped: stage.first) {
            _ = try? await market.pay("1", from: market.rival, to: market.rival.address)
        }
        for node in [stage.first, stage.second] {
            node.answer { read, answer in
                guard case .proof(_, _, let block) = read, block == .number(head) else {
                    return answer
                }
                return .failure(
                    .rpc(
                        code: -32_602,
                        message: "distance to target block exceeds maximum proof window"
                    )
                )
            }
        }
        let proof = try await stage.proof(session)
        #expect(proof.block ?? 0 > head, "\(proof)")
        #expect(proof.failure == nil && proof.isComplete, "\(proof)")
    }

    @Test("what moved between two blocks is no lie: the run is made on the proven state")
    func moved() async throws {
        let keys = try await Self.words()
        let (address, slot) = try #require(keys.first)
        let stage = try await ProofStage()
        stage.first.answer { read, answer in
            guard case .storage(address, slot, .latest) = read else { return answer }
            return .success(.word(UInt256(5)))
        }
        let proof = try await stage.proof()
        #expect(proof.isComplete, "\(proof)")
    }

    /// The words of the purchase, in their order.
    static func words(_ venue: ProofStage.Venue = .v1) async throws -> [(Address, Bytes32)] {
        let stage = try await ProofStage(venue)
        _ = try await stage.proof()
        return stage.asked.compactMap { key in
            if case .word(let slot, let address) = key { (address, slot.word) } else { nil }
        }
        .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    }
}

extension ChainRead {
    var isProof: Bool { if case .proof = self { true } else { false } }
}
