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
        #expect(try await node.chainID() == 1337)
        let hash = TransactionHash(.zero)
        let pending = ScriptedNode(answers: [.success(.receipt(nil))], expected: [.receipt(hash)])
        #expect(try await pending.receipt(of: hash) == nil)
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
            await #expect(throws: error) { try await node.chainID() }
        }
    }

    @Test("an answer of another kind makes no sense")
    func wrongKind() throws {
        let number = ChainAnswer.number(1)
        let bytes = ChainAnswer.bytes([1])
        #expect(try number.number() == 1)
        #expect(try bytes.bytes() == [1])
        #expect(try ChainAnswer.wei(Wei(2)).wei() == Wei(2))
        #expect(try ChainAnswer.block(nil).block() == nil)
        #expect(try ChainAnswer.logs([]).logs() == [])
        #expect(try ChainAnswer.transaction(nil).transaction() == nil)
        let history = FeeHistory(oldestBlock: 1, baseFeePerGas: [Wei(1)], rewards: [])
        #expect(try ChainAnswer.feeHistory(history).feeHistory() == history)
        let expected = { (kind: String) in
            ChainError.nonsense("the node's answer is not \(kind)")
        }
        #expect(throws: expected("a number")) { try bytes.number() }
        #expect(throws: expected("an amount of wei")) { try number.wei() }
        #expect(throws: expected("bytes")) { try number.bytes() }
        #expect(throws: expected("a block")) { try number.block() }
        #expect(throws: expected("a fee history")) { try number.feeHistory() }
        #expect(throws: expected("logs")) { try number.logs() }
        #expect(throws: expected("a transaction")) { try number.transaction() }
        #expect(throws: expected("a receipt")) { try number.receipt() }
    }

    @Test(
        "block tags are written as JSON-RPC wants them",
        arguments: [
            (BlockTag.latest, "latest"), (.pending, "pending"), (.earliest, "earliest"),
            (.finalized, "finalized"), (.number(0), "0x0"), (.number(.max), "0xffffffffffffffff"),
        ]
    )
    func blockTags(tag: BlockTag, parameter: String) {
        #expect(tag.parameter == parameter)
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
                "The node answered with error -32000: nonce too low"
            ),
            (
                .reverted(data: [], message: "execution reverted"),
                "The call would revert: execution reverted"
            ),
        ]
    )
    func sentences(error: ChainError, sentence: String) {
        #expect("\(error)" == sentence)
    }
}
