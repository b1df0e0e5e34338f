package import ZeroEx

/// A committed change with the order ready to use; what the parts of a relay in memory apply.
package struct BookChange: Sendable {
    /// See `OrderChange`.
    package let number: UInt64
    /// 0 for an order of `reset`.
    package let pairSequence: UInt64
    package let version: ProtocolVersion
    package let entry: OrderEntry
    package let state: ListingState
    package let standing: OrderStanding
    /// Seconds since 1970.
    package let since: UInt64
    /// nil if the order is new.
    package let previous: ListingState?
    /// See `ListedOrder`.
    package var wasHidden = false

    package var market: MarketKey {
        MarketKey(version: version, pair: entry.direction)
    }

    var listing: Listing {
        Listing(entry: entry, state: state, standing: standing)
    }
}

/// A part of a relay that follows its orders: the book, the watcher's index, the feed.
///
/// Each change comes once, in the order of the numbers; a call must be short and must not wait.
package protocol BookFollower: Sendable {
    /// Everything that is stored, before the first change: at the start, and again if changes were
    /// missed. It replaces what was known.
    func reset(to orders: [BookChange], sequences: [MarketKey: UInt64])

    func apply(_ changes: [BookChange])
}
