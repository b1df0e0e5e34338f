import Ethereum

/// The reason why a request to a node failed as a whole.
struct NodeFailure: Error, Sendable {
    let error: ChainError
    /// The same request may succeed later at the same node.
    var isRetryable = false
    /// Another node is more promising than this one: there was no answer at all.
    var isConnectionFailure = false
    /// Seconds that the node asked us to wait.
    var wait: UInt64?
    /// The request may have been executed anyway.
    var mayHaveArrived = true
    /// A smaller request may succeed.
    var isTooLarge = false

    init(_ failure: HTTPError, url: String) {
        error =
            if case .tooLargeTogether(let bytes) = failure {
                .nonsense("with all its parts it is larger than \(bytes) bytes")
            } else {
                .unreachable(url: WebAddress.shown(url), reason: failure.reason)
            }
        mayHaveArrived = failure.mayHaveArrived
        switch failure {
        case .noConnection, .unknownHost, .connectTimedOut, .cutOff:
            isRetryable = true
            isConnectionFailure = true
        // After such a long wait there is no retry at this node.
        case .timedOut, .stalled: isConnectionFailure = true
        case .tooLarge: isTooLarge = true
        // Smaller requests would have the same total.
        case .tooLargeTogether, .tooSlowTogether: break
        case .malformedURL, .noLibrary, .untrusted, .refusedByProxy, .garbled, .cancelled, .other:
            break
        }
    }

    /// An HTTP answer without JSON-RPC, or with an error of the server itself.
    ///
    /// - Parameter words: of that error.
    init(_ response: HTTPResponse, url: String, now: UInt64, words: String? = nil) {
        let url = WebAddress.shown(url)
        wait = ServerAdvice.wait(in: response, now: now)
        isRetryable = ServerAdvice.isRetryable(status: response.status)
        isTooLarge = response.status == 413
        if response.status == 429 {
            error = .rateLimited(url: url, retryAfter: wait.map { Int(clamping: $0) })
        } else {
            error = .badStatus(
                url: url,
                reason: [ServerAdvice.reason(for: response), words].compactMap(\.self)
                    .joined(separator: ": "),
                isPermanent: !isRetryable
            )
        }
    }

    /// An answer that is unusable or refuses everything.
    init(_ error: ChainError, isRetryable: Bool = false, isTooLarge: Bool = false) {
        self.error = error
        self.isRetryable = isRetryable
        self.isTooLarge = isTooLarge
    }
}
