import NIOCore
import ZeroEx

/// The orders of a stream with what its subscribers have still to hear, and have lately heard.
struct FeedStream: Sendable {
    let key: FeedStreamKey
    private(set) var sides: [PairDirection: SortedListings] = [:]
    /// Events of the next flush.
    private(set) var pending: [FeedEvent] = []
    /// The sequence of the last flushed event, or of the state that was loaded.
    private(set) var last: UInt64
    /// The latest events.
    private(set) var ring: [FeedEvent] = []
    /// `ring` has all events after this sequence.
    private var ringStart: UInt64
    /// When the pending events are to go out at the latest; nil if there are none.
    var due: NIODeadline?
    var lastFlush: NIODeadline?
    /// Counts changes of the sides, so that a kept snapshot knows its age.
    private(set) var version: UInt64 = 0
    var snapshot: FeedSnapshot?

    /// The maximum number of kept events; a reader that missed more gets a snapshot.
    static let mostKept = 1_024

    /// - Parameter sequence: the pair's, as of which nothing is known yet.
    init(_ key: FeedStreamKey, sequence: UInt64) {
        self.key = key
        last = sequence
        ringStart = sequence
    }

    /// A stream as it is loaded, without a message about it.
    ///
    /// - Parameter orders: of this stream, in any state.
    init(_ key: FeedStreamKey, orders: [BookChange], sequence: UInt64) {
        self.init(key, sequence: sequence)
        fill(orders)
    }

    /// Applies a change.
    ///
    /// - Returns: how much the ring has grown, 0 if subscribers see nothing.
    mutating func apply(_ change: BookChange) -> Int {
        let direction = change.entry.direction
        var side = sides.removeValue(forKey: direction) ?? SortedListings(.book)
        let before = change.previous == nil ? nil : side.listing(of: change.entry)
        switch (before, change.state) {
        case (nil, .shown): side.insert(change.listing)
        case (_, .shown): side.update(change.listing)
        case (nil, _): break
        default: side.remove(change.entry)
        }
        if side.count > 0 { sides[direction] = side }
        guard let event = FeedEvent(change, from: before) else { return 0 }
        version += 1
        pending.append(event)
        ring.append(event)
        guard ring.count > 2 * Self.mostKept else { return 1 }
        return 1 - forget(ring.count - Self.mostKept)
    }

    /// Replaces all orders by what a store holds; the difference becomes pending.
    ///
    /// - Parameters:
    ///   - orders: of this stream, in any state.
    ///   - sequence: the pair's.
    mutating func reset(to orders: [BookChange], sequence: UInt64) {
        let stored = Dictionary(orders.map { ($0.entry.hash, $0.state) }) { _, last in last }
        for listing in sides.values.flatMap(\.all) {
            let state = stored[listing.entry.hash] ?? .removed
            guard state != .shown else { continue }
            note(listing.entry, state, listing.standing, from: listing, sequence)
        }
        for order in orders where order.state == .shown {
            let listing = sides[order.entry.direction]?.listing(of: order.entry)
            note(order.entry, .shown, order.standing, from: listing, sequence)
        }
        fill(orders)
        ring = []
        ringStart = sequence
        if pending.isEmpty { last = sequence }
    }

    private mutating func fill(_ orders: [BookChange]) {
        sides = Dictionary(
            grouping: orders.filter { $0.state == .shown },
            by: \.entry.direction
        )
        .mapValues { SortedListings(.book, $0.map(\.listing)) }
        version += 1
    }

    private mutating func note(
        _ entry: OrderEntry,
        _ state: ListingState,
        _ standing: OrderStanding,
        from listing: Listing?,
        _ sequence: UInt64
    ) {
        let change = BookChange(
            number: 0,
            pairSequence: sequence,
            version: key.market.version,
            entry: entry,
            state: state,
            standing: standing,
            since: 0,
            previous: listing?.state
        )
        if let event = FeedEvent(change, from: listing) { pending.append(event) }
    }

    /// The events of a flush, with the sequence before them.
    mutating func takePending() -> (events: [FeedEvent], previous: UInt64) {
        let taken = (pending, last)
        if let event = pending.last { last = event.sequence }
        pending = []
        due = nil
        return taken
    }

    /// The flushed events after a sequence; nil if they are not kept any more.
    ///
    /// - Parameter reached: the pair's sequence, which a reader cannot be ahead of.
    func events(after sequence: UInt64, reached: UInt64) -> [FeedEvent]? {
        guard ringStart <= sequence, sequence <= max(reached, last) else { return nil }
        return ring.filter { $0.sequence > sequence }
    }

    /// Forgets the older half of the kept events.
    ///
    /// - Returns: how many.
    mutating func halveRing() -> Int {
        forget((ring.count + 1) / 2)
    }

    private mutating func forget(_ count: Int) -> Int {
        guard count > 0, ring.count >= count else { return 0 }
        ringStart = ring[count - 1].sequence
        ring.removeFirst(count)
        return count
    }
}

/// A ready snapshot of a stream, shared by all who ask for the same within a second.
struct FeedSnapshot: Sendable {
    struct Terms: Hashable, Sendable {
        let view: FeedRequest.View
        let limit: Int
        /// `FeedStream.version`.
        let version: UInt64
        /// Orders that expire by then are left out, in seconds since 1970.
        let horizon: UInt64
    }

    let terms: Terms
    let message: FeedMessage
}
