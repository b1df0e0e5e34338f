import Ethereum
import Testing

@Suite("Chain clients")
struct ChainClientTests {
    /// A node that gives the answers it was made with and nothing else.
    private struct ScriptedNode: ChainClient {
        let answers: [Result<ChainAnswer, ChainError>]
        var expected: [ChainRead]?

        func read(
            _ reads: [ChainRead]
        ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
            if let expected { #expect(reads == expected) }
            return answers
        }

        func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
            throw .nonsense("this node takes no transactions")
        }
    }

    @Test("the typed reads ask their one question and unwrap its answer")
    func typedReads() async throws {
        let node = ScriptedNode(answers: [.success(.number(1337))], expected: [.chainID])
        #expect(try await node.read(.chainID) == 1337)
        let hash = TransactionHash(.zero)
        let pending = ScriptedNode(answers: [.success(.receipt(nil))], expected: [.receipt(hash)])
        #expect(try await pending.read(.receipt(hash)) == nil)
        let request = CallRequest(to: .zero, data: [1])
        let call = ScriptedNode(
            answers: [.success(.bytes([7]))],
            expected: [.call(request, .number(5))]
        )
        #expect(try await call.call(request, at: .number(5)) == [7])
    }

    @Test("a failed answer is thrown as it is")
    func failures() async {
        let revert = ChainError.reverted(data: [1], message: "no")
        let node = ScriptedNode(answers: [.failure(revert)])
        await #expect(throws: revert) { try await node.call(CallRequest(to: .zero, data: [])) }
    }

    @Test("no answer, or two, to one question make no sense")
    func wrongCount() async {
        for count in [0, 2] {
            let node = ScriptedNode(
                answers: Array(repeating: .success(.number(1)), count: count)
            )
            let error = ChainError.nonsense("the node gave \(count) answers to one question")
            await #expect(throws: error) { try await node.read(.chainID) }
        }
    }

    @Test("an answer of another kind makes no sense")
    func wrongKind() async {
        let number = ScriptedNode(answers: [.success(.number(1))])
        let bytes = ScriptedNode(answers: [.success(.bytes([1]))])
        let expected = { (kind: String) in
            ChainError.nonsense("the node's answer is not \(kind)")
        }
        let hash = TransactionHash(.zero)
        let call = CallRequest(to: .zero, data: [])
        let filter = LogFilter(fromBlock: .earliest, toBlock: .latest)
        await #expect(throws: expected("a number")) { try await bytes.read(.blockNumber) }
        await #expect(throws: expected("an amount of wei")) { try await number.read(.gasPrice) }
        await #expect(throws: expected("bytes")) { try await number.read(.code(.zero, .latest)) }
        await #expect(throws: expected("a block")) { try await number.read(.latestBlock) }
        await #expect(throws: expected("a block with transactions")) {
            try await number.read(.fullBlock(.latest))
        }
        await #expect(throws: expected("a fee history")) {
            try await number.read(.feeHistory(blocks: 1, percentiles: []))
        }
        await #expect(throws: expected("logs")) { try await number.read(.logs(filter)) }
        await #expect(throws: expected("a transaction")) {
            try await number.read(.transaction(hash))
        }
        await #expect(throws: expected("a receipt")) { try await number.read(.receipt(hash)) }
        await #expect(throws: expected("an access list")) {
            try await number.read(.accessList(call))
        }
    }

    @Test("a node without a latest block makes no sense, and one without block 7 has none")
    func missingBlock() async throws {
        let node = ScriptedNode(answers: [.success(.block(nil))])
        #expect(try await node.read(.block(.number(7))) == nil)
        await #expect(throws: ChainError.nonsense("the node has no latest block")) {
            try await node.read(.latestBlock)
        }
    }

    @Test("each answer of a batch has the type of its read, and fails by itself")
    func batch() async throws {
        let revert = ChainError.reverted(data: [1], message: "no")
        let call = CallRequest(to: .zero, data: [1])
        let node = ScriptedNode(
            answers: [.success(.wei(Wei(3))), .failure(revert), .success(.bytes([7]))],
            expected: [.gasPrice, .blockNumber, .call(call, .number(5))]
        )
        var batch = ReadBatch()
        let price = batch.add(.gasPrice)
        let newest = batch.add(.blockNumber)
        let calls = batch.add([call], at: .number(5))
        let answers = try await node.read(batch)
        #expect(answers[price] == .success(Wei(3)))
        #expect(answers[newest] == .failure(revert))
        #expect(calls.map { answers[$0] } == [.success([7])])
        #expect(answers.failures == [revert])
    }

    @Test("as many answers as questions, none for an empty batch, and of no other batch")
    func batchCount() async throws {
        let node = ScriptedNode(answers: [.success(.number(1))])
        var batch = ReadBatch()
        let first = batch.add(.chainID)
        let one = try await node.read(batch)
        let second = batch.add(.blockNumber)
        #expect(one[first] == .success(1))
        #expect(one[second] == .failure(.nonsense("answers to other questions")))
        await #expect(throws: ChainError.nonsense("the node gave 1 answers to 2 questions")) {
            try await node.read(batch)
        }
        let silent = ScriptedNode(answers: [], expected: [.chainID])
        #expect(try await silent.read(ReadBatch()).failures.isEmpty)
    }

    @Test(
        "block tags are written as JSON-RPC wants them",
        arguments: [
            (BlockTag.latest, "latest"), (.pending, "pending"), (.earliest, "earliest"),
            (.finalized, "finalized"), (.number(0), "0x0"), (.number(.max), "0xffffffffffffffff"),
            (
                .hash(BlockHash(UInt256(18).word)),
                "0x0000000000000000000000000000000000000000000000000000000000000012"
            ),
        ]
    )
    func blockTags(tag: BlockTag, parameter: String) {
        #expect(tag.parameter == parameter)
    }

    @Test("a filter of one block has its hash, one of a range has none")
    func filterOfBlock() {
        let hash = BlockHash(UInt256(18).word)
        #expect(LogFilter(block: hash).blockHash == hash)
        #expect(LogFilter(fromBlock: .number(1), toBlock: .number(1)).blockHash == nil)
        #expect(LogFilter(fromBlock: .hash(hash), toBlock: .latest).blockHash == nil)
    }

    @Test(
        "each error is a sentence",
        arguments: [
            (
                ChainError.unreachable(url: "http://127.0.0.1:8545", reason: "connection refused"),
                "The node at http://127.0.0.1:8545 cannot be reached: connection refused."
            ),
            (.nonsense("not JSON"), "The node's answer makes no sense: not JSON."),
            (
                .rateLimited(url: "http://a", retryAfter: 7),
                "The node at http://a limits our requests; try again in 7 s."
            ),
            (
                .rateLimited(url: "http://a", retryAfter: nil),
                "The node at http://a limits our requests; try again later."
            ),
            (
                .rpc(code: -32000, message: "nonce too low"),
                "The node answered with error -32000: \"nonce too low\""
            ),
            (
                .reverted(data: [], message: "execution reverted"),
                "The call would revert: \"execution reverted\""
            ),
        ]
    )
    func sentences(error: ChainError, sentence: String) {
        #expect("\(error)" == sentence)
    }
}
