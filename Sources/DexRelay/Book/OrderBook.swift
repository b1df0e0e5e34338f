import Synchronization
package import ZeroEx

/// The orders of one protocol version in memory, as the ledger's changes make them.
package final class OrderBook: BookFollower {
    let version: ProtocolVersion
    private let index = Mutex(OrderIndex())
    /// Gets each change at the moment of the index: whoever reads the index sees both alike.
    private let feed: FeedHub?

    package init(_ version: ProtocolVersion, feed: FeedHub? = nil) {
        self.version = version
        self.feed = feed
    }

    /// Reads the orders of one moment; the body must be short and must not wait.
    ///
    /// What takes longer is done with a list that the body returns.
    package func read<Result: Sendable>(_ body: (borrowing OrderIndex) -> Result) -> Result {
        index.withLock { body($0) }
    }

    package var statistics: BookStatistics {
        read { $0.statistics }
    }

    package func reset(to orders: [BookChange], sequences: [MarketKey: UInt64]) {
        // Built beside the old one, which is read meanwhile; the ledger alone changes it.
        let own = orders.filter { $0.version == version }
        let (shown, revision) = read { ($0.shown, $0.revision) }
        let missed = feed?.isLoaded(version) == true ? missed(shown, own, sequences) : []
        var fresh: OrderIndex? = OrderIndex(own, after: revision)
        index.withLock { index in
            guard let built = fresh.take() else { return }
            index = built
            feed?.reset(version, missed, sequences: sequences)
        }
    }

    /// What subscribers would have seen between what is shown and what a store holds.
    private func missed(
        _ shown: SortedListings,
        _ stored: [BookChange],
        _ sequences: [MarketKey: UInt64]
    ) -> [FeedChange] {
        func change(
            _ entry: OrderEntry,
            _ state: ListingState,
            _ standing: OrderStanding,
            from before: Listing?
        ) -> FeedChange {
            let market = MarketKey(version: version, pair: entry.direction)
            let change = BookChange(
                number: 0,
                pairSequence: sequences[market] ?? 0,
                version: version,
                entry: entry,
                state: state,
                standing: standing,
                since: 0,
                previous: before?.state
            )
            return FeedChange(change, from: before)
        }
        let states = Dictionary(stored.map { ($0.entry.hash, $0.state) }) { _, last in last }
        var missed: [FeedChange] = []
        for before in shown.all {
            let state = states[before.entry.hash] ?? .removed
            guard state != .shown else { continue }
            missed.append(change(before.entry, state, before.standing, from: before))
        }
        for order in stored where order.state == .shown {
            let before = shown.listing(of: order.entry)
            missed.append(change(order.entry, .shown, order.standing, from: before))
        }
        return missed
    }

    package func apply(_ changes: [BookChange]) {
        index.withLock { index in
            var applied: [FeedChange] = []
            for change in changes {
                if change.version == version {
                    let before = index.apply(change)
                    if feed != nil { applied.append(FeedChange(change, from: before)) }
                } else {
                    index.pass(change.number)
                }
            }
            feed?.apply(applied)
        }
    }
}
