import Ethereum
import Synchronization
import ZeroEx

/// A relay whose book of one pair is kept from its feed, so that it need not be read each time.
///
/// A whole snapshot of the feed is the book. Without one it is read over HTTP after the
/// subscription and after a gap, and in any case from time to time.
/// Without a feed every read goes to the relay.
final class FollowedRelay: RelayClient {
    /// Milliseconds until the book is read again although the feed goes on.
    enum Refresh {
        /// Messages have numbers: a net under a relay whose servers differ.
        static let numbered: UInt64 = 60_000
        /// Missed messages would not be noticed.
        static let unnumbered: UInt64 = 15_000
    }

    /// The maximum orders kept from a feed.
    static let maximumOrders = 150_000

    fileprivate struct Book {
        var orders: [OrderCopyID: any SignedOrder] = [:]
        var copies: [OrderHash: Set<OrderCopyID>] = [:]
        var unreadable = UnreadableOrders()
        var shortfall: RelayShortfall?

        mutating func add(_ order: any SignedOrder) {
            orders[order.copyID] = order
            copies[order.hash, default: []].insert(order.copyID)
        }

        mutating func remove(_ hash: OrderHash) {
            for copy in copies.removeValue(forKey: hash) ?? [] { orders[copy] = nil }
        }
    }

    /// A change that the feed told.
    enum Step {
        case show(any SignedOrder)
        case remove(OrderHash)
    }

    fileprivate struct State {
        var isSubscribed = false
        /// It was subscribed once, or an attempt has failed.
        var isDecided = false
        var isNumbered = false
        /// nil until it is read, and after a gap.
        var book: Book?
        var readAt: UInt64 = 0
        /// Counts subscriptions and gaps: a read that began before one is of no use.
        var epoch = 0
        /// The steps since the earliest read that still runs.
        var steps: [Step] = []
        var reads = 0
        /// The steps since the last whole answer, or since they were taken; nil if another whole
        /// answer is needed.
        var news: [Step]?
    }

    let name: String
    private let relay: any RelayClient
    private let feed: any RelayFeed
    private let base: Address
    private let quote: Address
    private let clock: RelayGroup.Clock
    private let signal: WakeSignal
    private let state = Mutex(State())

    /// - Parameter signal: set whenever the book changed.
    init(
        name: String,
        relay: any RelayClient,
        feed: any RelayFeed,
        base: Address,
        quote: Address,
        clock: RelayGroup.Clock,
        signal: WakeSignal
    ) {
        self.name = name
        self.relay = relay
        self.feed = feed
        self.base = base
        self.quote = quote
        self.clock = clock
        self.signal = signal
    }

    /// The feed stands, so that the book need not be polled.
    var isFollowing: Bool { state.withLock(\.isSubscribed) }

    /// Whether the relay has a feed is known: it has begun, or could not begin.
    var isDecided: Bool { state.withLock(\.isDecided) }

    /// The changes since the last whole answer or call, in order.
    ///
    /// nil if the book must be read as a whole: there was none, or messages were missed.
    func takeChanges() -> [Step]? {
        let now = clock.elapsed()
        return state.withLock { state in
            let age = now - min(now, state.readAt)
            let limit = state.isNumbered ? Refresh.numbered : Refresh.unnumbered
            guard state.isSubscribed, state.book != nil, age < limit, let news = state.news else {
                return nil
            }
            state.news = []
            return news
        }
    }

    // MARK: The feed

    /// The milliseconds before the next attempt to connect: 1 s, doubling to 30 s.
    private static func delay(after failures: Int) -> UInt64 {
        min(1_000 << UInt64(min(failures, 5)), 30_000)
    }

    /// Follows the feed until the task is cancelled, or the relay turns out to have none.
    func run(report: @Sendable (RelayFeedEnd) -> Void) async {
        var failures = 0
        while !Task.isCancelled {
            let end = await feed.follow(base: base, quote: quote) { [self] event in take(event) }
            let wasSubscribed = state.withLock { state in
                let wasSubscribed = state.isSubscribed
                state.reset()
                state.isDecided = true
                return wasSubscribed
            }
            guard !Task.isCancelled else { return }
            if wasSubscribed {
                failures = 0
                signal.set()
            }
            // A relay without a feed is polled as ever; the screen says so.
            if wasSubscribed || failures == 0 && !end.isPermanent { report(end) }
            if end.isPermanent { return }
            do {
                try await clock.sleep(Self.delay(after: failures))
            } catch {
                return
            }
            failures += 1
        }
    }

    private func take(_ event: RelayFeedEvent) {
        let now = clock.elapsed()
        state.withLock { state in
            switch event {
            case .subscribed:
                state.reset()
                state.isSubscribed = true
                state.isDecided = true
            case .numbered: state.isNumbered = true
            case .snapshot(let book, let isWhole):
                guard isWhole else { return }
                state.epoch += 1
                state.book = Self.kept(book)
                state.readAt = now
                state.news = nil
            case .shown(let orders): state.take(orders.map(Step.show))
            case .changed(let changes):
                let known = state.book
                let isMissing = changes.contains { change in
                    change.isShown && known.map { $0.copies[change.hash] == nil } ?? false
                }
                state.take(changes.filter { !$0.isShown }.map { .remove($0.hash) })
                // It is shown again, and we do not have it.
                if isMissing { state.lose() }
            case .gap: state.lose()
            }
        }
        signal.set()
    }

