import DexStore
import Ethereum
import ZeroEx

extension LiveModel {
    /// While a field, a plan or a question is open, only its keys work.
    mutating func press(_ key: Key) -> [LiveEffect] {
        if key == .control("z") { return [.suspend] }
        switch state.mode {
        case .browse: return browse(key)
        case .pair(let picker): return pick(picker, key)
        case .entry(let entry): return enter(entry, key)
        case .planning(let entry):
            guard key.closes else { return [] }
            state.mode = entry.map { .entry($0) } ?? .browse
            return [.dropPlan]
        case .plan(let plan, let line, let scroll):
            // What was typed ahead answers no plan that nobody has seen.
            return isSeen ? confirm(plan, line, scroll, key) : []
        case .working(let work):
            if key == .control("c") || key == .character("q") {
                state.mode = .leaving(while: work)
            }
        case .outcome(let outcome, let scroll):
            state.mode = key.scrolled(scroll).map { .outcome(outcome, scroll: $0) } ?? .browse
        case .why(let reason, let scroll):
            state.mode = key.scrolled(scroll).map { .why(reason, scroll: $0) } ?? .browse
        case .help(let scroll):
            state.mode = key.scrolled(scroll).map { .help(scroll: $0) } ?? .browse
        case .leaving(let work):
            switch key {
            case .character("y"), .control("c"): return [.quit]
            case .escape, .character("n"), .character("q"), .enter:
                state.mode = work.map { .working($0) } ?? .browse
            default: break
            }
        }
        return []
    }

    // MARK: Browsing

    private mutating func browse(_ key: Key) -> [LiveEffect] {
        state.note = nil
        guard let action = LiveAction.of(key) else {
            if case .paste = key { say("A paste goes into a field: / b s m open one.") }
            return []
        }
        switch action {
        case .down: move(down: true)
        case .up: move(down: false)
        case .nextPane: turn(by: 1)
        case .lastPane: turn(by: LivePane.allCases.count - 1)
        case .narrower: state.depth = max(1, (state.depth ?? fittingDepth) - 1)
        case .wider:
            let depth = (state.depth ?? fittingDepth) + 1
            state.depth = depth >= fittingDepth ? nil : depth
        case .pair:
            state.mode = .pair(LivePairPicker(state.pairs, current: state.readPair))
            return [.readPairs]
        case .buy: open(.limit, .buy)
        case .sell: open(.limit, .sell)
        case .market: open(.market, state.cursor?.side ?? .buy)
        case .replace: openReplace()
        case .cancel: return cancel()
        case .why:
            guard let hash = selectedOrder else {
                say("Select an order first: j and k in the book, Tab for your orders.")
                return []
            }
            say("Looking at \(hash.hex.prefix(10)).")
            return [.explain(hash)]
        case .freeze:
            (state.frozen, state.frozenPools) =
                state.isFrozen ? (nil, nil) : (state.book, state.pools)
            place()
        case .chart: state.showsCandles.toggle()
        case .copy: return copy()
        case .help: state.mode = .help(scroll: 0)
        case .quit:
            guard !state.inFlight.isEmpty else { return [.quit] }
            state.mode = .leaving(while: nil)
        }
        return []
    }

    /// Levels a side that a screen of this height has at most.
    private var fittingDepth: Int { max(1, (state.rows - 4) / 2) }

    private mutating func turn(by count: Int) {
        let panes = LivePane.allCases
        let index = panes.firstIndex(of: state.pane) ?? 0
        state.pane = panes[(index + count) % panes.count]
    }

    mutating func move(down: Bool) {
        let count: Int
        switch state.pane {
        case .book: return moveCursor(down: down)
        case .orders: count = state.orders?.rows.count ?? 0
        case .trades: count = state.trades?.rows.count ?? 0
        case .transactions: count = state.transactions?.rows.count ?? 0
        }
        let index = (state.selected[state.pane] ?? 0) + (down ? 1 : -1)
        state.selected[state.pane] = min(max(0, index), max(0, count - 1))
    }

    private mutating func copy() -> [LiveEffect] {
        var text = selectedOrder?.hex
        let index = state.selected[state.pane] ?? 0
        if state.pane == .trades, let rows = state.trades?.rows, rows.indices.contains(index) {
            text = rows[index].fill.transaction.hex
        }
        if state.pane == .transactions, let rows = state.transactions?.rows,
            rows.indices.contains(index)
        {
            text = rows[index].hash.hex
        }
        guard let text else {
            say("There is nothing to copy here.")
            return []
        }
        say("Copied \(text).")
        return [.copy(text)]
    }

    // MARK: Entry

    /// Why nothing can be traded now, as a sentence; nil if it can.
    var obstacle: String? {
        guard state.account != nil, state.canSign else {
            return "This screen is read-only: name a wallet whose key you have, "
                + "dex live --wallet NAME."
        }
        guard let isOld = state.isOld else { return "There is no book yet to trade from." }
        if state.isFrozen { return "The book is frozen: p goes on, then trade." }
        if isOld {
            return "The book is older than two blocks: nothing is traded from it."
        }
        return nil
    }

