import NIOCore

/// What the subscribers of a stream have still to hear, and have lately heard.
struct FeedStream: Sendable {
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

    /// The maximum number of kept events; a reader that missed more gets a snapshot.
    static let maximumKept = 1_024

    /// A stream of which nothing was told yet.
    ///
    /// - Parameter sequence: the pair's when the orders were loaded.
    init(sequence: UInt64) {
        last = sequence
        ringStart = sequence
    }

    /// Takes an event.
    ///
    /// - Returns: how much the ring has grown.
    mutating func add(_ event: FeedEvent) -> Int {
        pending.append(event)
        ring.append(event)
        guard ring.count > 2 * Self.maximumKept else { return 1 }
        return 1 - forget(ring.count - Self.maximumKept)
    }

    /// Goes on from what a store holds, after changes were missed.
    ///
    /// - Parameters:
    ///   - missed: what subscribers would have seen, all of one moment.
    ///   - sequence: the pair's.
    mutating func reset(_ missed: [FeedEvent], sequence: UInt64) {
        pending += missed
        ring = []
        ringStart = sequence
        if pending.isEmpty { last = sequence }
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
