import Synchronization

/// Limits how often each address does something, such as posting orders: a `TokenBucket` for each.
///
/// `ClientNetwork` says what counts as one address.
final class ClientBuckets: Sendable {
    private struct State {
        var buckets: [Key: TokenBucket] = [:]
        /// Full ones were last removed at this time.
        var sweptAt: UInt64 = 0

        /// The key has a bucket, or there is room for one; full buckets make room once a second.
        mutating func hasRoom(for key: Key, at now: UInt64, rate: Int, burst: Int) -> Bool {
            if buckets[key] != nil || buckets.count < ClientBuckets.maximum { return true }
            guard sweptAt != now else { return false }
            sweptAt = now
            buckets = buckets.filter { _, bucket in
                var bucket = bucket
                return !bucket.isFull(burst, rate: rate, at: now)
            }
            return buckets.count < ClientBuckets.maximum
        }
    }

    private enum Key: Hashable {
        case client(ClientNetwork)
        /// All that there is no room for.
        case others
    }

    /// The most addresses with a bucket of their own; the others share one, which bounds memory.
    static let maximum = 65_536

    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// - Parameter now: seconds since 1970.
    init(now: @escaping @Sendable () -> UInt64) {
        self.now = now
    }

    /// Takes tokens of a client.
    ///
    /// - Returns: nil if there were enough, else the seconds until there are; then none was taken.
    func take(_ count: Int, client: String, perSecond: Int, burst: Int) -> Int? {
        let now = now()
        let key = Key.client(ClientNetwork(client))
        return state.withLock { state in
            let hasRoom = state.hasRoom(for: key, at: now, rate: perSecond, burst: burst)
            let key = hasRoom ? key : .others
            return state.buckets[key, default: TokenBucket(burst: burst, at: now)]
                .take(count, rate: perSecond, burst: burst, at: now)
        }
    }
}
