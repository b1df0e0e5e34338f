package import ZeroEx

/// 0x's Swap API v2 over HTTP.
///
/// Its key travels to no other server: only over TLS or to this machine, and no redirect is
/// followed.
package struct ZeroExSwapClient: LiquiditySource {
    package let rules: any LiquidityRules
    private let base: String
    private let key: SwapKey
    private let transport: any HTTPTransport
    private let retry: RetryPolicy
    private let clock: NetworkClock
    private let pace: RequestPace

    private enum Outcome {
        case answer([UInt8])
        case failure(LiquidityError, isRetryable: Bool, wait: UInt64?)
    }

    /// - Parameter api: the base URL; a client of one that is not safe for the key refuses every
    ///   request.
    package init(
        api: String,
        key: SwapKey,
        rules: any LiquidityRules,
        transport: any HTTPTransport,
        retry: RetryPolicy = RetryPolicy(),
        clock: NetworkClock = .system,
        pace: RequestPace = .swaps
    ) {
        var base = api[...]
        while base.hasSuffix("/") { base.removeLast() }
        self.base = String(base)
        self.key = key
        self.rules = rules
        self.transport = transport
        self.retry = retry
        self.clock = clock
        self.pace = pace
    }

    package func price(_ request: SwapRequest) async throws(LiquidityError) -> SwapPrice {
        let body = try await read(ZeroExSwapWire.path(request, firm: false))
        return try ZeroExSwapWire.price(body, for: request)
    }

    package func quote(_ request: SwapRequest) async throws(LiquidityError) -> SwapQuote {
        let body = try await read(ZeroExSwapWire.path(request, firm: true))
        return try ZeroExSwapWire.quote(body, for: request)
    }

    package func chains() async throws(LiquidityError) -> [UInt64] {
        try ZeroExSwapWire.chains(try await read(ZeroExSwapWire.chainsPath))
    }

    /// The body of an HTTP 200, after retries where they may help.
    private func read(_ path: String) async throws(LiquidityError) -> [UInt8] {
        try checkAddress()
        var request = HTTPRequest(
            .get,
            url: base + path,
            headers: [
                HTTPHeader("Accept", "application/json"),
                HTTPHeader("0x-api-key", key.text),
                HTTPHeader("0x-version", "v2"),
            ]
        )
        request.bounds.maximumBody = ZeroExSwapWire.maximumBody
        var attempt = 1
        while true {
            switch await send(request) {
            case .answer(let body): return body
            case .failure(let error, let isRetryable, let wait):
                guard isRetryable, attempt < retry.tries, (wait ?? 0) <= retry.longestWait else {
                    throw error
                }
                do {
                    // A server that names no wait, or none worth the name, gets our own.
                    try await clock.sleep(max((wait ?? 0) * 1_000, retry.delay(after: attempt)))
                } catch {
                    throw failure(.cancelled)
                }
                attempt += 1
            }
        }
    }

    private func send(_ request: HTTPRequest) async -> Outcome {
        do {
            try await pace.turn(clock)
        } catch {
            return .failure(failure(.cancelled), isRetryable: false, wait: nil)
        }
        do throws(HTTPError) {
            let response = try await transport.send(request)
            if response.status == 200 { return .answer(key.hidden(in: response.body)) }
            let wait = ServerAdvice.wait(in: response, now: clock.now())
            return .failure(
                failure(of: response, wait: wait),
                isRetryable: ZeroExSwapWire.isRetryable(status: response.status),
                wait: wait
            )
        } catch {
            let isRetryable =
                switch error {
                case .noConnection, .unknownHost, .connectTimedOut, .cutOff: true
                default: false
                }
            return .failure(failure(error), isRetryable: isRetryable, wait: nil)
        }
    }

    private func failure(of response: HTTPResponse, wait: UInt64?) -> LiquidityError {
        switch response.status {
        case 429: .rateLimited(url: shown, retryAfter: wait.map { Int(clamping: $0) })
        case 300..<400:
            .unreachable(url: shown, reason: ServerAdvice.reason(for: response))
        default:
            ZeroExSwapWire.failure(
                status: response.status,
                body: key.hidden(in: response.body),
                url: shown
            )
        }
    }

    private func failure(_ error: HTTPError) -> LiquidityError {
        switch error {
        case .tooLarge(let bytes): .nonsense("it is larger than \(bytes) bytes")
        default: .unreachable(url: shown, reason: error.reason)
        }
    }

    /// The part of the address that may be shown.
    private var shown: String { WebAddress.shown(base) }

    /// Refuses an address where the key could be read on its way, or where a path cannot follow.
    private func checkAddress() throws(LiquidityError) {
        // Without libcurl there is no request either: the transport says so.
        guard CurlLibrary.isLoaded else { return }
        guard let address = WebAddress(base), !base.contains(where: { "?#".contains($0) }) else {
            throw .unreachable(
                url: shown,
                reason: "its address is not a plain https URL, such as https://api.0x.org"
            )
        }
        guard address.scheme == "https" || address.isLoopback else {
            throw .unreachable(
                url: shown,
                reason: "its address is not https, and the key would be readable on the way"
            )
        }
    }
}
