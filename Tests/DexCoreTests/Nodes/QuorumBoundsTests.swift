import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Nodes that must agree: what they may differ in, receipts and broadcasts")
struct QuorumBoundsTests {
    private typealias Pair = NodePair

    // MARK: Bounds

    @Test(
        "the nonce is what both nodes know of, and at least what is mined",
        arguments: [
            // A lie of one that is too high would leave a gap.
            (7, 9, 7), (9, 7, 7), (8, 8, 8), (8, 9, 8),
            // One that is too low would be refused.
            (3, 7, 7), (7, 0, 7),
        ]
    )
    func nonce(one: UInt64, other: UInt64, reported: UInt64) async throws {
        let pair = Pair()
        for (node, count) in zip(pair.nodes, [one, other]) {
            node.set { $0.pendingNonces[Pair.account] = count }
        }
        #expect(try await pair.client.read(.transactionCount(Pair.account, .pending)) == reported)
        #expect(pair.rounds == [1, 1])
    }

    @Test("a node alone can neither raise the price of gas nor lower an estimate")
    func prices() async throws {
        let pair = Pair()
        pair.nodes[1].set { state in
            state.gasPrice = .success(Wei(1_000))
            state.onEstimate = { _ in .success(1_000) }
        }
        #expect(try await pair.client.read(.gasPrice) == Wei(3))
        let call = CallRequest(to: Pair.token, data: [])
        #expect(try await pair.client.read(.estimateGas(call)) == 21_000)
        // To fail at one is to fail.
        pair.nodes[1].set { $0.onEstimate = { _ in .failure(.reverted(data: [], message: "no")) } }
        guard case .reverted? = await pair.error(.estimateGas(call)) else {
            Issue.record("it has to fail")
            return
        }
    }

