import HTTPServing
package import NIOCore
import Synchronization
import ZeroEx

/// Brings the changes of all books to the subscribers of a relay's WebSockets.
///
/// Changes are collected for some milliseconds. Each message is encoded once, and each event loop
/// writes it to its own subscribers, so the work for a subscriber is two writes.
///
/// It keeps no orders: each book hands its changes on within its own lock, and a subscriber reads
/// the book and joins under both locks, first the book's. Nothing is encoded under either.
package final class FeedHub: Sendable {
    /// The event loops' subscribers, reachable from everywhere, touched only on their loop.
    private struct Loop: Sendable {
        let eventLoop: any EventLoop
        let subscribers: NIOLoopBound<FeedSubscribers>
    }

    /// The events of a flush, not encoded yet.
    private struct Outgoing: Sendable {
        struct Part: Sendable {
            let key: FeedStreamKey
            let topics: [FeedTopic]
            let events: [FeedEvent]
            let previous: UInt64
        }

        /// Counts all flushes.
        let number: UInt64
        let parts: [Part]

        var encoded: FeedFlush {
            FeedFlush(
                number: number,
                parts: parts.map { part in
                    let messages = FeedMessage.messages(
                        part.events,
                        previous: part.previous,
                        part.key
                    )
                    return (part.topics, messages)
                }
            )
        }
    }

    /// What a new subscriber gets first.
    private enum First: Sendable {
        case nothing
        case events([FeedEvent], previous: UInt64, FeedStreamKey)
        case snapshot(FeedSnapshots.Content)
    }

    private struct State {
        var streams: [FeedStreamKey: FeedStream] = [:]
        /// The last sequence of each pair, those without an event too.
        var sequences: [MarketKey: UInt64] = [:]
        /// `sequences` when the orders were loaded.
        var loaded: [MarketKey: UInt64] = [:]
        var versions: Set<ProtocolVersion> = []
        /// The streams with pending events.
        var waiting: Set<FeedStreamKey> = []
        /// When the next flush is scheduled; nil if none is.
        var nextFlush: NIODeadline?
        var flushes: UInt64 = 0
        /// Taken from the streams, to be encoded in this order.
        var outbox: [Outgoing] = []
        var kept = 0
        var loops: [ObjectIdentifier: Loop] = [:]
        /// How many subscriptions each topic has.
        var heard: [FeedTopic: Int] = [:]
        var statistics = FeedStatistics()
    }

    /// From the first change of a quiet stream to its message: a block's changes come together.
    package static let quietDelay = TimeAmount.milliseconds(20)
    /// Between two flushes of a stream: 100 ms after the commit at the latest, with some to spare.
    package static let interval = TimeAmount.milliseconds(80)
    /// The maximum number of kept events in all streams together.
    private static let maximumKept = 16_384

    private let timer: any EventLoop
    /// Seconds since 1970.
    let now: @Sendable () -> UInt64
    private let state = Mutex(State())
    private let snapshots = FeedSnapshots()
    /// Whoever has it encodes what is in the outbox: so the loops get all flushes in order.
    private let encoding = Mutex(())

    /// - Parameters:
    ///   - timer: schedules the flushes and encodes messages.
    ///   - now: seconds since 1970.
    package init(timer: any EventLoop, now: @escaping @Sendable () -> UInt64) {
        self.timer = timer
        self.now = now
    }

    package var statistics: FeedStatistics {
        state.withLock { $0.statistics }
    }

    // MARK: Changes

    /// A book of this version was loaded.
    func isLoaded(_ version: ProtocolVersion) -> Bool {
        state.withLock { $0.versions.contains(version) }
    }

    /// Everything of a version was read from the store.
    ///
    /// - Parameters:
    ///   - missed: what subscribers of an earlier state would have seen since then.
    ///   - sequences: of all pairs.
    func reset(
        _ version: ProtocolVersion,
        _ missed: [FeedChange],
        sequences: [MarketKey: UInt64]
    ) {
        let grouped = Dictionary(grouping: missed, by: \.stream)
            .mapValues { $0.compactMap(\.event) }
        state.withLock { state in
            let known = state.streams.keys.filter { $0.market.version == version }
            for key in Set(grouped.keys).union(known) {
                let before = state.sequences[key.market] ?? 0
                state.kept -= state.streams[key]?.ring.count ?? 0
                state.streams[key, default: FeedStream(sequence: before)]
                    .reset(grouped[key] ?? [], sequence: sequences[key.market] ?? 0)
                plan(key, &state)
            }
            let others = state.sequences.filter { $0.key.version != version }
            let loaded = state.loaded.filter { $0.key.version != version }
            let own = sequences.filter { $0.key.version == version }
            state.sequences = others.merging(own) { $1 }
            state.loaded = loaded.merging(own) { $1 }
            state.versions.insert(version)
        }
    }

    func apply(_ changes: [FeedChange]) {
        guard !changes.isEmpty else { return }
        state.withLock { state in
            for change in changes {
                let key = change.stream
                state.sequences[key.market] = change.change.pairSequence
                guard let event = change.event else { continue }
                let first = state.loaded[key.market] ?? 0
                state.kept += state.streams[key, default: FeedStream(sequence: first)].add(event)
                plan(key, &state)
            }
            if state.kept > Self.maximumKept {
                for key in state.streams.keys {
                    state.kept -= state.streams[key]?.halveRing() ?? 0
                }
            }
        }
    }

    /// Sees to it that a stream's pending events go out in time.
    private func plan(_ key: FeedStreamKey, _ state: inout State) {
        guard let stream = state.streams[key], !stream.pending.isEmpty, stream.due == nil else {
            return
        }
        var due = timer.now + Self.quietDelay
        if let last = stream.lastFlush { due = max(due, last + Self.interval) }
        state.streams[key]?.due = due
        state.waiting.insert(key)
        schedule(at: due, &state)
    }

    private func schedule(at time: NIODeadline, _ state: inout State) {
        if let next = state.nextFlush, next <= time { return }
        state.nextFlush = time
        timer.scheduleTask(deadline: time) { [weak self] in self?.flushDue() }
    }

    private func flushDue() {
        state.withLock { state in
            let time = timer.now
            if let next = state.nextFlush, next <= time { state.nextFlush = nil }
            let due = state.waiting.filter { (state.streams[$0]?.due ?? time) <= time }
            take(due, &state)
            let next = state.waiting.compactMap { state.streams[$0]?.due }.min()
            if let next { schedule(at: next, &state) }
        }
        deliver()
    }

    /// Takes streams' pending events out, for `deliver`.
    private func take(_ keys: Set<FeedStreamKey>, _ state: inout State) {
        var parts: [Outgoing.Part] = []
        for key in keys {
            state.waiting.remove(key)
            guard let pending = state.streams[key]?.takePending(), !pending.events.isEmpty else {
                continue
            }
            state.streams[key]?.lastFlush = timer.now
            let topics = key.topics.filter { state.heard[$0] != nil }
            guard !topics.isEmpty else { continue }
            parts.append(
                Outgoing.Part(
                    key: key,
                    topics: topics,
                    events: pending.events,
                    previous: pending.previous
                )
            )
        }
        guard !parts.isEmpty else { return }
        state.flushes += 1
        state.outbox.append(Outgoing(number: state.flushes, parts: parts))
    }

    /// Encodes what was taken and hands it to every event loop.
    private func deliver() {
        encoding.withLock { _ in
            let (outbox, loops) = state.withLock { state in
                defer { state.outbox = [] }
                return (state.outbox, Array(state.loops.values))
            }
            for outgoing in outbox {
                let flush = outgoing.encoded
                for loop in loops {
                    loop.eventLoop.execute { [self] in
                        count(loop.subscribers.value.deliver(flush))
                    }
                }
            }
        }
    }

    private func count(_ sent: FeedVolume) {
        guard sent.messages > 0 else { return }
        state.withLock { state in
            state.statistics.messages &+= sent.messages
            state.statistics.bytes &+= sent.bytes
        }
    }

    // MARK: Subscribers

    /// Counts a new connection.
    func opened() {
        state.withLock { $0.statistics.connections += 1 }
    }

    /// Counts the end of a connection.
    func ended(_ end: WebSocketEnd) {
        state.withLock { state in
            state.statistics.connections -= 1
            if case .server(let code) = end {
                state.statistics.closed[code.number, default: 0] += 1
            }
        }
    }

    /// Adds a subscription and writes its first messages; called on the connection's event loop.
    ///
    /// - Parameter book: of the request's version.
    /// - Returns: nil if the connection has ended.
    func subscribe(
        _ request: FeedRequest,
        _ interface: RelayInterface,
        _ connection: WebSocketConnection,
        in book: OrderBook
    ) -> FeedSubscriber? {
        guard let eventLoop = connection.eventLoop else { return nil }
        let (loop, joined, first) = book.read { index in
            join(request, eventLoop, index)
        }
        deliver()
        let subscriber = FeedSubscriber(request, interface, connection, joined: joined)
        loop.subscribers.value.add(subscriber)
        var sent = FeedVolume()
        subscriber.queue(messages(first, interface), &sent)
        count(sent)
        connection.flush()
        return subscriber
    }

    /// Counts a subscriber in, at the moment of the book.
    ///
    /// - Returns: its event loop's subscribers, the last flush that is no news to it, and what it
    ///   gets first.
    private func join(
        _ request: FeedRequest,
        _ eventLoop: any EventLoop,
        _ index: borrowing OrderIndex
    ) -> (loop: Loop, joined: UInt64, first: First) {
        state.withLock { state in
            let first = request.exact.map { self.first($0, index, &state) } ?? .nothing
            let id = ObjectIdentifier(eventLoop)
            let loop =
                state.loops[id]
                ?? Loop(
                    eventLoop: eventLoop,
                    subscribers: NIOLoopBound(FeedSubscribers(), eventLoop: eventLoop)
                )
            state.loops[id] = loop
            state.heard[request.topic, default: 0] += 1
            state.statistics.subscriptions += 1
            return (loop, state.flushes, first)
        }
    }

    /// Removes a subscription; called on the connection's event loop.
    func unsubscribe(_ subscriber: FeedSubscriber, on eventLoop: any EventLoop) {
        let loop = state.withLock { state in
            state.statistics.subscriptions -= 1
            let left = (state.heard[subscriber.topic] ?? 1) - 1
            state.heard[subscriber.topic] = left > 0 ? left : nil
            return state.loops[ObjectIdentifier(eventLoop)]
        }
        loop?.subscribers.value.remove(subscriber)
    }

    /// A snapshot, or what was missed since a sequence.
    private func first(
        _ exact: FeedRequest.Exact,
        _ index: borrowing OrderIndex,
        _ state: inout State
    ) -> First {
        let key = exact.stream
        // The others get what is pending now; the new one has it in its first message.
        if state.waiting.contains(key) { take([key], &state) }
        let stream = state.streams[key] ?? FeedStream(sequence: state.loaded[key.market] ?? 0)
        if let since = exact.since,
            let events = stream.events(
                after: since,
                reached: state.sequences[key.market] ?? 0
            )
        {
            return .events(events, previous: since, key)
        }
        guard exact.wantsSnapshot || exact.since != nil else { return .nothing }
        return .snapshot(FeedSnapshots.Content(exact, sequence: stream.last, in: index))
    }

    private func messages(_ first: First, _ interface: RelayInterface) -> [FeedMessage] {
        switch first {
        case .nothing: return []
        case .events(let events, let previous, let key):
            return FeedMessage.messages(events, previous: previous, key)
        case .snapshot(let content):
            let horizon = now().addingClamped(interface.rules.shortestLife - 1)
            return [snapshots.message(content, interface, at: horizon)]
        }
    }
}

extension UInt64 {
    fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
