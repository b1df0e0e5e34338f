import Ethereum
import StrictJSON
import ZeroEx

/// Requests to one relay: retries, and the meaning of error answers.
struct RelayChannel: Sendable {
    let address: RelayAddress
    var transport: any HTTPTransport
    let retry: RetryPolicy
    let clock: NetworkClock

    private enum Outcome {
        case answer(HTTPResponse)
        case failure(RelayError, isRetryable: Bool, wait: UInt64?)
    }

    /// The maximum bytes of an answer without a list page: an order, fees, a refusal.
    private static let maximumBody = 1 << 20

    /// The same relay, with requests that share a budget.
    func within(_ budget: AnswerBudget) -> RelayChannel {
        var channel = self
        channel.transport = BudgetedTransport(wrapped: transport, budget: budget)
        return channel
    }

    /// A request for JSON.
    ///
    /// - Parameter maximumBody: in bytes, decompressed.
    static func get(_ url: String, maximumBody: Int = maximumBody) -> HTTPRequest {
        var request = HTTPRequest(
            .get,
            url: url,
            headers: [HTTPHeader("Accept", "application/json")]
        )
        request.bounds.maximumBody = maximumBody
        return request
    }

    func post(_ path: String, _ json: JSONValue) -> HTTPRequest {
        var request = HTTPRequest.question(to: address.url(path), json: json.utf8)
        request.bounds.maximumBody = Self.maximumBody
        return request
    }

    /// Sends a repeatable request, with retries if they may help.
    ///
    /// - Parameter takes404: HTTP 404 is a valid answer too.
    /// - Returns: an answer of 2xx.
    func read(
        _ request: HTTPRequest,
        takes404: Bool = false
    ) async throws(RelayError) -> HTTPResponse {
        var attempt = 1
        while true {
            switch await send(request, takes404: takes404) {
            case .answer(let response): return response
            case .failure(let error, let isRetryable, let wait):
                guard isRetryable, attempt < retry.tries, (wait ?? 0) <= retry.longestWait else {
                    throw error
                }
                do {
                    try await clock.sleep(wait.map { $0 * 1000 } ?? retry.delay(after: attempt))
                } catch {
                    throw unreachable(.cancelled)
                }
                attempt += 1
            }
        }
    }

    /// Sends a request exactly once.
    ///
    /// - Parameter doubt: added to the message if the request may have been executed anyway.
    func write(_ request: HTTPRequest, doubt: String) async throws(RelayError) {
        var request = request
        request.mayRepeat = false
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await transport.send(request)
        } catch {
            let reason = error.mayHaveArrived ? "\(error.reason); \(doubt)" : error.reason
            throw .unreachable(url: address.shown, reason: reason)
        }
        guard !response.isSuccess else { return }
        guard case .badStatus(let url, let reason, let isPermanent) = failure(of: response) else {
            throw failure(of: response)
        }
        throw .badStatus(
            url: url,
            reason: response.status >= 500 ? "\(reason); \(doubt)" : reason,
            isPermanent: isPermanent
        )
    }

    private func send(_ request: HTTPRequest, takes404: Bool) async -> Outcome {
        do throws(HTTPError) {
            let response = try await transport.send(request)
            if response.isSuccess || takes404 && response.status == 404 {
                return .answer(response)
            }
            return .failure(
                failure(of: response),
                isRetryable: Self.isRetryable(response.status),
                wait: ServerAdvice.wait(in: response, now: clock.now())
            )
        } catch {
            let isRetryable =
                switch error {
                case .noConnection, .unknownHost, .connectTimedOut, .cutOff: true
                default: false
                }
            return .failure(unreachable(error), isRetryable: isRetryable, wait: nil)
        }
    }

    /// 501 means that the relay does not offer a function.
    private static func isRetryable(_ status: Int) -> Bool {
        status != 501 && ServerAdvice.isRetryable(status: status)
    }

    private func unreachable(_ error: HTTPError) -> RelayError {
        switch error {
        case .tooLarge(let bytes): .nonsense("it is larger than \(bytes) bytes")
        case .tooLargeTogether(let bytes):
            .nonsense("with all its pages it is larger than \(bytes) bytes")
        default: .unreachable(url: address.shown, reason: error.reason)
        }
    }

    func failure(of response: HTTPResponse) -> RelayError {
        let status = response.status
        if status == 429 {
            let wait = ServerAdvice.wait(in: response, now: clock.now())
            return .rateLimited(url: address.shown, retryAfter: wait.map { Int(clamping: $0) })
        }
        let refusal = RelayDecoder.refusal(response)
        if (400..<500).contains(status) || status == 501, let refusal { return refusal }
        if status == 400 || status == 422 || status == 501 {
            return .refused(status: status, code: nil, reason: RelayError.noReason, fields: [])
        }
        var reason = ServerAdvice.reason(for: response)
        if case .refused(_, _, let words, _)? = refusal {
            reason += " (\(ForeignWords.quoted(words, limit: 300)))"
        }
        return .badStatus(
            url: address.shown,
            reason: reason,
            isPermanent: !ServerAdvice.isRetryable(status: status)
        )
    }
}
