import DexTestSupport
import Ethereum
import NetworkTestSupport
import Testing

@testable import DexNetwork

@Suite("what a read of a node may take")
struct NodeBudgetTests {
    private func failure(
        _ transport: any HTTPTransport,
        urls: [String] = ["https://node.example"],
        limits: BatchLimits = BatchLimits(items: 1),
        answers: AnswerLimits,
        clock: FakeClock = FakeClock(),
        reads: Int = 1_000
    ) async -> ChainError? {
        let client = JSONRPCChainClient(
            urls: urls,
            transport: transport,
            limits: limits,
            answers: answers,
            clock: clock.clock
        )
        let filter = LogFilter(fromBlock: .number(1), toBlock: .number(2))
        do throws(ChainError) {
            _ = try await client.read(Array(repeating: .logs(filter), count: reads))
            return nil
        } catch {
            return error
        }
    }

    @Test("a thousand answers of logs draw on one budget of bytes, at each node anew")
    func bytes() async {
        let padding = String(repeating: " ", count: 10_000)
        let transport = FakeTransport { request, _ in
            .success(
                HTTPResponse(200, FakeNode.body(request) { FakeNode.answer($0.id, "[\(padding)]") })
            )
        }
        let limits = AnswerLimits(bytes: 100_000)
        let error = ChainError.nonsense("with all its parts it is larger than 100000 bytes")
        #expect(await failure(transport, answers: limits) == error)
        // What was under way when the budget was used up is cancelled.
        #expect(transport.requests.count <= 10 + BatchLimits().concurrency)
        let two = ["https://a.example", "https://b.example"]
        #expect(await failure(transport, urls: two, answers: limits) == error)
        #expect(transport.requests.contains { $0.url == "https://b.example" })
    }

    @Test("a read that goes on for too long ends, however quick each answer is")
    func time() async {
        let clock = FakeClock()
        let transport = FakeTransport { request, _ in
            clock.pass(1_000)
            return .success(
                HTTPResponse(200, FakeNode.body(request) { FakeNode.answer($0.id, "[]") })
            )
        }
        #expect(
            await failure(
                transport,
                limits: BatchLimits(items: 1, concurrency: 1),
                answers: AnswerLimits(milliseconds: 20_000),
                clock: clock
            )
                == .unreachable(
                    url: "https://node.example",
                    reason: "its answers together took longer than 20 s"
                )
        )
        #expect(transport.requests.count == 20)
    }

    @Test("compressed answers are held against the budget while they are decompressed")
    func compressed() async throws {
        let bomb = GzipBomb.zeros(3 << 20)
        let server = try ScriptedServer.answering { _ in
            var answer = ScriptedAnswer(headers: ["Content-Encoding: gzip"])
            answer.body = bomb
            return answer
        }
        let transport = CurlTransport(options: .patient())
        let budget = AnswerBudget(AnswerLimits(bytes: 5 << 20), clock: .system)
        let bounded = BudgetedTransport(wrapped: transport, budget: budget)
        let first = try await bounded.send(HTTPRequest(.get, url: server.url))
        #expect(first.body.count >= 3 << 20)
        await #expect(throws: HTTPError.tooLargeTogether(bytes: 5 << 20)) {
            try await bounded.send(HTTPRequest(.get, url: server.url))
        }
        var small = HTTPRequest(.get, url: server.url)
        small.bounds.maximumBody = 1 << 20
        await #expect(throws: HTTPError.tooLarge(bytes: 1 << 20)) {
            try await transport.send(small)
        }
    }

    @Test("an answer that does not come in the time that is left ends when it is over")
    func silent() async throws {
        let server = try ScriptedServer { $0.waitForClose() }
        var request = HTTPRequest(.get, url: server.url)
        request.bounds.milliseconds = 50
        let transport = CurlTransport(options: .patient())
        await #expect(throws: HTTPError.timedOut(milliseconds: 50)) {
            try await transport.send(request)
        }
    }
}
