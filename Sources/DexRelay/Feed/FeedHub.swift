import HTTPServing
package import NIOCore
import Synchronization

/// Brings the changes of all books to the subscribers of a relay's WebSockets.
///
/// Changes are collected for some milliseconds. Each message is encoded once, and each event loop
/// writes it to its own subscribers, so the work for a subscriber is two writes.
package final class FeedHub: BookFollower {
    /// The event loops' subscribers, reachable from everywhere, touched only on their loop.
    private struct Loop: Sendable {
        let eventLoop: any EventLoop
        let subscribers: NIOLoopBound<FeedSubscribers>
    }

    private struct State {
        var streams: [FeedStreamKey: FeedStream] = [:]
        /// The last sequence of each pair, those without an event too.
        var sequences: [MarketKey: UInt64] = [:]
        /// `sequences` when the orders were loaded.
        var loaded: [MarketKey: UInt64] = [:]
        var isLoaded = false
        /// The streams with pending events.
        var waiting: Set<FeedStreamKey> = []
        /// When the next flush is scheduled; nil if none is.
        var nextFlush: NIODeadline?
        var flushes: UInt64 = 0
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
    private static let mostKept = 16_384

    private let timer: any EventLoop
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

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

    package func reset(to orders: [BookChange], sequences: [MarketKey: UInt64]) {
        let grouped = Dictionary(grouping: orders) { FeedStreamKey($0.market, $0.entry.direction) }
        state.withLock { state in
            for key in Set(grouped.keys).union(state.streams.keys) {
                let orders = grouped[key] ?? []
                let sequence = sequences[key.market] ?? 0
                guard state.isLoaded else {
                    state.streams[key] = FeedStream(key, orders: orders, sequence: sequence)
                    continue
                }
                let before = state.sequences[key.market] ?? 0
                state.streams[key, default: FeedStream(key, sequence: before)]
                    .reset(to: orders, sequence: sequence)
                plan(key, &state)
            }
            state.sequences = sequences
            state.loaded = sequences
            state.kept = 0
            state.isLoaded = true
        }
    }

    package func apply(_ changes: [BookChange]) {
        state.withLock { state in
            for change in changes {
                let market = change.market
                let key = FeedStreamKey(market, change.entry.direction)
                state.sequences[market] = change.pairSequence
                let first = state.loaded[market] ?? 0
                let grown = state.streams[key, default: FeedStream(key, sequence: first)]
                    .apply(change)
                guard grown != 0 else { continue }
                state.kept += grown
                plan(key, &state)
            }
            if state.kept > Self.mostKept {
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
            flush(due, &state)
            let next = state.waiting.compactMap { state.streams[$0]?.due }.min()
            if let next { schedule(at: next, &state) }
        }
    }

    /// Encodes streams' pending events and hands them to every event loop.
    ///
    /// It happens under the lock, so that the loops get all flushes in the same order.
    private func flush(_ keys: Set<FeedStreamKey>, _ state: inout State) {
        var parts: [(topics: [FeedTopic], messages: [FeedMessage])] = []
        for key in keys {
            state.waiting.remove(key)
            guard let pending = state.streams[key]?.takePending(), !pending.events.isEmpty else {
                continue
            }
            state.streams[key]?.lastFlush = timer.now
            let topics = key.topics.filter { state.heard[$0] != nil }
            guard !topics.isEmpty else { continue }
            let messages = FeedMessage.messages(pending.events, previous: pending.previous, key)
            parts.append((topics, messages))
        }
        guard !parts.isEmpty else { return }
        state.flushes += 1
        let flush = FeedFlush(number: state.flushes, parts: parts)
        for loop in state.loops.values {
            loop.eventLoop.execute { [self] in count(loop.subscribers.value.deliver(flush)) }
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
    /// nil if the connection has ended.
    func subscribe(
        _ request: FeedRequest,
        _ interface: RelayInterface,
        _ connection: WebSocketConnection
    ) -> FeedSubscriber? {
        guard let eventLoop = connection.eventLoop else { return nil }
        let (loop, joined, first) = state.withLock { state in
            let first = request.exact.flatMap { firstMessages($0, interface, &state) } ?? []
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
        let subscriber = FeedSubscriber(request, interface, connection, joined: joined)
        loop.subscribers.value.add(subscriber)
        var sent = FeedVolume()
        subscriber.queue(first, &sent)
        count(sent)
        connection.flush()
        return subscriber
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
    private func firstMessages(
        _ exact: FeedRequest.Exact,
        _ interface: RelayInterface,
        _ state: inout State
    ) -> [FeedMessage] {
        let key = exact.stream
        // The others get what is pending now; the new one has it in its first message.
        flush(state.waiting.contains(key) ? [key] : [], &state)
        let reached = state.sequences[key.market] ?? 0
        var stream = state.streams[key] ?? FeedStream(key, sequence: reached)
        if let since = exact.since, let events = stream.events(after: since, reached: reached) {
            return FeedMessage.messages(events, previous: since, key)
        }
        guard exact.wantsSnapshot || exact.since != nil else { return [] }
        let terms = FeedSnapshot.Terms(
            view: exact.view,
            limit: exact.limit,
            version: stream.version,
            horizon: now().addingClamped(interface.rules.shortestLife - 1)
        )
        if let ready = stream.snapshot, ready.terms == terms { return [ready.message] }
        let snapshot = FeedSnapshot(terms, of: stream)
        stream.snapshot = snapshot
        if state.streams[key] != nil { state.streams[key]?.snapshot = snapshot }
        return [snapshot.message]
    }
}

extension FeedSnapshot {
    fileprivate init(_ terms: Terms, of stream: FeedStream) {
        func best(_ direction: PairDirection, onlyRead: Bool = false) -> SortedListings.Page {
            (stream.sides[direction] ?? SortedListings(.book)).page(
                SortedListings.Visibility(horizon: terms.horizon, onlyRead: onlyRead)
            ) { total in 0..<min(terms.limit, total) }
        }
        self.terms = terms
        switch terms.view {
        case .book(let base, let quote):
            let bids = best(PairDirection(makerToken: quote, takerToken: base))
            let asks = best(PairDirection(makerToken: base, takerToken: quote))
            message = .snapshot(
                bids: bids.listings.map(\.entry),
                asks: asks.listings.map(\.entry),
                isComplete: max(bids.total, asks.total) <= terms.limit,
                sequence: stream.last
            )
        case .side(let direction):
            let side = best(direction, onlyRead: true)
            message = .snapshot(
                side.listings,
                direction,
                isComplete: side.total <= terms.limit,
                sequence: stream.last
            )
        }
    }
}

extension UInt64 {
    fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
