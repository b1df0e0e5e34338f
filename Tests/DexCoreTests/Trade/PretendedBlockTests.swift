import DexSandbox
import DexSigning
import Ethereum
import EthereumWallet
import Synchronization
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

/// A first node that answers of a block that no other node has.
@Suite("What one node alone says of a block that no other has decides nothing")
struct PretendedBlockTests {
    @Test(
        "an order that is not funded any more, shown as it was: the node and a word are named",
        arguments: [(1, true), (50, false)]
    )
    func replayed(blocks: Int, isSandbox: Bool) async throws {
        let stage = try await ProofStage()
        let market = stage.market
        let node = PretendingNode(stage.first)
        let session = try stage.session(first: node, isSandbox: isSandbox)
        let before = await market.chain.latestBlock.number
        let error = await refusal {
            try await stage.trade(session) {
                try await market.drain(market.makers[0], TestMarket.zrx)
                let head = await market.chain.latestBlock
                node.pretend(
                    showing: before,
                    as: head.number + UInt64(blocks),
                    at: head.timestamp + UInt64(blocks)
                )
            }
        }
        #expect(error?.code == "node-ahead", "\(String(describing: error))")
        #expect(error?.exit == .unreachable)
        let message = error?.message ?? ""
        #expect(message.hasPrefix("https://a.example alone says that the word at "), "\(message)")
        #expect(message.contains("At block \(before + 1), which 2 nodes give"), "\(message)")
        #expect(stage.first.sent.isEmpty && stage.second.sent.isEmpty)
        #expect(try market.journaled().isEmpty)
        #expect(try stage.log.lines(since: 0).isEmpty)
    }

    @Test("a word of such a block is no part of what is signed: the run is made on what is proven")
    func word() async throws {
        for (address, slot) in try await StateProofTests.words() {
            let stage = try await ProofStage()
            let node = PretendingNode(stage.first) { read, answer in
                guard case .storage(address, slot, _) = read,
                    case .success(.word(let word)) = answer
                else { return answer }
                return .success(.word(word == .zero ? 1 : .zero))
            }
            let head = await stage.market.chain.latestBlock
            let outcome = try await stage.trade(stage.session(first: node)) {
                node.pretend(showing: head.number, as: head.number + 1, at: head.timestamp + 1)
            }
            #expect(outcome.exit == .done)
            let report = try #require(outcome.transactions.last?.simulation)
            #expect(report.changes?.block == head.number)
            let proof = try #require(report.proof)
            #expect(proof.block == head.number && proof.nodes == ProofStage.names, "\(proof)")
            #expect(proof.words >= 4 && !proof.isComplete, "\(proof)")
            #expect(proof.gaps.first?.reason.contains("https://a.example alone says") == true)
        }
    }

    @Test("a lie about the block that both have is one, whatever else the node pretends")
    func lie() async throws {
        let (address, slot) = try #require(try await StateProofTests.words().first)
        let stage = try await ProofStage()
        stage.first.answer { read, answer in
            guard case .storage(address, slot, _) = read else { return answer }
            return .success(.word(UInt256(99)))
        }
        let node = PretendingNode(stage.first)
        let head = await stage.market.chain.latestBlock
        let error = await refusal {
            try await stage.trade(stage.session(first: node)) {
                node.pretend(showing: head.number, as: head.number + 1, at: head.timestamp + 1)
            }
        }
        #expect(error?.code == "node-lied", "\(String(describing: error))")
        #expect(error?.message.hasPrefix("https://a.example says that the word at ") == true)
    }

    @Test("a block that the other node gets between the two round trips is proven by both")
    func caughtUp() async throws {
        let stage = try await ProofStage()
        try await stage.market.pay("1", from: stage.market.rival, to: stage.market.rival.address)
        let head = await stage.market.chain.latestBlock.number
        let late = LaggingNode(wrapped: stage.second, newest: head - 1)
        let proof = try await stage.proof(
            stage.session(second: CatchingUpNode(late: late, wrapped: stage.second))
        )
        #expect(proof.block == head && proof.isComplete, "\(proof)")
        #expect(proof.nodes == ProofStage.names)
    }
}

/// A node that gives the state of one block as that of a later one, which it invents.
private final class PretendingNode: ChainClient {
    typealias Answer = Result<ChainAnswer, ChainError>

    private struct Pretence {
        let shown: UInt64
        let number: UInt64
        let time: UInt64
    }

    private let wrapped: any ChainClient
    private let change: @Sendable (ChainRead, Answer) -> Answer
    private let pretence = Mutex<Pretence?>(nil)

    /// - Parameter change: what it says of the invented block.
    init(
        _ wrapped: any ChainClient,
        change: @escaping @Sendable (ChainRead, Answer) -> Answer = { $1 }
    ) {
        (self.wrapped, self.change) = (wrapped, change)
    }

    func pretend(showing shown: UInt64, as number: UInt64, at time: UInt64) {
        pretence.withLock { $0 = Pretence(shown: shown, number: number, time: time) }
    }

    func read(_ reads: [ChainRead]) async throws(ChainError) -> [Answer] {
        guard let pretence = pretence.withLock({ $0 }) else { return try await wrapped.read(reads) }
        func isInvented(_ tag: BlockTag) -> Bool {
            [.latest, .pending, .number(pretence.number)].contains(tag)
        }
        let asked = reads.map { read in
            read.moved { isInvented($0) ? .number(pretence.shown) : $0 }
        }
        return zip(zip(reads, asked), try await wrapped.read(asked)).map { reads, answer in
            let (read, asked) = reads
            switch (read, answer) {
            case (.blockNumber, _): return .success(.number(pretence.number))
            // Of the true state.
            case (.estimateGas, .failure): return .success(.number(300_000))
            case (.block(let tag), .success(.block(let block?))) where isInvented(tag):
                return .success(.block(block.pretended(pretence.number, pretence.time)))
            case (.header(let tag), .success(.header(var header?))) where isInvented(tag):
                header.number = pretence.number
                header.timestamp = pretence.time
                return .success(.header(header))
            default: return read == asked ? answer : change(read, answer)
            }
        }
    }

    /// It pretends nothing any more once it has a transaction.
    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        pretence.withLock { $0 = nil }
        return try await wrapped.send(raw: raw)
    }
}

/// A node that lags until it was asked once.
private final class CatchingUpNode: ChainClient {
    private let late: LaggingNode
    private let wrapped: any ChainClient
    private let isLate = Mutex(true)

    init(late: LaggingNode, wrapped: any ChainClient) {
        (self.late, self.wrapped) = (late, wrapped)
    }

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        let lags = isLate.withLock { isLate in
            defer { isLate = false }
            return isLate
        }
        return try await lags ? late.read(reads) : wrapped.read(reads)
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        try await wrapped.send(raw: raw)
    }
}

extension Block {
    fileprivate func pretended(_ number: UInt64, _ timestamp: UInt64) -> Block {
        Block(
            number: number,
            hash: BlockHash(Keccak256.hash(hash.word.bytes)),
            parentHash: hash,
            timestamp: timestamp,
            baseFeePerGas: baseFeePerGas,
            gasLimit: gasLimit,
            gasUsed: gasUsed,
            coinbase: coinbase,
            random: random
        )
    }
}
