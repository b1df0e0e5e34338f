import EVM
import Ethereum
import EthereumWallet
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

/// A node that lies about one value, and proofs that are none.
@Suite("A lie about the state names its word, and what is no proof is no lie")
struct StateLieTests {
    private typealias Answer = Result<ChainAnswer, ChainError>

    /// A purchase with a first node that says something else of one value.
    private static func lie(
        _ venue: ProofStage.Venue = .v1,
        about name: String,
        _ change: @escaping @Sendable (ChainRead, Answer) -> Answer
    ) async throws -> DexError? {
        let stage = try await ProofStage(venue)
        stage.first.answer(change)
        let error = try await stage.refused(name)
        #expect(error?.code == "node-lied", "\(name): \(String(describing: error))")
        #expect(error?.exit == .unreachable, "\(name)")
        let message = error?.message ?? ""
        #expect(message.hasPrefix("https://a.example says that "), "\(name): \(message)")
        #expect(message.contains(name), "\(name): \(message)")
        #expect(message.contains("a header that 2 nodes give proves "), "\(name): \(message)")
        return error
    }

    @Test(
        "each word: order states, balances and allowances, the words of a pool",
        arguments: ProofStage.Venue.allCases
    )
    func words(venue: ProofStage.Venue) async throws {
        let words = try await StateProofTests.words(venue)
        #expect(words.count >= 4)
        if venue == .v1 {
            let contracts = Set(words.map(\.0))
            #expect(
                contracts.isSuperset(of: [
                    TestMarket.exchange, TestMarket.zrx, TestMarket.weth,
                ])
            )
        }
        for (address, slot) in words {
            let error = try await Self.lie(
                venue,
                about: "the word at \(slot) of \(address) is "
            ) { read, answer in
                guard case .storage(address, slot, _) = read,
                    case .success(.word(let word)) = answer
                else { return answer }
                return .success(.word(UInt256(word.word.flipped)))
            }
            #expect(error?.hint?.contains("take it out of rpc") == true)
        }
    }

    @Test("the nonce, the ether, a code")
    func accounts() async throws {
        let trader = try TestMarket.signer(1).address
        _ = try await Self.lie(about: "the nonce of \(trader) is 7 ") { read, answer in
            guard case .transactionCount(trader, let tag) = read, tag != .pending else {
                return answer
            }
            return .success(.number(7))
        }
        _ = try await Self.lie(about: "the ether of \(trader) is 9000000000000000000 wei") {
            read,
            answer in
            guard case .balance(trader, _) = read else { return answer }
            return .success(.wei(Wei(9_000_000_000_000_000_000)))
        }
        for address in [TestMarket.exchange, TestMarket.zrx] {
            _ = try await Self.lie(about: "the hash of the code of \(address) is ") {
                read,
                answer in
                guard case .code(address, _) = read, case .success(.bytes(let code)) = answer else {
                    return answer
                }
                return .success(.bytes(code + [0]))
            }
        }
    }

    @Test("the time of the block")
    func time() async throws {
        let stage = try await ProofStage()
        stage.first.answer { _, answer in
            guard case .success(.block(let block?)) = answer else { return answer }
            return .success(.block(block.later))
        }
        let error = try await stage.refused()
        #expect(error?.code == "node-lied")
        #expect(error?.message.contains("the time of the block is ") == true)
    }

    @Test("a lie is found by the second node's proof where the first gives none, or a wrong one")
    func proofOfTheOther() async throws {
        let slot = try #require(try await StateProofTests.words().first)
        for hides in [true, false] {
            let stage = try await ProofStage()
            stage.first.answer { read, answer in
                switch (read, answer) {
                case (.storage(slot.0, slot.1, _), _): .success(.word(UInt256(99)))
                case (.proof, _) where hides: .failure(.rpc(code: -32_601, message: "no"))
                case (.proof, .success(.proof(let proof))):
                    .success(.proof(proof.keeping { Array($0.dropLast()) }))
                default: answer
                }
            }
            let error = try await stage.refused()
            #expect(error?.code == "node-lied", "\(String(describing: error))")
            #expect(error?.message.contains("\(slot.1)") == true)
        }
    }

    @Test("a node that lies and then hides the rest of the state gets no signature by that")
    func hidden() async throws {
        var codes: Set<String> = []
        for (address, slot) in try await StateProofTests.words() {
            let lying = try await ProofStage()
            lying.first.answer { read, answer in
                guard case .storage(address, slot, .latest) = read else { return answer }
                return .success(.word(UInt256(99)))
            }
            _ = try? await lying.trade()  // how it ends is the next stage's question
            let used = lying.asked
            let stage = try await ProofStage()
            stage.first.answer { read, answer in
                switch (read, answer) {
                case (.storage(address, slot, .latest), _): .success(.word(UInt256(99)))
                case (.storage(_, _, .number), _), (.proof, _):
                    .failure(.rpc(code: -32_000, message: "not now"))
                case (.accessList, .success(.accessList(let trace))):
                    .success(.accessList(trace.keeping(used)))
                default: answer
                }
            }
            do {
                let outcome = try await stage.trade()
                let report = outcome.transactions.last?.simulation
                let hides = report?.reason?.contains("does not give the state") == true
                #expect(report?.changes != nil || hides)
            } catch let error as DexError {
                codes.insert(error.code)
                #expect(stage.first.sent.isEmpty)
            }
        }
        #expect(codes.contains("state-moved"), "\(codes)")
    }

    // MARK: Headers

    @Test("a header that one of two nodes invents: both are named, and nothing is signed")
    func inventedHeader() async throws {
        for isFirst in [true, false] {
            let stage = try await ProofStage()
            (isFirst ? stage.first : stage.second).headers { header in
                var header = header
                header.stateRoot = Keccak256.hash([7])
                return header
            }
            let error = try await stage.refused()
            #expect(error?.code == "nodes-disagree")
            let message = error?.message ?? ""
            #expect(message.contains("about block "), "\(message)")
            for name in ProofStage.names {
                #expect(message.contains("\(name) says "), "\(message)")
            }
        }
    }

    @Test("a header of another block is none, and one that is not verified is that node's loss")
    func otherHeader() async throws {
        let stage = try await ProofStage()
        stage.second.answer { read, answer in
            guard case .header = read else { return answer }
            return .failure(.nonsense("it is block 5, but block 6 was asked for"))
        }
        let proof = try await stage.proof()
        #expect(proof.nodes == [ProofStage.names[0]])
    }

    // MARK: Proofs that are none

    private static let changes: [(name: String, change: @Sendable (AccountProof) -> AccountProof)] =
        [
            ("cut", { $0.keeping { Array($0.dropLast()) } }),
            ("empty", { $0.keeping { _ in [] } }),
            ("without its root", { $0.keeping { Array($0.dropFirst()) } }),
            ("too long", { $0.keeping { $0 + [[0x80]] } }),
            ("turned round", { $0.keeping { Array($0.reversed()) } }),
            ("no RLP", { $0.keeping { $0.map { _ in [0xFF, 0xFF] } } }),
            ("changed by a bit", { $0.keeping { nodes in nodes.map { $0.flipped } } }),
            (
                "huge",
                {
                    $0.keeping { _ in
                        Array(repeating: Array(repeating: 0xF9, count: 600), count: 65)
                    }
                }
            ),
            (
                "of an account's other slots",
                { proof in
                    AccountProof(
                        address: proof.address,
                        account: proof.account,
                        storage: proof.storage.map { word in
                            StorageProof(
                                slot: word.slot,
                                nodes: TrieProof(nodes: word.nodes.nodes.reversed())
                            )
                        }
                    )
                }
            ),
        ]

    @Test("a proof that is none leaves its values unproven, never wrong", arguments: 0..<9)
    func noProof(index: Int) async throws {
        let (name, change) = Self.changes[index]
        let stage = try await ProofStage()
        stage.first.proofs(change)
        stage.second.proofs(change)
        let proof = try await stage.proof()
        #expect(!proof.isComplete, "\(name): \(proof)")
        #expect(proof.sentences.contains { $0.hasPrefix("Not proven: ") }, "\(name)")
        let other = try await ProofStage()
        other.first.proofs(change)
        #expect(try await other.proof().isComplete, "\(name): the second node proves it")
    }

    @Test("the proof of another account, or of another block's state")
    func otherProof() async throws {
        // Either the whole answer about another account, or its nodes as if they were this one's.
        for isWhole in [true, false] {
            let stage = try await ProofStage()
            for node in [stage.first, stage.second] {
                node.onRead { reads, answers in
                    let proofs = answers.compactMap { answer in
                        if case .success(.proof(let proof)) = answer { proof } else { nil }
                    }
                    let other = proofs.first { $0.address == TestMarket.exchange }
                    guard let other else { return answers }
                    return answers.map { answer in
                        guard case .success(.proof(let proof)) = answer else { return answer }
                        let moved = AccountProof(
                            address: proof.address,
                            account: other.account,
                            storage: proof.storage
                        )
                        return .success(.proof(isWhole ? other : moved))
                    }
                }
            }
            let proof = try await stage.proof()
            #expect(proof.accounts + proof.words > 0 && !proof.isComplete, "\(proof)")
        }
        let old = try await ProofStage()
        try await old.market.pay("1", from: old.market.rival, to: old.market.trader.address)
        var session = try old.session()
        session.proofNodes = session.proofNodes.map {
            QuorumChainClient.Member(name: $0.name, client: OldProofs(wrapped: $0.client))
        }
        let unproven = try await old.proof(session)
        #expect(unproven.failure?.contains("has the hash") == true, "\(unproven)")
    }
}