    private static func kept(_ answer: RelayOrderbook) -> Book {
        var book = Book()
        book.orders.reserveCapacity(answer.bids.orders.count + answer.asks.orders.count)
        for order in answer.bids.orders + answer.asks.orders { book.add(order) }
        book.unreadable.add(answer.bids.unreadable)
        book.unreadable.add(answer.asks.unreadable)
        book.shortfall = answer.shortfall
        return book
    }

    // MARK: The relay

    func orderbook(
        base: Address,
        quote: Address,
        arrived: @escaping @Sendable ([any SignedOrder]) -> Void
    ) async throws(RelayError) -> RelayOrderbook {
        guard base == self.base, quote == self.quote else {
            return try await relay.orderbook(base: base, quote: quote, arrived: arrived)
        }
        let now = clock.elapsed()
        let start = state.withLock { state -> (kept: Book?, epoch: Int, step: Int) in
            let age = now - min(now, state.readAt)
            let limit = state.isNumbered ? Refresh.numbered : Refresh.unnumbered
            if state.isSubscribed, let book = state.book, age < limit {
                state.news = []
                return (book, 0, 0)
            }
            state.reads += 1
            return (nil, state.epoch, state.steps.count)
        }
        if let book = start.kept {
            let answer = self.answer(book)
            arrived(answer.bids.orders + answer.asks.orders)
            return answer
        }
        let read = await Result { () async throws(RelayError) in
            try await relay.orderbook(base: base, quote: quote, arrived: arrived)
        }
        let kept = state.withLock { state -> (book: Book, late: [any SignedOrder])? in
            defer { state.endRead() }
            guard case .success(let answer) = read, state.isSubscribed, state.epoch == start.epoch
            else { return nil }
            var book = Self.kept(answer)
            var late: [any SignedOrder] = []
            for step in state.steps.dropFirst(start.step) {
                if case .show(let order) = step, book.orders[order.copyID] == nil {
                    late.append(order)
                }
                book.take(step)
            }
            state.book = book
            state.readAt = now
            state.news = []
            return (book, late)
        }
        guard let kept else { return try read.get() }
        if !kept.late.isEmpty { arrived(kept.late) }
        return answer(kept.book)
    }

    /// The kept book, by hash, so that two answers compare.
    private func answer(_ book: Book) -> RelayOrderbook {
        var answer = RelayOrderbook(bids: RelayOrders(orders: []), asks: RelayOrders(orders: []))
        for order in book.orders.values.sorted(by: { $0.hash < $1.hash }) {
            if order.takerToken == base {
                answer.bids.orders.append(order)
            } else {
                answer.asks.orders.append(order)
            }
        }
        answer.asks.unreadable = book.unreadable
        answer.asks.shortfall = book.shortfall
        return answer
    }

    func bestOrders(base: Address, quote: Address) async throws(RelayError) -> RelayOrderbook {
        try await relay.bestOrders(base: base, quote: quote)
    }

    func tokenPairs(
        _ tokenA: Address?,
        _ tokenB: Address?
    ) async throws(RelayError) -> [RelayTokenPair] {
        try await relay.tokenPairs(tokenA, tokenB)
    }

    func orders(_ query: OrderQuery) async throws(RelayError) -> RelayOrders {
        try await relay.orders(query)
    }

    func order(_ hash: OrderHash) async throws(RelayError) -> (any SignedOrder)? {
        try await relay.order(hash)
    }

    func fees(for draft: OrderDraft) async throws(RelayError) -> OrderFees {
        try await relay.fees(for: draft)
    }

    func post(_ order: any SignedOrder) async throws(RelayError) {
        try await relay.post(order)
    }
}

extension FollowedRelay.Book {
    fileprivate mutating func take(_ step: FollowedRelay.Step) {
        switch step {
        case .show(let order): add(order)
        case .remove(let hash): remove(hash)
        }
    }
}

extension FollowedRelay.State {
    /// No subscription: nothing is kept.
    fileprivate mutating func reset() {
        isSubscribed = false
        isNumbered = false
        lose()
    }

    /// The kept book is of no use: it is read again.
    fileprivate mutating func lose() {
        book = nil
        news = nil
        epoch += 1
    }

    fileprivate mutating func take(_ new: [FollowedRelay.Step]) {
        if reads > 0 { steps += new }
        news? += new
        for step in new { book?.take(step) }
        let count = max(book?.orders.count ?? 0, steps.count, news?.count ?? 0)
        if count > FollowedRelay.maximumOrders { lose() }
    }

    fileprivate mutating func endRead() {
        reads -= 1
        if reads == 0 { steps = [] }
    }
}
