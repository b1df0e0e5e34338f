import Synchronization

/// Counts each client's requests in windows of one hour.
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
        var counts: [String: Int] = [:]
    }

    private static let windowSeconds: UInt64 = 3600
    /// The maximum number of separate clients; all others share one count, which bounds memory.
    private static let maximumClients = 10_000

    private let limit: Int
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    init(limit: Int, now: @escaping @Sendable () -> UInt64) {
        self.limit = limit
        self.now = now
    }

    /// Counts one request.
    func count(_ client: String) -> Standing {
        let window = now() / Self.windowSeconds
        let used = state.withLock { state in
            if state.window != window { state = State(window: window) }
            let isKnown = state.counts[client] != nil || state.counts.count < Self.maximumClients
            let key = isKnown ? client : ""
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
