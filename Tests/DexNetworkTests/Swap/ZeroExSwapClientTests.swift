import DexTestSupport
import Ethereum
import NetworkTestSupport
import Synchronization
import Testing
import ZeroEx

@testable import DexNetwork

@Suite("The client of 0x's Swap API")
struct ZeroExSwapClientTests {
    private let clock = FakeClock()

    private static let chains = #"{"chains":[{"chainId":1,"chainName":"Ethereum"}]}"#
    private static let request = SwapRequest(
        chainID: 1,
        sell: .native,
        buy: .token(Address(truncating: UInt256(7).word)),
        amount: .exactIn(1_000),
        taker: Address(truncating: UInt256(8).word),
        slippage: 10_000
    )

    /// Why the chains could not be read; nil if they could.
    private func failure(
        _ transport: any HTTPTransport,
        api: String = FakeSwap.api
    ) async throws -> LiquidityError? {
        let client = try FakeSwap.client(transport, api: api, clock: clock)
        do throws(LiquidityError) {
            _ = try await client.chains()
            return nil
        } catch {
            return error
        }
    }

    private func answering(
        _ status: Int,
        _ body: String = "",
        headers: [HTTPHeader] = []
    ) -> FakeTransport {
        FakeTransport { _, _ in .success(HTTPResponse(status, body, headers: headers)) }
    }

    // MARK: Requests