    @Test("tips are the lowest of both nodes, base fees of the same blocks must be the same")
    func feeHistory() async throws {
        let read = Read.feeHistory(blocks: 2, percentiles: [50])
        func history(_ first: UInt64, _ fees: [UInt64], _ tips: [UInt64]) -> FeeHistory {
            FeeHistory(
                oldestBlock: first,
                baseFeePerGas: fees.map { Wei(UInt256($0)) },
                rewards: tips.map { [Wei(UInt256($0))] }
            )
        }
        func reported(_ one: FeeHistory, _ other: FeeHistory) async throws -> FeeHistory {
            let pair = Pair()
            pair.nodes[0].set { $0.feeHistory = .success(one) }
            pair.nodes[1].set { $0.feeHistory = .success(other) }
            return try await pair.client.read(read)
        }
        #expect(
            try await reported(
                history(99, [10, 11, 12], [5, 6]),
                history(99, [10, 11, 99], [500, 1])
            )
                == history(99, [10, 11, 12], [5, 1])
        )
        // The other node is a block ahead.
        #expect(
            try await reported(
                history(99, [10, 11, 12], [5, 6]),
                history(100, [11, 12, 13], [2, 900])
            )
                == history(99, [10, 11, 12], [5, 2])
        )
        // Of quite other blocks, and of other numbers of tips.
        #expect(
            try await reported(history(99, [10], []), history(.max, [11], [1, 2]))
                == history(99, [10], [])
        )
        let pair = Pair()
        pair.nodes[0].set { $0.feeHistory = .success(history(99, [10, 11, 12], [])) }
        pair.nodes[1].set { $0.feeHistory = .success(history(99, [10, 900, 12], [])) }
        let lie = try #require(await pair.disagreement(read))
        #expect(lie.subject == "the base fees of the latest blocks")
        #expect(lie.second.said == "10, 900, 12 wei")
        // A node without the method leaves the other one's.
        pair.nodes[1].set { $0.feeHistory = .failure(.rpc(code: -32_601, message: "no method")) }
        #expect(try await pair.client.read(read).oldestBlock == 99)
    }

    // MARK: Receipts

    private static func outcome(
        _ pair: Pair
    ) async throws -> (receipt: TransactionReceipt?, info: Result<TransactionInfo?, ChainError>) {
        var batch = ReadBatch()
        let receipt = batch.add(.receipt(Pair.hash))
        let info = batch.add(.transaction(Pair.hash))
        let answers = try await pair.client.read(batch)
        return (try answers[receipt].get(), answers[info])
    }

    private static func pair(
        _ one: TransactionReceipt?,
        _ other: TransactionReceipt?,
        _ infos: [TransactionInfo?] = [Pair.info(block: 100), nil]
    ) -> Pair {
        let pair = Pair()
        for (node, (receipt, info)) in zip(pair.nodes, zip([one, other], infos)) {
            node.set { state in
                state.receipts[Pair.hash] = .some(receipt)
                state.transactions[Pair.hash] = .some(info)
            }
        }
        return pair
    }

    @Test("a receipt counts once both nodes have it; until then one may be told who has it")
    func receipt() async throws {
        let known = Pair.receipt()
        let both = Self.pair(known, known)
        #expect(try await Self.outcome(both).receipt == known)
        #expect(both.memory.receiptOfSome(Pair.hash) == nil)
        let one = Self.pair(known, nil)
        let reported = try await Self.outcome(one)
        #expect(reported.receipt == nil)
        // Never unknown: it would count as lost, or replaced.
        #expect(try reported.info.get()?.blockNumber == 100)
        #expect(
            one.memory.receiptOfSome(Pair.hash)
                == "Not all nodes know its block: https://a.example has it in block 100; "
                + "https://b.example has no receipt."
        )
        // The other node catches up.
        one.nodes[1].set { $0.receipts[Pair.hash] = known }
        #expect(try await Self.outcome(one).receipt == known)
        #expect(one.memory.receiptOfSome(Pair.hash) == nil)
    }

    @Test("a transaction is not lost, nor replaced, by a node that hides it from its own receipt")
    func hidden() async throws {
        let pair = Self.pair(Pair.receipt(), nil, [nil, nil])
        guard case .failure(.disagreement(let reported)) = try await Self.outcome(pair).info else {
            Issue.record("one node has its receipt")
            return
        }
        #expect(reported.subject == "the receipt of \(Pair.hash)")
        #expect(reported.first.said == "success in block 100 with 1 events and 21000 gas")
        #expect(reported.second.said == "there is none")
    }

    @Test("receipts of different blocks are not final: a reorganization, or a lie")
    func otherBlock() async throws {
        for other in [Pair.receipt(block: 99), Pair.receipt(fork: 1)] {
            let pair = Self.pair(Pair.receipt(), other)
            #expect(try await Self.outcome(pair).receipt == nil)
            #expect(pair.memory.receiptOfSome(Pair.hash) != nil)
        }
    }

    @Test("different receipts in one block are a lie, which no waiting mends")
    func otherReceipt() async throws {
        for lie in [
            Pair.receipt(succeeded: false), Pair.receipt(logs: []),
            Pair.receipt(logs: [Pair.log, Pair.log]),
        ] {
            for (one, other) in [(Pair.receipt(), lie), (lie, Pair.receipt())] {
                let pair = Self.pair(one, other)
                #expect(await pair.disagreement(.receipt(Pair.hash)) != nil)
            }
        }
    }

    @Test("a transaction with other contents is a lie")
    func otherTransaction() async throws {
        let info = Pair.info(block: nil)
        let lie = TransactionInfo(
            hash: info.hash,
            from: info.from,
            to: info.to,
            nonce: 8,
            value: info.value,
            gasLimit: info.gasLimit,
            data: info.data,
            blockNumber: nil,
            blockHash: nil
        )
        let pair = Self.pair(nil, nil, [info, lie])
        #expect(await pair.disagreement(.transaction(Pair.hash)) != nil)
    }

    // MARK: Broadcasts

    private static let raw: [UInt8] = [2, 1, 2, 3]
    private static let refusal = ChainError.notTaken(code: -32_000, message: "insufficient funds")
    private static let used = ChainError.nonceUsed(code: -32_000, message: "nonce too low")
    private static let silence = ChainError.unreachable(url: "u", reason: "silence")

    private static func send(
        _ answers: [Result<TransactionHash, ChainError>]
    ) async -> (pair: Pair, answer: Result<TransactionHash, ChainError>) {
        let pair = Pair(answers.count, quorum: 2)
        for (node, answer) in zip(pair.nodes, answers) { node.set { $0.onSend = { _ in answer } } }
        do throws(ChainError) {
            return (pair, .success(try await pair.client.send(raw: raw)))
        } catch {
            return (pair, .failure(error))
        }
    }

    @Test("all nodes get a transaction, also those behind one that says at once that it has it")
    func broadcast() async throws {
        let hash = TransactionHash(Keccak256.hash(Self.raw))
        let (pair, answer) = await Self.send([.success(hash), .success(hash), .success(hash)])
        #expect(answer == .success(hash))
        #expect(pair.nodes.map(\.sent) == [[Self.raw], [Self.raw], [Self.raw]])
        // A lie about it changes nothing where another node took it.
        for lie in [Self.refusal, Self.used, Self.silence] {
            #expect(await Self.send([.failure(lie), .success(hash)]).answer == .success(hash))
        }
    }

    @Test("a refusal counts only from all nodes")
    func refused() async throws {
        func reported(_ one: ChainError, _ other: ChainError) async -> ChainError? {
            if case .failure(let error) = await Self.send([.failure(one), .failure(other)]).answer {
                error
            } else {
                nil
            }
        }
        #expect(await reported(Self.refusal, Self.refusal) == Self.refusal)
        #expect(await reported(Self.refusal, Self.silence) == Self.silence)
        #expect(await reported(Self.silence, Self.used) == Self.silence)
        // It may be this very one that used the nonce.
        #expect(await reported(Self.refusal, Self.used) == Self.used)
        #expect(await reported(Self.used, Self.refusal) == Self.used)
        let other = TransactionHash(Bytes32(limbs: (1, 1, 1, 1)))
        guard
            case .failure(.nonsense) = await Self.send([.success(other), .failure(Self.refusal)])
                .answer
        else {
            Issue.record("it may be on its way")
            return
        }
    }
}
