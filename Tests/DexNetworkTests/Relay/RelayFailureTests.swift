import Ethereum
import StrictJSON
import Testing
import ZeroEx

@testable import DexNetwork

@Suite("relays that fail or refuse")
struct RelayFailureTests {
    private let clock = FakeClock()

    private func failure(_ transport: FakeTransport) async -> RelayError? {
        do throws(RelayError) {
            _ = try await FakeRelay.client(transport, clock: clock).orders(OrderQuery())
            return nil
        } catch {
            return error
        }
    }

    private func order() throws -> any SignedOrder {
        try ZeroExV1().decodeOrder(JSONParser.parse(text: FakeRelay.order(1)))
    }

    private func postFailure(_ transport: FakeTransport) async throws -> RelayError? {
        let order = try order()
        do throws(RelayError) {
            try await FakeRelay.client(transport, clock: clock).post(order)
            return nil
        } catch {
            return error
        }
    }

    @Test("connection failures of reads are tried three times")
    func retries() async throws {
        let transport = FakeTransport { _, number in
            number < 2 ? .failure(.cutOff) : .success(HTTPResponse(200, "[]"))
        }
        #expect(await failure(transport) == nil)
        #expect(clock.sleeps == [200, 400])
        let down = FakeTransport { _, _ in .failure(.noConnection(host: "relay.example:8443")) }
        let error = await failure(down)
        #expect(
            error?.description
                == "The relay at https://relay.example:8443 cannot be reached: nothing accepts "
                + "connections at relay.example:8443."
        )
        #expect(down.requests.count == 3)
    }

    @Test(
        "time-outs and broken answers of reads are not tried again",
        arguments: [
            HTTPError.timedOut(milliseconds: 1), .stalled(seconds: 1), .untrusted("x"),
            .garbled("x"),
            .malformedURL, .cancelled,
        ]
    )
    func final(error: HTTPError) async {
        let transport = FakeTransport { _, _ in .failure(error) }
        #expect(
            await failure(transport) == .unreachable(url: FakeRelay.shown, reason: error.reason)
        )
        #expect(transport.requests.count == 1)
    }

    @Test("a body beyond the bound is nonsense")
    func tooLarge() async {
        let transport = FakeTransport { _, _ in .failure(.tooLarge(bytes: 1000)) }
        #expect(await failure(transport) == .nonsense("it is larger than 1000 bytes"))
    }

    @Test(
        "HTTP 5xx is tried again, with the relay's words at the end",
        arguments: [
            ("", "it answered with HTTP 503"),
            ("<html>Bad gateway</html>", "it answered with HTTP 503"),
            (
                #"{"code":1,"reason":"database down"}"#,
                "it answered with HTTP 503 (\"database down\")"
            ),
        ]
    )
    func serverError(body: String, reason: String) async {
        let transport = FakeTransport { _, _ in .success(HTTPResponse(503, body)) }
        #expect(await failure(transport) == .badStatus(url: FakeRelay.shown, reason: reason))
        #expect(transport.requests.count == 3)
    }

    @Test("what a relay does not offer is a refusal, asked once")
    func notImplemented() async {
        let transport = FakeTransport { _, _ in .success(HTTPResponse(501, "")) }
        #expect(
            await failure(transport)
                == .refused(status: 501, code: nil, reason: "it gave no reason", fields: [])
        )
        #expect(transport.requests.count == 1)
    }

    @Test("a missing path or a redirect says what to check")
    func wrongAddress() async {
        let missing = FakeTransport { _, _ in .success(HTTPResponse(404, "<html>")) }
        #expect(
            await failure(missing)
                == .badStatus(
                    url: FakeRelay.shown,
                    reason: "it answered with HTTP 404; check the path in its address",
                    isPermanent: true
                )
        )
        #expect(
            await failure(missing)?.description
                == "The relay at \(FakeRelay.shown) gave no usable answer: it answered with HTTP "
                + "404; check the path in its address."
        )
        let moved = FakeTransport { _, _ in
            .success(
                HTTPResponse(308, "", headers: [HTTPHeader("Location", "https://new.example/k")])
            )
        }
        #expect(
            await failure(moved)
                == .badStatus(
                    url: FakeRelay.shown,
                    reason:
                        "it redirects to https://new.example (HTTP 308); use that address instead",
                    isPermanent: true
                )
        )
    }

    @Test("a rate limit is waited out up to the bound")
    func rateLimit() async throws {
        let short = FakeTransport { _, number in
            number == 0
                ? .success(
                    HTTPResponse(429, "", headers: [HTTPHeader("X-RateLimit-Reset", "1700000004")])
                ) : .success(HTTPResponse(200, "[]"))
        }
        #expect(await failure(short) == nil)
        #expect(clock.sleeps == [4000])
        let long = FakeTransport { _, _ in
            .success(
                HTTPResponse(429, "", headers: [HTTPHeader("X-RateLimit-Reset", "1700003600")])
            )
        }
        let error = await failure(long)
        #expect(error == .rateLimited(url: FakeRelay.shown, retryAfter: 3600))
        #expect(
            error?.description
                == "The relay at https://relay.example:8443 limits our requests; try again in 3600 s."
        )
        #expect(long.requests.count == 1)
        let vague = FakeTransport { _, _ in .success(HTTPResponse(429, "")) }
        #expect(await failure(vague) == .rateLimited(url: FakeRelay.shown, retryAfter: nil))
        #expect(vague.requests.count == 3)
    }

    @Test("a refusal brings the relay's reasons, field by field")
    func refusal() async throws {
        let transport = FakeTransport { _, _ in
            .success(
                HTTPResponse(
                    400,
                    """
                    {"code":101,"reason":"Validation failed","validationErrors":[
                    {"field":"maker","code":1002,"reason":"Invalid address"},
                    {"field":"salt","reason":"Required field"},{"code":"1004"},7]}
                    """
                )
            )
        }
        let error = try await postFailure(transport)
        #expect(
            error
                == .refused(
                    status: 400,
                    code: 101,
                    reason: "Validation failed",
                    fields: [
                        .init(field: "maker", code: 1002, reason: "Invalid address"),
                        .init(field: "salt", code: nil, reason: "Required field"),
                        .init(field: "(no field)", code: 1004, reason: "not valid"),
                        .init(field: "(no field)", code: nil, reason: "not valid"),
                    ]
                )
        )
        #expect(
            error?.description
                == """
                The relay refused (HTTP 400): "Validation failed"
                  maker: "Invalid address"
                  salt: "Required field"
                  (no field): not valid
                  (no field): not valid
                """
        )
        #expect(transport.requests.count == 1)
    }

    @Test(
        "a refusal without a known body still says what it is",
        arguments: [
            (400, "", "it gave no reason", nil),
            (400, "<html>", "it gave no reason", nil),
            (422, "[]", "it gave no reason", nil),
            (400, #"{"message":"too small"}"#, "too small", nil),
            (403, #"{"error":"closed","code":"9"}"#, "closed", 9),
            (
                400, #"{"validationErrors":[{"field":"a","code":1,"reason":"b"}]}"#,
                "validation failed", nil
            ),
        ] as [(Int, String, String, Int?)]
    )
    func vagueRefusal(status: Int, body: String, reason: String, code: Int?) async throws {
        let transport = FakeTransport { _, _ in .success(HTTPResponse(status, body)) }
        guard case .refused(status, code, reason, _)? = try await postFailure(transport) else {
            Issue.record("expected a refusal with \(reason)")
            return
        }
    }

    @Test("a flood of reasons is cut")
    func flood() async throws {
        let long = String(repeating: "x", count: 10_000)
        let field = #"{"field":"\#(long)","code":1,"reason":"\#(long)"}"#
        let fields = [String](repeating: field, count: 200).joined(separator: ",")
        let transport = FakeTransport { _, _ in
            .success(
                HTTPResponse(
                    400,
                    #"{"code":1,"reason":"\#(long)","validationErrors":[\#(fields)]}"#
                )
            )
        }
        guard case .refused(_, _, let reason, let kept)? = try await postFailure(transport) else {
            Issue.record("expected a refusal")
            return
        }
        #expect(reason.count == 500)
        #expect(kept.count == 50)
        #expect(kept.allSatisfy { $0.field.count == 500 && $0.reason.count == 500 })
    }

    @Test(
        "a posted order is sent once; where its fate is unclear the error says how to find out",
        arguments: [
            HTTPError.cutOff, .timedOut(milliseconds: 10), .garbled("x"),
        ]
    )
    func unclearPost(error: HTTPError) async throws {
        let transport = FakeTransport { _, _ in .failure(error) }
        let hash = try order().hash.hex
        #expect(
            try await postFailure(transport)
                == .unreachable(
                    url: FakeRelay.shown,
                    reason: "\(error.reason); the order may have been posted all the same; "
                        + "`dex order \(hash)` tells"
                )
        )
        #expect(transport.requests.count == 1)
        let broken = FakeTransport { _, _ in .success(HTTPResponse(502, "")) }
        #expect(
            try await postFailure(broken)
                == .badStatus(
                    url: FakeRelay.shown,
                    reason:
                        "it answered with HTTP 502; the order may have been posted all the same; "
                        + "`dex order \(hash)` tells"
                )
        )
        #expect(broken.requests.count == 1)
    }

    @Test("a posted order that never left says nothing of the kind")
    func neverLeft() async throws {
        let transport = FakeTransport { _, _ in .failure(.noConnection(host: "a:1")) }
        #expect(
            try await postFailure(transport)
                == .unreachable(
                    url: FakeRelay.shown,
                    reason: "nothing accepts connections at a:1"
                )
        )
        #expect(transport.requests.count == 1)
        let limited = FakeTransport { _, _ in
            .success(HTTPResponse(429, "", headers: [HTTPHeader("Retry-After", "1")]))
        }
        #expect(try await postFailure(limited) == .rateLimited(url: FakeRelay.shown, retryAfter: 1))
        #expect(limited.requests.count == 1)
    }

    @Test("a cancelled wait ends the read")
    func cancelledWait() async {
        let transport = FakeTransport { _, _ in .failure(.cutOff) }
        let task = Task { () -> RelayError? in
            withUnsafeCurrentTask { $0?.cancel() }
            return await self.failure(transport)
        }
        #expect(
            await task.value
                == .unreachable(url: FakeRelay.shown, reason: "the request was cancelled")
        )
    }
}
