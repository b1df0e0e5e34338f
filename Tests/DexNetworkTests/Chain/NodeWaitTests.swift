import Ethereum
import Testing

@testable import DexNetwork

@Suite("nodes that ask us to wait")
struct NodeWaitTests: NodeSuite {
    let clock = FakeClock()
    private let first = "https://first.example/v3/secret"

    @Test("HTTP 429 waits as long as the node says, up to a bound")
    func rateLimit() async throws {
        let limited = FakeTransport { request, number in
            number == 0
                ? .success(HTTPResponse(429, "", headers: [HTTPHeader("Retry-After", "3")]))
                : self.good(request)
        }
        #expect(try await client([first], limited).read(.chainID) == 7)
        #expect(clock.sleeps == [3000])
        let tooLong = FakeTransport { _, _ in
            .success(HTTPResponse(429, "", headers: [HTTPHeader("retry-after", "3600")]))
        }
        let error = await failure(client([first], tooLong))
        #expect(error == .rateLimited(url: "https://first.example", retryAfter: 3600))
        #expect(
            error?.description
                == "The node at https://first.example limits our requests; try again in 3600 s."
        )
        #expect(tooLong.requests.count == 1)
    }

    @Test(
        "the wait is read from Retry-After, a date, or X-RateLimit-Reset",
        arguments: [
            ("Retry-After", "7", 7),
            ("Retry-After", "Tue, 14 Nov 2023 22:13:25 GMT", 5),
            ("Retry-After", "Tue, 14 Nov 2023 22:13:00 GMT", 0),
            ("X-RateLimit-Reset", "1700000009", 9),
            ("X-RateLimit-Reset", "1700000009.75", 9),
            ("X-RateLimit-Reset", "4", 4),
            ("X-RateLimit-Reset", "99999999999999999999", nil),
            ("Retry-After", "soon", nil),
            ("Retry-After", "-5", nil),
            ("X-Other", "5", nil),
        ] as [(String, String, UInt64?)]
    )
    func advice(name: String, value: String, wait: UInt64?) {
        let response = HTTPResponse(429, "", headers: [HTTPHeader(name, value)])
        #expect(ServerAdvice.wait(in: response, now: 1_700_000_000) == wait)
    }

    @Test("a rate limit in the words of JSON-RPC is waited out")
    func rateLimitInBody() async throws {
        let whole = FakeTransport { request, number in
            number == 0
                ? .success(
                    HTTPResponse(200, FakeNode.error("null", code: -32005, "Too Many Requests"))
                ) : self.good(request)
        }
        #expect(try await client([first], whole).read([.chainID, .blockNumber]).count == 2)
        #expect(clock.sleeps == [200])
        let single = FakeTransport { request, number in
            guard number > 0 else {
                return .success(
                    HTTPResponse(
                        200,
                        FakeNode.body(request) { call in
                            call.id == "0"
                                ? FakeNode.answer(call.id, "\"0x7\"")
                                : FakeNode.error(call.id, code: 429, "compute units per second")
                        }
                    )
                )
            }
            return self.good(request)
        }
        let answers = try await client([first], single).read([.chainID, .blockNumber])
        #expect(answers == [.success(.number(7)), .success(.number(7))])
        #expect(try FakeNode.calls(in: single.requests[1].body).calls.map(\.id) == ["1"])
        let always = FakeTransport { request, _ in
            .success(
                HTTPResponse(
                    200,
                    FakeNode.body(request) { FakeNode.error($0.id, code: 429, "slow down") }
                )
            )
        }
        #expect(
            try await client([first], always).read([ChainRead.chainID])
                == [.failure(.rateLimited(url: "https://first.example", retryAfter: nil))]
        )
        #expect(always.requests.count == 3)
    }

    @Test(
        "a node that has not caught up is asked again, in whatever words it says so",
        arguments: [
            "header not found", "Unknown block", "header for hash not found",
            "could not find block 0x10", "cannot query unfinalized data after last accepted block",
            "Block requested not found.", "the block is not available",
        ]
    )
    func lagging(words: String) async throws {
        let transport = FakeTransport { request, number in
            number == 0 ? self.fault(request, words) : self.good(request)
        }
        #expect(try await client([first], transport).read(.chainID) == 7)
    }

    @Test("the state of a block that a node no longer keeps is asked for once")
    func pruned() async throws {
        let words = "missing trie node 1a2b (path ) state 0x1 is not available"
        let transport = FakeTransport { request, _ in self.fault(request, words) }
        _ = try await client([first], transport).read([ChainRead.chainID])
        #expect(transport.requests.count == 1)
    }

    @Test(
        "what a contract reverts with is no word of the node's, and is asked for once",
        arguments: [
            "rate limit exceeded", "too many requests", "header not found", "block not found",
            "try again later", "response too large",
        ]
    )
    func contractsWords(words: String) async throws {
        let message = "execution reverted: \(words)"
        let transport = FakeTransport { request, _ in self.fault(request, message, code: 3) }
        let call = CallRequest(to: .zero, data: [1, 2, 3, 4])
        let answers = try await client([first], transport).read([
            ChainRead.call(call, .latest), .estimateGas(call),
        ])
        let reverted = ChainError.reverted(data: [], message: message)
        #expect(answers == [.failure(reverted), .failure(reverted)])
        #expect(transport.requests.count == 1)
    }

    private func fault(
        _ request: HTTPRequest,
        _ words: String,
        code: Int = -32_000
    ) -> Result<HTTPResponse, HTTPError> {
        let body = FakeNode.body(request) { FakeNode.error($0.id, code: code, words) }
        return .success(HTTPResponse(200, body))
    }
}
