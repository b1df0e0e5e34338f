import DexStore
import Ethereum
package import ZeroEx

/// Turns events into the state of the full screen; no I/O, no clock.
package struct LiveModel: Sendable {
    package internal(set) var state: LiveState
    /// Hundredths of a percent as a text, prefilled in market orders.
    let slippage: String
    /// The trader has seen the plan that is open.
    private(set) var isSeen = false

    package init(_ state: LiveState, slippage: String) {
        self.state = state
        self.slippage = slippage
    }

    /// Takes an event.
    ///
    /// - Returns: what is to be done because of it.
    package mutating func take(_ event: LiveEvent) -> [LiveEffect] {
        if shows(event) { state.revision += 1 }
        switch event {
        case .key(let key): return press(key)
        case .mouse(let action, let target): return point(action, target)
        case .resized(let columns, let rows):
            state.columns = max(0, columns)
            state.rows = max(0, rows)
        case .tick(let now, let elapsed):
            state.now = now
            state.freshness.elapsed = max(state.freshness.elapsed, elapsed)
        case .feed(let news, let generation):
            if generation == state.generation { take(news) }
            // What the question was about is settled.
            if case .leaving(nil) = state.mode, state.inFlight.isEmpty { return [.quit] }
        case .planned(let plan):
            // The trader has given it up, or it is of an earlier request.
            guard case .planning = state.mode else { return [] }
            state.mode = .plan(plan, LineField(), scroll: 0)
            isSeen = false
        case .notPlanned(let error): returnToEntry(error)
        case .progress(let text): work { $0.progress = text }
        case .waiting(let wait): work { $0.wait = wait }
        case .done(let outcome): state.mode = .outcome(outcome, scroll: 0)
        case .failed(let error):
            state.mode = .browse
            note(error)
        case .reason(let reason):
            if state.mode.isBrowsing { state.mode = .why(reason, scroll: 0) }
        case .painted: isSeen = true
        case .note(let text, let isFailure):
            state.note = LiveNote(text: text, isFailure: isFailure)
        case .guarded(let report): take(report)
        case .pairs(let pairs):
            state.pairs = pairs.rows
            guard case .pair(var picker) = state.mode else { return [] }
            picker.take(pairs.rows, current: state.readPair)
            state.mode = .pair(picker)
        case .pairsUnread(let error):
            guard case .pair(var picker) = state.mode else { return [] }
            picker.take(error)
            state.mode = .pair(picker)
        }
        return []
    }

    /// Most news say that all is as before, which draws nothing.
    private func shows(_ event: LiveEvent) -> Bool {
        switch event {
        case .tick, .painted: false
        case .feed(_, let generation) where generation != state.generation: false
        // The book itself tells.
        case .feed(.changes, _): false
        case .feed(.confirmed(let elapsed), _): isStaleBook != isStaleBook(at: elapsed)
        case .feed(.source(let source), _): source != state.source
        case .feed(.trouble(let source, let error), _):
            error?.message != state.troubles[source]?.message
        default: true
        }
    }

    private func isStaleBook(at elapsed: UInt64) -> Bool {
        var later = state
        later.freshness.confirm(at: elapsed)
        return later.isOld ?? false
    }

    private var isStaleBook: Bool { state.isOld ?? false }

    /// Alerts that are kept for the screen.
    static let maximumAlerts = 20

    mutating func note(_ error: DexError) {
        state.note = LiveNote(text: Self.text(error), isFailure: true)
    }

    private static func text(_ error: DexError) -> String {
        let sentences = [error.message, error.hint].compactMap(\.self)
        return PlainText.clean(sentences.joined(separator: " "), limit: 600)
    }

    mutating func say(_ text: String) { state.note = LiveNote(text: text, isFailure: false) }

    /// The entry comes back with what is wrong; without one the error is a note.
    private mutating func returnToEntry(_ error: DexError) {
        guard case .planning(let entry) = state.mode else { return }
        if var entry {
            entry.problem = Self.text(error)
            state.mode = .entry(entry)
        } else {
            state.mode = .browse
            note(error)
        }
    }

    /// Changes what is shown of the work under way.
    private mutating func work(_ change: (inout LiveWork) -> Void) {
        switch state.mode {
        case .working(var work):
            change(&work)
            state.mode = .working(work)
        case .leaving(.some(var work)):
            change(&work)
            state.mode = .leaving(while: work)
        default: break
        }
    }

    // MARK: News

    private mutating func take(_ news: LiveNews) {
        switch news {
        case .book(let book):
            state.book = book
            state.pairText = book.pair.name
            fire()
            place()
        case .changes(let changes):
            let before = state.book?.revision
            state.book?.apply(changes)
            if state.book?.revision != before { state.revision += 1 }
            fire()
            place()
        case .pools(let pools):
            state.pools = pools
            state.pairText = pools.pair.name
            fire()
        case .confirmed(let elapsed):
            state.freshness.confirm(at: elapsed)
        case .source(let source): state.source = source
        case .head(let head, let gasPrice):
            state.freshness.head = head
            state.gasPrice = gasPrice
        case .trades(let trades):
            fire(by: trades)
            state.trades = trades
        case .orders(let orders):
            fire(by: orders)
            state.orders = orders
        case .balances(let balances):
            state.balances = balances
            fire(by: balances)
        case .alerts(let alerts):
            state.monitor.replace(alerts)
            fire()
        case .transactions(let transactions): state.transactions = transactions
        case .guards(let guards): state.guards = guards
        case .venue(let venue): state.venue = venue
        case .trouble(let source, let error): state.troubles[source] = error
        }
    }

    /// What matters of a guard's report stays until the next one.
    private mutating func take(_ report: GuardReport) {
        switch report {
        case .begun, .recovered: state.lastGuardReport = nil
        case .reached, .held, .firing, .fired, .failed, .failing: state.lastGuardReport = report
        }
    }

    // MARK: Alerts

    /// What the book says, or where there is no relay the pools; old ones say nothing.
    private mutating func fire() {
        guard state.isOld == false else { return }
        if let book = state.book { return show(state.monitor.fire(in: book)) }
        if let pools = state.pools { show(state.monitor.fire(in: pools)) }
    }

    private mutating func fire(by balances: BalanceState) {
        var fired = state.monitor.fire(
            balance: balances.ether.rawValue,
            of: .coin(balances.coin)
        )
        for row in balances.rows where row.token.decimals != nil {
            guard let balance = row.balance else { continue }  // an unread one fires nothing
            fired += state.monitor.fire(balance: balance, of: .token(row.token))
        }
        show(fired)
    }

    /// Fills of own orders since the last reading.
    private mutating func fire(by trades: TradesState) {
        guard let account = state.account, let old = state.trades else { return }
        let known = Set(old.rows.map(\.fill))
        let new = trades.rows.prefix { !known.contains($0.fill) }.filter {
            $0.fill.maker == account
        }
        show(
            new.reversed().flatMap { trade in
                let amount = TokenAmount(raw: trade.base, token: trades.pair.base)
                return state.monitor.fire(
                    .fill,
                    of: trades.pair.addresses,
                    value: "\(amount.value) \(PlainText.name(trades.pair.base.symbol))"
                )
            }
        )
    }

    /// Own orders that came into trouble since the last reading.
    private mutating func fire(by orders: OwnOrdersState) {
        guard let old = state.orders else { return }
        func troubles(_ state: OwnOrdersState) -> [OrderHash: Set<AlertCondition.OrderChange>] {
            state.rows.reduce(into: [:]) { troubles, row in
                var changes: Set<AlertCondition.OrderChange> = []
                if row.order.standing == .unfunded { changes.insert(.unfunded) }
                if row.order.flags.contains(.expiring) { changes.insert(.expiring) }
                troubles[row.order.order.hash] = changes
            }
        }
        let before = troubles(old)
        let now = troubles(orders)
        for row in orders.rows {
            let hash = row.order.order.hash
            for change in AlertCondition.OrderChange.allCases
            where now[hash]?.contains(change) ?? false && !(before[hash]?.contains(change) ?? false)
            {
                let text = "order \(hash.hex.prefix(10))"
                show(state.monitor.fire(change, of: row.order.pair.addresses, value: text))
            }
        }
    }

    private mutating func show(_ fired: [FiredAlert]) {
        guard !fired.isEmpty else { return }
        state.revision += 1
        state.alerts = Array((fired.reversed() + state.alerts).prefix(Self.maximumAlerts))
    }

    // MARK: Orders in sight

    /// The orders on the screen: the levels that fit, the one under the cursor, and our own.
    package var inSight: Set<OrderHash> {
        guard let book = state.book else { return [] }
        let count = max(1, state.rows)
        var hashes = Set(
            [book.asks, book.bids].flatMap { $0.entries.prefix(count).map(\.order.hash) }
        )
        if let cursor = state.cursor { hashes.insert(cursor.hash) }
        for row in state.orders?.rows ?? [] { hashes.insert(row.order.order.hash) }
        return hashes
    }

    // MARK: The cursor

    /// The orders of a side that the cursor reaches.
    package static let deepestLevel = 200

    /// Keeps the cursor on its order, or on its place if the order is gone.
    mutating func place() {
        guard let book = state.shownBook else {
            state.cursor = nil
            return
        }
        guard let cursor = state.cursor else {
            state.cursor = Self.cursor(.buy, 0, book) ?? Self.cursor(.sell, 0, book)
            return
        }
        let rank = book.side(cursor.side).entries.prefix(Self.deepestLevel).enumerated()
            .first { $0.element.order.hash == cursor.hash }?.offset
        state.cursor =
            Self.cursor(cursor.side, rank ?? cursor.rank, book)
            ?? Self.cursor(cursor.side == .buy ? .sell : .buy, 0, book)
    }

    /// The cursor on a level, or on the last one of the side before it; nil for an empty side.
    static func cursor(_ side: TradeSide, _ rank: Int, _ book: LiveBook) -> LiveCursor? {
        let entries = Array(
            book.side(side).entries.prefix(min(max(0, rank), deepestLevel - 1) + 1)
        )
        return entries.last.map {
            LiveCursor(side: side, rank: entries.count - 1, hash: $0.order.hash)
        }
    }

    /// Down is towards lower prices: from the worst ask to the best, and on to the bids.
    mutating func moveCursor(down: Bool) {
        guard let book = state.shownBook, let cursor = state.cursor else { return }
        let isAsk = cursor.side == .buy
        let isInwards = isAsk == down
        if isInwards, cursor.rank == 0 {
            state.cursor = Self.cursor(isAsk ? .sell : .buy, 0, book) ?? cursor
        } else {
            state.cursor =
                Self.cursor(cursor.side, cursor.rank + (isInwards ? -1 : 1), book) ?? cursor
        }
    }

    /// The own order that is selected: in its pane, or under the cursor; nil for none.
    var selectedOwnOrder: OrderHash? {
        if state.pane == .orders { return selectedOrder }
        guard let hash = selectedOrder, let order = state.book?.order(hash),
            order.maker == state.account
        else { return nil }
        return hash
    }

    /// The order that is selected; nil for none.
    var selectedOrder: OrderHash? {
        switch state.pane {
        case .book: return state.cursor?.hash
        case .orders:
            let rows = state.orders?.rows ?? []
            let index = state.selected[.orders] ?? 0
            return rows.indices.contains(index) ? rows[index].order.order.hash : nil
        case .trades, .transactions: return nil
        }
    }
}
