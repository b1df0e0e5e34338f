/// Durations in buckets, in seconds.
package struct Histogram: Hashable, Sendable {
    /// The upper bounds of the buckets, in seconds.
    package static let bounds = [
        0.000_1, 0.000_5, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// A count for each bound, and one for what is above all.
    package private(set) var counts = [UInt64](repeating: 0, count: Histogram.bounds.count + 1)
    package private(set) var sum = 0.0

    package var count: UInt64 { counts.reduce(0, &+) }

    package mutating func add(seconds: Double) {
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }
}

/// What a store did since it was opened.
package struct StoreStatistics: Hashable, Sendable {
    package var commits = Histogram()
    package var reads = Histogram()
    package var failures: UInt64 = 0
    /// false while the store does not answer.
    package var isReachable = true
}

/// What the order watcher did since the start.
package struct WatcherStatistics: Hashable, Sendable {
    /// This instance watches the chain; another one may instead.
    package var isWatching = false
    /// The latest block that was followed; nil before the first.
    package var followed: UInt64?
    /// The latest block that the node named.
    package var latest: UInt64?
    /// The time of the followed block, in seconds since 1970.
    package var followedTime: UInt64?
    package var nodeRequests: UInt64 = 0
    package var nodeFailures: UInt64 = 0
    package var audits: UInt64 = 0
    package var reorganizations: UInt64 = 0
    package var deepestReorganization = 0
    /// Of the last block: requests to the node, and orders that its logs touched.
    package var lastBlockRequests = 0
    package var lastBlockTouched = 0
}

/// What came in since the start.
package struct IntakeStatistics: Hashable, Sendable {
    /// Posted orders by outcome: `added`, `known`, or the stable name of a refusal.
    package var posts: [String: UInt64] = [:]
    /// Orders that wait for their checks now.
    package var waiting = 0
    /// From the arrival of a post to its answer.
    package var times = Histogram()
}

/// What the feed did since the start.
package struct FeedStatistics: Hashable, Sendable {
    package var connections = 0
    package var subscriptions = 0
    package var messages: UInt64 = 0
    package var bytes: UInt64 = 0
    /// Connections that the relay closed, by close code.
    package var closed: [UInt16: UInt64] = [:]
}

/// What the relay holds now.
package struct BookStatistics: Hashable, Sendable {
    package var orders: [MarketKey: [ListingState: Int]] = [:]
    /// The number of the last applied change.
    package var number: UInt64 = 0
}
