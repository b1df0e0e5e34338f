import Ethereum
import StrictJSON
import Synchronization
import Testing

@testable import DexNetwork

@Suite("nodes that fail, and the ones behind them")
struct NodeFallbackTests: NodeSuite {
    let clock = FakeClock()
    private let first = "https://first.example/v3/secret"
    private let second = "https://second.example:444/?key=secret"

    @Test("no node at all")
    func none() async {
        let error = await failure(client([], FakeTransport(body: "")))
        #expect(
            error?.description
                == "The node at no address cannot be reached: no node is configured; give one "
                + "with --rpc."
        )
    }

    @Test("one node can be asked alone, without a second try, and be preferred from then on")
    func alone() async throws {
        let isDown = Mutex(true)
        let transport = FakeTransport { request, _ in
            request.url.hasPrefix("https://second") && isDown.withLock { $0 }
                ? .failure(.noConnection(host: "second.example:444")) : self.good(request)
        }
        let client = client([first, second], transport)
        #expect(client.nodeCount == 2)
        await #expect(throws: ChainError.self) { try await client.read([.chainID], at: 1) }
        await #expect(throws: ChainError.self) { try await client.read([.chainID], at: 2) }
        #expect(transport.requests.map(\.url) == [second])
        isDown.withLock { $0 = false }
        #expect(try await client.read([.chainID], at: 1) == [.success(.number(7))])
        // That alone changes nothing for the others.
        #expect(try await client.read(.chainID) == 7)
        client.prefer(1)
        #expect(try await client.read(.chainID) == 7)
        #expect(transport.requests.map(\.url) == [second, second, first, second])
    }

    @Test("a read that began before another node was preferred does not take that back")
    func begunBefore() async throws {
        let asked = Mutex<JSONRPCChainClient?>(nil)
        let transport = FakeTransport { request, number in
            // While the first node answers, another read finds the second one fresher.
            if number == 0 { asked.withLock { $0 }?.prefer(1) }
            return self.good(request)
        }
        let client = client([first, second], transport)
        asked.withLock { $0 = client }
        #expect(try await client.read(.chainID) == 7)
        #expect(try await client.read(.chainID) == 7)
        #expect(transport.requests.map(\.url) == [first, second])
    }

    @Test("connection failures are tried three times, 200 ms and 400 ms apart")
    func retries() async throws {
        let transport = FakeTransport { request, number in
            number < 2 ? .failure(.noConnection(host: "first.example:443")) : self.good(request)
        }
        #expect(try await client([first], transport).read(.chainID) == 7)
        #expect(transport.requests.count == 3)
        #expect(clock.sleeps == [200, 400])
    }

    @Test(
        "after three tries the read fails, and no text holds the key",
        arguments: [
            (HTTPError.noConnection(host: "first.example:443"), 3),
            (.cutOff, 3),
            (.unknownHost("first.example"), 3),
            (.connectTimedOut(host: "first.example:443", milliseconds: 1), 3),
            (.timedOut(milliseconds: 1), 1),
            (.stalled(seconds: 1), 1),
            (.untrusted("expired"), 1),
            (.garbled("odd"), 1),
            (.other("odd"), 1),
            (.tooLarge(bytes: 1), 1),
        ]
    )
    func giveUp(error: HTTPError, tries: Int) async {
        let transport = FakeTransport { _, _ in .failure(error) }
        let failure = await failure(client([first], transport))
        #expect(
            failure == .unreachable(url: "https://first.example", reason: error.reason)
        )
        #expect(failure?.description.contains("secret") == false)
        #expect(transport.requests.count == tries)
    }

    @Test(
        "HTTP 408, 425 and 5xx are tried again",
        arguments: [408, 425, 500, 502, 503, 504]
    )
    func retryableStatus(status: Int) async throws {
        let transport = FakeTransport { request, number in
            number == 0
                ? .success(HTTPResponse(status, "<html>gateway</html>")) : self.good(request)
        }
        #expect(try await client([first], transport).read(.chainID) == 7)
        #expect(clock.sleeps == [200])
        let broken = FakeTransport { _, _ in .success(HTTPResponse(status, "")) }
        #expect(
            await failure(client([first], broken))
                == .badStatus(
                    url: "https://first.example",
                    reason: "it answered with HTTP \(status)"
                )
        )
        #expect(broken.requests.count == 3)
    }

    @Test(
        "other statuses are final and say what to check",
        arguments: [
            (400, "it answered with HTTP 400"),
            (401, "it refused us with HTTP 401; check the key in its address"),
            (403, "it refused us with HTTP 403; check the key in its address"),
            (404, "it answered with HTTP 404; check the path in its address"),
            (413, "it refuses a request this large (HTTP 413)"),
            (
                301,
                "it redirects to https://elsewhere.example (HTTP 301); use that address instead"
            ),
        ]
    )
    func finalStatus(status: Int, reason: String) async {
        let transport = FakeTransport { _, _ in
            .success(
                HTTPResponse(
                    status,
                    "<html>",
                    headers: [HTTPHeader("Location", "https://elsewhere.example/secret")]
                )
            )
        }
        #expect(
            await failure(client([first], transport))
                == .badStatus(
                    url: "https://first.example",
                    reason: reason,
                    isPermanent: true
                )
        )
        #expect(
            await failure(client([first], transport))?.description
                == "The node at https://first.example gave no usable answer: \(reason)."
        )
        #expect(transport.requests.count == 2)
    }

    @Test("a redirect without a full address is told as such")
    func relativeRedirect() async {
        let transport = FakeTransport { _, _ in .success(HTTPResponse(302, "")) }
        #expect(
            await failure(client([first], transport))
                == .badStatus(
                    url: "https://first.example",
                    reason: "it redirects to another address (HTTP 302)",
                    isPermanent: true
                )
        )
    }

    @Test("a revert is not tried again")
    func revert() async throws {
        let transport = FakeTransport { request, _ in
            .success(
                HTTPResponse(
                    200,
                    FakeNode.body(request) {
                        FakeNode.error($0.id, code: 3, "execution reverted", data: "\"0x08\"")
                    }
                )
            )
        }
        await #expect(throws: ChainError.reverted(data: [8], message: "execution reverted")) {
            try await client([first], transport).call(CallRequest(to: .zero, data: []))
        }
        #expect(transport.requests.count == 1)
    }

    @Test("the next node takes over at once, for the whole read and for those after it")
    func fallback() async throws {
        let transport = FakeTransport { request, _ in
            request.url == self.first
                ? .failure(.noConnection(host: "first.example:443")) : self.good(request)
        }
        let client = client([first, second], transport)
        #expect(try await client.read(.chainID) == 7)
        #expect(transport.requests.map(\.url) == [first, second])
        #expect(clock.sleeps.isEmpty)
        #expect(try await client.read(.chainID) == 7)
        #expect(transport.requests.map(\.url) == [first, second, second])
    }

    @Test("all chunks of a read come from one node")
    func oneNode() async throws {
        let fails = Mutex(true)
        let transport = FakeTransport { request, number in
            // The first node answers some chunks, then dies.
            if request.url == self.first, number >= 2, fails.withLock({ $0 }) {
                return .failure(.cutOff)
            }
            let result = request.url == self.first ? "\"0x01\"" : "\"0x02\""
            return .success(
                HTTPResponse(200, FakeNode.body(request) { FakeNode.answer($0.id, result) })
            )
        }
        let client = JSONRPCChainClient(
            urls: [first, second],
            transport: transport,
            limits: BatchLimits(items: 10, concurrency: 2),
            clock: clock.clock
        )
        let answers = try await client.read((0..<100).map(ChainRead.numbered))
        #expect(answers.allSatisfy { $0 == .success(.bytes([2])) })
    }

    @Test(
        "a node that answers HTML or refuses us is passed over",
        arguments: [
            HTTPResponse(200, "<html>login</html>"), HTTPResponse(401, ""),
            HTTPResponse(200, FakeNode.error("null", code: -32000, "unauthorized")),
            HTTPResponse(302, ""),
        ]
    )
    func passedOver(response: HTTPResponse) async throws {
        let transport = FakeTransport { request, _ in
            request.url == self.first ? .success(response) : self.good(request)
        }
        let answers = try await client([first, second], transport).read([.chainID, .blockNumber])
        #expect(answers == [.success(.number(7)), .success(.number(7))])
    }

    @Test("where all nodes fail, each one's reason is told")
    func allFail() async {
        let transport = FakeTransport { request, _ in
            request.url == self.first
                ? .failure(.noConnection(host: "first.example:443"))
                : .success(HTTPResponse(401, ""))
        }
        let error = await failure(client([first, second], transport))
        #expect(
            error?.description
                == "The node at https://first.example cannot be reached: nothing accepts "
                + "connections at first.example:443; https://second.example:444: it refused us "
                + "with HTTP 401; check the key in its address."
        )
        // The first one may be there again later.
        guard case .unreachable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let closed = FakeTransport { _, _ in .success(HTTPResponse(401, "")) }
        guard
            case .badStatus(_, _, isPermanent: true) = await failure(
                client([first, second], closed)
            )
        else {
            Issue.record("two nodes that both refuse us for good")
            return
        }
    }

    @Test("a cancelled read does not go on to the next node")
    func cancelled() async {
        let transport = FakeTransport { _, _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return .failure(.cancelled)
        }
        let client = client([first, second], transport)
        let task = Task { () -> ChainError? in
            withUnsafeCurrentTask { $0?.cancel() }
            return await self.failure(client)
        }
        #expect(
            await task.value
                == .unreachable(
                    url: "https://first.example",
                    reason: "the request was cancelled"
                )
        )
        #expect(transport.requests.count <= 1)
    }
}