/// A node that gives the proofs of the first block, whichever is asked for.
private struct OldProofs: ChainClient {
    let wrapped: any ChainClient

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        try await wrapped.read(
            reads.map { read in
                guard case .proof(let address, let slots, _) = read else { return read }
                return .proof(address, slots, .number(0))
            }
        )
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        try await wrapped.send(raw: raw)
    }
}

extension AccountProof {
    /// The same with other nodes on each way.
    fileprivate func keeping(_ nodes: ([[UInt8]]) -> [[UInt8]]) -> AccountProof {
        AccountProof(
            address: address,
            account: TrieProof(nodes: nodes(account.nodes)),
            storage: storage.map { word in
                StorageProof(slot: word.slot, nodes: TrieProof(nodes: nodes(word.nodes.nodes)))
            }
        )
    }
}

extension AccessListTrace {
    /// Without words of others than these.
    fileprivate func keeping(_ keys: Set<StateKey>) -> AccessListTrace {
        AccessListTrace(
            entries: entries.map { entry in
                AccessListEntry(
                    address: entry.address,
                    storageKeys: entry.storageKeys.filter {
                        keys.contains(.word(UInt256($0), of: entry.address))
                    }
                )
            },
            gasUsed: gasUsed
        )
    }
}

extension Bytes32 {
    /// The last bit is another one.
    fileprivate var flipped: Bytes32 { Bytes32(bytes: bytes.flipped) ?? .zero }
}

extension [UInt8] {
    /// The last bit is another one.
    fileprivate var flipped: [UInt8] { dropLast() + (last.map { [$0 ^ 1] } ?? []) }
}

extension Block {
    fileprivate var later: Block {
        Block(
            number: number,
            hash: hash,
            parentHash: parentHash,
            timestamp: timestamp + 1,
            baseFeePerGas: baseFeePerGas,
            gasLimit: gasLimit,
            gasUsed: gasUsed,
            coinbase: coinbase,
            random: random
        )
    }
}