    private mutating func refuse(_ text: String) {
        state.note = LiveNote(text: text, isFailure: true)
    }

    private mutating func open(_ kind: LiveEntry.Kind, _ side: TradeSide) {
        if let obstacle { return refuse(obstacle) }
        guard let pair = state.readPair else { return }
        let total = state.cursor.flatMap { cursor in
            state.book.map { $0.total(upTo: cursor) }
        }
        switch kind {
        case .market:
            let amount = total.map { TokenAmount(raw: $0.base, token: pair.base).value }
            var entry = LiveEntry(
                .market,
                side,
                pair,
                amount: amount == "0" ? "" : amount ?? ""
            )
            entry.set(.slippage, slippage)
            state.mode = .entry(entry)
        case .limit, .replace:
            guard let book = state.book else {
                return refuse(
                    "There is no relay here that takes orders. A market order trades at the pools: "
                        + "press m."
                )
            }
            state.mode = .entry(LiveEntry(kind, side, book.pair, price: cursorPrice(book)))
        }
    }

    /// The price under the cursor, with 8 significant digits.
    private func cursorPrice(_ book: LiveBook) -> String {
        guard let cursor = state.cursor, let entry = book.entry(at: cursor) else { return "" }
        return entry.price.text(of: book.pair) ?? ""
    }

    private mutating func openReplace() {
        if let obstacle { return refuse(obstacle) }
        guard let hash = selectedOwnOrder, let book = state.book else {
            return refuse("Select an own order first: Tab goes to your orders.")
        }
        let row = state.orders?.rows.first { $0.order.order.hash == hash }?.order
        let side: TradeSide =
            row?.side ?? (book.order(hash)?.makerToken == book.pair.base.address ? .sell : .buy)
        let price = row.map { $0.price.text(of: $0.pair) ?? "" } ?? cursorPrice(book)
        state.mode = .entry(LiveEntry(.replace(hash), side, row?.pair ?? book.pair, price: price))
    }

    private mutating func cancel() -> [LiveEffect] {
        guard state.account != nil, state.canSign else {
            refuse(obstacle ?? "This screen is read-only.")
            return []
        }
        guard let hash = selectedOwnOrder else {
            refuse("Select an own order first: Tab goes to your orders.")
            return []
        }
        state.mode = .planning(nil)
        return [.planCancel(hash)]
    }

    private mutating func enter(_ entry: LiveEntry, _ key: Key) -> [LiveEffect] {
        var entry = entry
        switch key {
        case .escape, .control("c"):
            state.mode = .browse
            return [.dropPlan]
        case .enter:
            if let missing = entry.missing {
                entry.focus(on: missing)
                entry.problem = "The \(missing.rawValue) is missing."
            } else if let obstacle {
                entry.problem = obstacle
            } else {
                state.mode = .planning(entry)
                return [.plan(entry)]
            }
        default: entry.take(key)
        }
        state.mode = .entry(entry)
        return []
    }

    // MARK: The plan

    private mutating func confirm(
        _ plan: any RunnablePlan,
        _ line: LineField,
        _ scroll: Int,
        _ key: Key
    ) -> [LiveEffect] {
        var line = line
        switch key {
        case .escape, .control("c"):
            state.mode = .browse
            say("Nothing was signed.")
        case .up, .down, .pageUp, .pageDown:
            state.mode = .plan(plan, line, scroll: max(0, scroll - key.lines))
        case .enter:
            if let stop = plan.content.stop {
                state.mode = .browse
                note(stop)
                return []
            }
            guard line.string.filter({ $0 != " " }).lowercased() == plan.word else {
                state.mode = .browse
                say("Nothing was signed.")
                return []
            }
            state.mode = .working(LiveWork(plan: plan, progress: "signing"))
            return [.carryOut(plan)]
        // What is pasted was typed by nobody.
        case .paste: break
        default:
            _ = line.take(key)
            state.mode = .plan(plan, line, scroll: scroll)
        }
        return []
    }
}

extension Key {
    fileprivate var closes: Bool {
        switch self {
        case .escape, .control("c"): true
        default: false
        }
    }

    /// The lines that the key goes down in a long text.
    fileprivate var lines: Int {
        switch self {
        case .up, .character("k"): -1
        case .down, .character("j"): 1
        case .pageUp: -10
        case .pageDown, .character(" "): 10
        default: 0
        }
    }

    /// The new place in a long text; nil if the key closes it.
    fileprivate func scrolled(_ scroll: Int) -> Int? {
        switch self {
        case .escape, .enter, .character("q"), .control("c"), .character("?"): nil
        default: max(0, scroll + lines)
        }
    }
}
