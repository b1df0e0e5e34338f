import Synchronization

/// Limits how many orders each address posts: so many a second on average, and a burst.
///
/// `ClientNetwork` says what counts as one address.
final class PostBuckets: Sendable {
    fileprivate struct Bucket {
        var tokens: Int
        /// In seconds since 1970.
        var filledAt: UInt64
    }

    fileprivate struct State {
        var buckets: [Key: Bucket] = [:]
        /// Full ones were last removed at this time.
        var sweptAt: UInt64 = 0
    }

    fileprivate enum Key: Hashable {
        case client(ClientNetwork)
        /// All that there is no room for.
        case others
    }

    /// The most addresses with a bucket of their own; the others share one, which bounds memory.
    static let most = 65_536

    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// - Parameter now: seconds since 1970.
    init(now: @escaping @Sendable () -> UInt64) {
        self.now = now
    }

    /// Takes tokens for posted orders.
    ///
    /// - Returns: nil if there were enough, else the seconds until there are; then none was taken.
    func take(_ count: Int, client: String, perSecond: Int, burst: Int) -> Int? {
        let rate = max(1, perSecond)
        let now = now()
        let key = Key.client(ClientNetwork(client))
        return state.withLock { state in
            let key = state.hasRoom(for: key, at: now, rate: rate, burst: burst) ? key : .others
            var bucket = state.buckets[key] ?? Bucket(tokens: burst, filledAt: now)
            bucket.fill(to: burst, rate: rate, at: now)
            // More than a burst can never be there at once: a full bucket then pays with debt.
            guard bucket.tokens >= min(count, burst) else {
                state.buckets[key] = bucket
                return (min(count, burst) - bucket.tokens + rate - 1) / rate
            }
            bucket.tokens -= count
            state.buckets[key] = bucket
            return nil
        }
    }
}

extension PostBuckets.State {
    /// The key has a bucket, or there is room for one; full buckets make room once a second.
    fileprivate mutating func hasRoom(
        for key: PostBuckets.Key,
        at now: UInt64,
        rate: Int,
        burst: Int
    ) -> Bool {
        if buckets[key] != nil || buckets.count < PostBuckets.most { return true }
        guard sweptAt != now else { return false }
        sweptAt = now
        buckets = buckets.filter { _, bucket in
            var bucket = bucket
            bucket.fill(to: burst, rate: rate, at: now)
            return bucket.tokens < burst
        }
        return buckets.count < PostBuckets.most
    }
}

extension PostBuckets.Bucket {
    fileprivate mutating func fill(to burst: Int, rate: Int, at now: UInt64) {
        // A clock that was set back gives nothing.
        let seconds = now > filledAt ? Int(clamping: now - filledAt) : 0
        let (gained, overflow) = seconds.multipliedReportingOverflow(by: rate)
        let (sum, above) = tokens.addingReportingOverflow(gained)
        tokens = overflow || above ? burst : min(burst, sum)
        filledAt = now
    }
}
