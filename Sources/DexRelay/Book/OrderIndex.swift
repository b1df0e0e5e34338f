package import Ethereum
package import ZeroEx

/// The orders of one protocol version: by hash in every state, by pair in book order, and by hash
/// in order, if shown.
///
/// It cannot be copied, so that a change never copies it; its lists can be taken out of `read` and
/// read later.
package struct OrderIndex: ~Copyable, Sendable {
    private struct Held: Sendable {
        var listing: Listing
        var since: UInt64

        /// It is still in the state of which the item tells.
        func isWaiting(_ item: Waiting.Item, _ state: ListingState) -> Bool {
            listing.state == state && since == item.since
        }
    }

    private var held: [OrderHash: Held] = [:]
    private var sides: [PairDirection: Side] = [:]
    private var countsOfMakers: [Address: Int] = [:]
    private var counts: [MarketKey: [ListingState: Int]] = [:]
    /// Dormant and hidden orders, in the order in which they became so.
    private var waiting: [ListingState: Waiting] = [:]
    /// Gone orders in the order of their end.
    private var ended: [(hash: OrderHash, since: UInt64)] = []
    private var firstEnded = 0
    /// The latest time of a change, in seconds since 1970.
    private var latest: UInt64 = 0
    /// Counts the changes since the process started; each value names one content.
    package private(set) var revision: UInt64
    /// The number of the last applied change.
    package private(set) var number: UInt64 = 0
    /// The number of the last change by which an order came into the book.
    package private(set) var newest: UInt64 = 0
    /// The shown orders, by hash.
    package private(set) var shown = SortedListings(.hash)
    private var recent: RecentListings

    private struct Waiting: Sendable {
        typealias Item = (hash: OrderHash, since: UInt64)
        /// Also items of orders that have left the state.
        var items: [Item] = []
        /// Items that may come before those are taken out.
        var left = 1_024
    }

    private struct Side: Sendable {
        var listings: SortedListings
        var revision: UInt64
    }

    package init() {
        revision = 0
        recent = RecentListings(after: 0)
    }

    /// An index of orders that are stored; it keeps `revision` growing.
    init(_ orders: [BookChange], after revision: UInt64) {
        self.revision = revision &+ 1
        recent = RecentListings(after: revision &+ 1)
        held.reserveCapacity(orders.count)
        var listings: [Listing] = []
        for order in orders {
            let listing = order.listing
            held[order.entry.hash] = Held(listing: listing, since: order.since)
            note(order)
            if listing.state == .shown { listings.append(listing) }
            if listing.state.isGone {
                ended.append((order.entry.hash, order.since))
            } else {
                countsOfMakers[order.entry.maker, default: 0] += 1
                counts[order.market, default: [:]][listing.state, default: 0] += 1
                if listing.state != .shown {
                    waiting[listing.state, default: Waiting()].items
                        .append((order.entry.hash, order.since))
                }
            }
        }
        for state in waiting.keys { waiting[state]?.items.sort { $0.since < $1.since } }
        ended.sort { $0.since < $1.since }
        for (direction, listings) in Dictionary(grouping: listings, by: \.entry.direction) {
            sides[direction] = Side(
                listings: SortedListings(.book, listings),
                revision: self.revision
            )
        }
        shown = SortedListings(.hash, listings)
    }

    // MARK: Reading

    /// How many orders are shown, dormant or hidden.
    package var count: Int {
        held.count - (ended.count - firstEnded)
    }

    /// How many orders of a maker are shown, dormant or hidden.
    package func count(of maker: Address) -> Int {
        countsOfMakers[maker] ?? 0
    }

    /// An order in whatever state; nil if it is not known, or ended long ago.
    package func listing(_ hash: OrderHash) -> Listing? {
        held[hash]?.listing
    }

    /// An order of the book.
    package func shown(_ hash: OrderHash) -> Listing? {
        guard let listing = held[hash]?.listing, listing.state == .shown else { return nil }
        return listing
    }

    /// The shown orders that give one token for another, the best for a taker first.
    package func side(_ direction: PairDirection) -> SortedListings {
        sides[direction]?.listings ?? SortedListings(.book)
    }

    /// The revision of a side: it changes with every change of the side.
    package func revision(of direction: PairDirection) -> UInt64 {
        sides[direction]?.revision ?? 0
    }

    /// What changed of the shown orders after a revision of this book; nil if that is too long ago.
    func changes(after revision: UInt64) -> [ArraySlice<ShownChange>]? {
        recent.changes(after: revision)
    }

    /// The pairs of shown, dormant and hidden orders.
    var pairs: Set<PairDirection> { Set(counts.keys.map(\.pair)) }

    /// All orders that are known, whatever their state.
    var all: [Listing] { held.values.map(\.listing) }

    /// The best shown order of a side for a taker.
    package func best(_ direction: PairDirection) -> OrderEntry? {
        sides[direction]?.listings.first?.entry
    }

    /// The shown orders whose prices are farthest from their sides' best, relatively; the farthest
    /// first, at most so many.
    ///
    /// If several are equally far, those of the longest side come first.
    package func worst(_ count: Int) -> [OrderEntry] {
        var tails: [(rest: [OrderEntry], best: OrderEntry, distance: Double, length: Int)] = []
        for side in sides.values {
            let rest = side.listings.last(count).map(\.entry)
            guard let best = side.listings.first?.entry, let last = rest.last else { continue }
            tails.append((rest, best, last.priceRatio(to: best), side.listings.count))
        }
        var worst: [OrderEntry] = []
        while worst.count < count,
            let place = tails.indices.max(by: {
                (tails[$0].distance, tails[$0].length) < (tails[$1].distance, tails[$1].length)
            })
        {
            worst.append(tails[place].rest.removeLast())
            tails[place].length -= 1
            if let next = tails[place].rest.last {
                tails[place].distance = next.priceRatio(to: tails[place].best)
            } else {
                tails.remove(at: place)
            }
        }
        return worst
    }

    /// The orders that have been in a state outside the book for longest, at most so many.
    ///
    /// - Parameter state: dormant or hidden.
    package func longest(_ state: ListingState, _ count: Int) -> [OrderEntry] {
        var found: [OrderEntry] = []
        var seen: Set<OrderHash> = []
        for item in waiting[state]?.items ?? [] where found.count < count {
            guard let order = held[item.hash], order.isWaiting(item, state),
                seen.insert(item.hash).inserted
            else { continue }
            found.append(order.listing.entry)
        }
        return found
    }

    package var statistics: BookStatistics {
        var statistics = BookStatistics()
        statistics.orders = counts
        statistics.number = number
        return statistics
    }

    // MARK: Changing

    /// Applies a committed change.
    ///
    /// - Returns: the order before it; nil if it was not known.
    @discardableResult
    mutating func apply(_ change: BookChange) -> Listing? {
        revision &+= 1
        note(change)
        let hash = change.entry.hash
        let listing = change.listing
        let old = held.updateValue(Held(listing: listing, since: change.since), forKey: hash)
        recent.append(
            ShownChange(
                before: old.map(\.listing).flatMap { $0.state == .shown ? $0 : nil },
                after: listing.state == .shown ? listing : nil
            )
        )
        if let old, old.listing.state == .shown, listing.state == .shown {
            // The same order has the same place.
            changeSide(listing.entry.direction) { $0.update(listing) }
            shown.update(listing)
            return old.listing
        }
        if let old { withdraw(old, market: change.market) }
        if listing.state == .dormant || listing.state == .hidden { wait(listing, change.since) }
        if listing.state.isGone {
            ended.append((hash, change.since))
        } else {
            countsOfMakers[listing.entry.maker, default: 0] += 1
            counts[change.market, default: [:]][listing.state, default: 0] += 1
        }
        if listing.state == .shown {
            changeSide(listing.entry.direction) { $0.insert(listing) }
            shown.insert(listing)
        }
        forget()
        return old?.listing
    }

    private mutating func wait(_ listing: Listing, _ since: UInt64) {
        let state = listing.state
        var queue = waiting[state] ?? Waiting()
        waiting[state] = nil
        queue.items.append((listing.entry.hash, since))
        // Orders that left the state leave their items behind.
        queue.left -= 1
        if queue.left <= 0 {
            let held = held
            queue.items = queue.items.filter { held[$0.hash]?.isWaiting($0, state) == true }
            queue.left = queue.items.count + 1_024
        }
        waiting[state] = queue
    }

    /// Notes a change of another protocol version.
    mutating func pass(_ number: UInt64) {
        self.number = max(self.number, number)
    }

    private mutating func note(_ change: BookChange) {
        number = max(number, change.number)
        latest = max(latest, change.since)
        if change.state == .shown, change.previous != .shown {
            newest = max(newest, change.number)
        }
    }

    private mutating func withdraw(_ old: Held, market: MarketKey) {
        let (entry, state) = (old.listing.entry, old.listing.state)
        guard !state.isGone else {
            if let index = ended.lastIndex(where: { $0.hash == entry.hash }) {
                ended.remove(at: index)
            }
            return
        }
        let left = count(of: entry.maker) - 1
        countsOfMakers[entry.maker] = left > 0 ? left : nil
        let rest = (counts[market]?[state] ?? 0) - 1
        counts[market]?[state] = rest > 0 ? rest : nil
        if counts[market]?.isEmpty == true { counts[market] = nil }
        if state == .shown {
            changeSide(entry.direction) { $0.remove(old.listing) }
            shown.remove(old.listing)
        }
    }

    private mutating func changeSide(
        _ direction: PairDirection,
        _ change: (inout SortedListings) -> Void
    ) {
        let none = Side(listings: SortedListings(.book), revision: 0)
        change(&sides[direction, default: none].listings)
        sides[direction]?.revision = revision
        if sides[direction]?.listings.count == 0 { sides[direction] = nil }
    }

    /// Forgets orders that ended so long ago that no reorganization brings them back.
    private mutating func forget() {
        while firstEnded < ended.count {
            let (hash, since) = ended[firstEnded]
            guard latest > since, latest - since > OrderLedger.secondsKept else { break }
            held[hash] = nil
            firstEnded += 1
        }
        if firstEnded > 1_024, firstEnded > ended.count / 2 {
            ended.removeFirst(firstEnded)
            firstEnded = 0
        }
    }
}