    @Test("each request is a GET below the base address with the key and the version")
    func headers() async throws {
        let transport = FakeTransport { request, _ in
            request.url.hasSuffix("/swap/chains")
                ? .success(HTTPResponse(200, Self.chains))
                : .success(HTTPResponse(200, #"{"liquidityAvailable":false}"#))
        }
        for api in [FakeSwap.api, FakeSwap.api + "/", FakeSwap.api + "//"] {
            let client = try FakeSwap.client(transport, api: api, clock: clock)
            #expect(try await client.chains() == [1])
            await #expect(throws: LiquidityError.noLiquidity) {
                try await client.price(Self.request)
            }
            await #expect(throws: LiquidityError.noLiquidity) {
                try await client.quote(Self.request)
            }
        }
        let paths = [
            "/swap/chains", ZeroExSwapWire.path(Self.request, firm: false),
            ZeroExSwapWire.path(Self.request, firm: true),
        ]
        #expect(
            transport.requests.map(\.url) == (paths + paths + paths).map { FakeSwap.api + $0 }
        )
        #expect(paths[1] != paths[2])
        for request in transport.requests {
            #expect(request.method == .get && request.body.isEmpty)
            #expect(
                request.headers == [
                    HTTPHeader("Accept", "application/json"),
                    HTTPHeader("0x-api-key", FakeSwap.key), HTTPHeader("0x-version", "v2"),
                ]
            )
            #expect(request.bounds.maximumBody == ZeroExSwapWire.maximumBody)
        }
        #expect(clock.sleeps.isEmpty)
    }

    @Test("a price is read from the answer")
    func price() async throws {
        let body = """
            {"liquidityAvailable":true,"sellToken":"0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
            "buyToken":"0x0000000000000000000000000000000000000007","sellAmount":"1000",
            "buyAmount":"2000","minBuyAmount":"1980"}
            """
        let client = try FakeSwap.client(answering(200, body), clock: clock)
        let price = try await client.price(Self.request)
        #expect(price.sold == 1_000 && price.bought == 2_000 && price.minimumBought == 1_980)
    }

    @Test(
        "an address where the key could be read gets no request",
        arguments: [
            "http://swap.example", "http://127.0.0.1.example", "http://10.0.0.1:80",
            "https://swap.example?x=", "https://swap.example#x", "ftp://127.0.0.1", "swap.example",
            "",
        ]
    )
    func unsafe(api: String) async throws {
        let transport = answering(200, Self.chains)
        guard case .unreachable(_, let reason)? = try await failure(transport, api: api) else {
            Issue.record("\(api) was taken")
            return
        }
        #expect(reason.contains("https"))
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "this machine needs no TLS",
        arguments: ["http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1"]
    )
    func loopback(api: String) async throws {
        #expect(try await failure(answering(200, Self.chains), api: api) == nil)
    }

    // MARK: Retries

    @Test(
        "what may pass is tried three times, with growing pauses",
        arguments: [
            408, 425, 500, 502, 503, 504, 519, 527, 599,
        ]
    )
    func retried(status: Int) async throws {
        let transport = answering(status)
        guard case .unreachable(FakeSwap.shown, _)? = try await failure(transport) else {
            Issue.record("HTTP \(status) was taken")
            return
        }
        #expect(transport.requests.count == 3)
        #expect(clock.sleeps == [200, 400])
    }

    @Test(
        "what will not pass is asked once",
        arguments: [
            201, 204, 300, 400, 401, 403, 404, 409, 422, 451, 520, 521, 523, 526,
        ]
    )
    func notRetried(status: Int) async throws {
        let transport = answering(status)
        #expect(try await failure(transport) != nil)
        #expect(transport.requests.count == 1)
        #expect(clock.sleeps.isEmpty)
    }

    @Test("a second attempt that succeeds is the answer")
    func recovers() async throws {
        let transport = FakeTransport { _, number in
            switch number {
            case 0: .failure(.cutOff)
            case 1: .success(HTTPResponse(503, ""))
            default: .success(HTTPResponse(200, Self.chains))
            }
        }
        #expect(try await failure(transport) == nil)
        #expect(transport.requests.count == 3)
        #expect(Set(transport.requests).count == 1)
    }

    @Test("Retry-After is waited out up to the bound, and told beyond it")
    func retryAfter() async throws {
        let short = FakeTransport { _, number in
            number == 0
                ? .success(HTTPResponse(429, "", headers: [HTTPHeader("Retry-After", "4")]))
                : .success(HTTPResponse(200, Self.chains))
        }
        #expect(try await failure(short) == nil)
        #expect(clock.sleeps == [4_000])
        let long = answering(429, headers: [HTTPHeader("Retry-After", "11")])
        #expect(try await failure(long) == .rateLimited(url: FakeSwap.shown, retryAfter: 11))
        #expect(long.requests.count == 1)
        let busy = answering(503, headers: [HTTPHeader("Retry-After", "3600")])
        #expect(
            try await failure(busy) == .unreachable(url: FakeSwap.shown, reason: "HTTP 503")
        )
        #expect(busy.requests.count == 1)
    }

    @Test("a server that names no wait, or none worth the name, gets our own")
    func ownPause() async throws {
        let hasty = answering(429, headers: [HTTPHeader("Retry-After", "0")])
        #expect(try await failure(hasty) == .rateLimited(url: FakeSwap.shown, retryAfter: 0))
        #expect(hasty.requests.count == 3)
        let vague = answering(429, "{}")
        #expect(try await failure(vague) == .rateLimited(url: FakeSwap.shown, retryAfter: nil))
        #expect(clock.sleeps == [200, 400, 200, 400])
    }

    @Test("attempts keep the pace too, and so do clients that share it")
    func pace() async throws {
        let pace = RequestPace(PaceRule(maximum: 4, milliseconds: 1_000))
        let transport = answering(503)
        for _ in 0..<2 {
            let client = try FakeSwap.client(transport, clock: clock, pace: pace)
            await #expect(throws: LiquidityError.self) { try await client.chains() }
        }
        #expect(transport.requests.count == 6)
        #expect(clock.sleeps == [200, 400, 200, 1_000, 400, 1_000])
    }

    // MARK: Failures

    @Test("a connection that cannot be made is tried again, a time-out is not")
    func connections() async throws {
        for error in [
            HTTPError.cutOff, .noConnection(host: "h"), .unknownHost("h"),
            .connectTimedOut(host: "h", milliseconds: 1),
        ] {
            let transport = FakeTransport { _, _ in .failure(error) }
            #expect(
                try await failure(transport)
                    == .unreachable(url: FakeSwap.shown, reason: error.reason)
            )
            #expect(transport.requests.count == 3, "\(error)")
        }
        for error in [
            HTTPError.timedOut(milliseconds: 1), .stalled(seconds: 1), .untrusted("x"),
            .garbled("x"), .cancelled, .other("x"),
        ] {
            let transport = FakeTransport { _, _ in .failure(error) }
            #expect(
                try await failure(transport)
                    == .unreachable(url: FakeSwap.shown, reason: error.reason)
            )
            #expect(transport.requests.count == 1, "\(error)")
        }
        let large = FakeTransport { _, _ in .failure(.tooLarge(bytes: 1_000)) }
        #expect(try await failure(large) == .nonsense("it is larger than 1000 bytes"))
    }

    @Test("the key, the region and a refusal are told apart")
    func statuses() async throws {
        #expect(try await failure(answering(401)) == .badKey(url: FakeSwap.shown))
        #expect(try await failure(answering(451)) == .regionBlocked(url: FakeSwap.shown))
        let body = #"{"name":"TOKEN_NOT_SUPPORTED","message":"not this one"}"#
        #expect(
            try await failure(answering(400, body))
                == .refused(
                    status: 400,
                    name: "TOKEN_NOT_SUPPORTED",
                    reason: "not this one",
                    fields: []
                )
        )
    }

    @Test(
        "an answer of another type is nonsense",
        arguments: [
            "", "null", "7", "[1]", "{}", #"{"chains":7}"#, #"{"chains":[{"chainId":-1}]}"#,
            #"{"chains":[{"chainId":1.5}]}"#, "<html>", #"{"chains":[]"#,
        ]
    )
    func wrongTypes(body: String) async throws {
        let transport = answering(200, body)
        guard case .nonsense? = try await failure(transport) else {
            Issue.record("\(body) was taken")
            return
        }
        #expect(transport.requests.count == 1)
    }

    @Test("a cancelled wait ends the read", arguments: [0, 1])
    func cancelled(free: Int) async throws {
        let pace = RequestPace(PaceRule(maximum: 1, milliseconds: 1_000))
        let transport = answering(503)
        let client = try FakeSwap.client(transport, clock: clock, pace: pace)
        if free == 0 { try await pace.turn(clock.clock) }
        let task = Task { () -> LiquidityError? in
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(LiquidityError) {
                _ = try await client.chains()
                return nil
            } catch {
                return error
            }
        }
        #expect(
            await task.value
                == .unreachable(url: FakeSwap.shown, reason: HTTPError.cancelled.reason)
        )
        #expect(transport.requests.count == free)
    }

    // MARK: The key

    @Test("over a real connection the key reaches the server, and no redirect takes it on")
    func redirect() async throws {
        let seen = Mutex<[String?]>([])
        let other = try ScriptedServer.answering { request in
            seen.withLock { $0.append(request.header("0x-api-key")) }
            return ScriptedAnswer(body: Self.chains)
        }
        let elsewhere = "Location: \(other.url)/swap/chains"
        let first = try ScriptedServer.answering { request in
            seen.withLock { $0.append(request.header("0x-api-key")) }
            return ScriptedAnswer("302 Found", headers: [elsewhere])
        }
        let error = try await failure(CurlTransport(options: .patient()), api: first.url)
        #expect(
            error
                == .unreachable(
                    url: first.url,
                    reason: "it redirects to \(other.url) (HTTP 302); use that address instead"
                )
        )
        #expect(seen.withLock { $0 } == [FakeSwap.key])
        #expect(other.accepted == 0)
    }

    @Test("no error and no description has the key, not even where a server sends it back")
    func secret() async throws {
        let client = try FakeSwap.client(answering(200), clock: clock)
        var texts = ["\(client)", String(reflecting: client)]
        var dumped = ""
        dump(client, to: &dumped)
        texts.append(dumped)
        for status in [200, 301, 401, 408, 429, 451, 500, 520] {
            texts.append("\(String(describing: try await failure(answering(status))))")
        }
        for error in [HTTPError.malformedURL, .cutOff, .timedOut(milliseconds: 1)] {
            let transport = FakeTransport { _, _ in .failure(error) }
            texts.append("\(String(describing: try await failure(transport)))")
        }
        let echo = #"{"name":"\#(FakeSwap.key)","message":"no key \#(FakeSwap.key)","data":"#
        for status in [200, 400, 403, 500] {
            let body = echo + #"{"details":[{"field":"x","reason":"\#(FakeSwap.key)"}]}}"#
            texts.append("\(String(describing: try await failure(answering(status, body))))")
        }
        #expect(texts.contains { $0.contains("no key ***") })
        for text in texts { #expect(!text.contains(FakeSwap.key), "\(text)") }
    }
}
