import Synchronization

/// Counts each client's requests in windows of one hour; see `ClientNetwork`.
final class RateLimiter: Sendable {
    /// The values of the X-RateLimit headers.
    struct Standing: Hashable {
        let limit: Int
        let remaining: Int
        /// The start of the next count, in seconds since 1970.
        let reset: UInt64
        let isExceeded: Bool
    }

    private struct State {
        var window: UInt64 = 0
        var counts: [ClientNetwork?: Int] = [:]
    }

    private static let windowSeconds: UInt64 = 3600
    /// The maximum number of separate clients; all others share one count, which bounds memory.
    private static let maximumClients = 10_000

    private let limit: @Sendable () -> Int?
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: of now; nil counts nothing.
    ///   - now: seconds since 1970.
    init(limit: @escaping @Sendable () -> Int?, now: @escaping @Sendable () -> UInt64) {
        self.limit = limit
        self.now = now
    }

    /// Counts one request; nil without a limit.
    func count(_ client: String) -> Standing? {
        guard let limit = limit() else { return nil }
        let client = ClientNetwork(client)
        let window = now() / Self.windowSeconds
        let used = state.withLock { state in
            if state.window != window { state = State(window: window) }
            let isKnown = state.counts[client] != nil || state.counts.count < Self.maximumClients
            let key = isKnown ? client : nil
            let used = state.counts[key, default: 0] + 1
            state.counts[key] = used
            return used
        }
        return Standing(
            limit: limit,
            remaining: max(0, limit - used),
            reset: (window + 1) * Self.windowSeconds,
            isExceeded: used > limit
        )
    }
}
