import DexCore
import DexStore
import Ethereum
import ZeroEx

/// Draws what stands beside the book, one below the other.
struct LivePanels {
    private let view: LiveView
    private var state: LiveState { view.state }

    init(_ view: LiveView) { self.view = view }

    /// The rows of each part, from above.
    private struct Heights {
        var picture = 0
        var trades = 0
        var orders = 0
        var balances = 0
        var transactions = 0
    }

    /// Shares the height: a picture where there is room, the rest by what each has to show.
    ///
    /// A pane without rows has one line, and the others its room.
    private func heights(_ area: LiveArea, balances: Int) -> Heights {
        var heights = Heights()
        if area.rows >= 18, area.columns >= 24 { heights.picture = min(14, area.rows / 3) }
        var room = area.rows - heights.picture
        let hasTrades = state.trades?.rows.isEmpty == false
        guard state.account != nil else {
            heights.trades = hasTrades || heights.picture == 0 ? room : 1
            heights.picture += room - heights.trades
            return heights
        }
        let orders = state.orders?.rows.count ?? 0
        let transactions = min(5, state.transactions?.rows.count ?? 0)
        heights.balances = min(balances + 1, max(0, room - 3))
        room -= heights.balances
        // A title, the heads and a row at least.
        heights.transactions = transactions == 0 ? 1 : min(transactions + 2, max(3, room / 4))
        heights.orders = orders == 0 ? 1 : min(orders + 2, max(3, room / 2))
        heights.trades = hasTrades ? max(3, room - heights.transactions - heights.orders) : 1
        var left = room - heights.transactions - heights.orders - heights.trades
        func give(_ rows: inout Int, upTo wanted: Int) {
            let more = max(0, min(left, wanted - rows))
            rows += more
            left -= more
        }
        if orders > 0 { give(&heights.orders, upTo: orders + 2) }
        if transactions > 0 { give(&heights.transactions, upTo: transactions + 2) }
        if heights.picture > 0 { give(&heights.picture, upTo: area.rows) }
        give(&heights.trades, upTo: area.rows)
        return heights
    }

    func draw(_ grid: inout Grid, _ area: LiveArea) {
        var rest = area
        func take(_ rows: Int) -> LiveArea {
            var part = rest
            part.rows = min(rows, rest.rows)
            rest.row += part.rows
            rest.rows -= part.rows
            return part
        }
        let balances = balanceLines(area.columns)
        let heights = heights(area, balances: balances.count)
        if heights.picture > 0 { LivePicture(view).draw(&grid, take(heights.picture)) }
        self.trades(&grid, take(heights.trades))
        guard state.account != nil else { return }
        self.orders(&grid, take(heights.orders))
        self.balances(&grid, take(heights.balances), balances)
        self.transactions(&grid, rest)
    }

    /// A pane without rows: why there are none stands in its title where that is its only line.
    private func empty(
        _ title: String,
        _ why: String,
        _ pane: LivePane,
        _ grid: inout Grid,
        _ area: LiveArea
    ) {
        grid.mark(.pane(pane), area)
        let isLine = area.rows < 2
        let text = isLine ? "\(title): \(MoneyText.uncapitalized(why))" : title
        Self.title(text, isFocused: state.pane == pane, &grid, area)
        if !isLine { say(why, &grid, area) }
    }

    static func title(_ text: String, isFocused: Bool, _ grid: inout Grid, _ area: LiveArea) {
        guard area.rows > 0 else { return }
        let shown = TerminalText.truncate(text, to: max(1, area.columns - 2))
        let mark = isFocused ? "> " : ""
        let used = grid.put(
            mark + shown,
            row: area.row,
            column: area.column,
            limit: area.columns,
            isFocused ? CellStyle(.cyan, bold: true) : CellStyle(bold: true)
        )
        let line = String(repeating: "─", count: max(0, area.columns - used - 1))
        grid.put(
            line,
            row: area.row,
            column: area.column + used + 1,
            limit: area.columns - used - 1,
            CellStyle(.gray)
        )
    }

    /// Draws a table's rows, with the selected one kept in sight.
    private func table(
        _ table: Table,
        _ pane: LivePane,
        _ grid: inout Grid,
        _ area: LiveArea
    ) {
        grid.mark(.pane(pane), area)
        guard area.rows > 1 else { return }
        var lines = table.parts(width: area.columns)
        let head = lines.isEmpty ? [] : [lines.removeFirst()]
        let room = max(0, area.rows - 1 - head.count)
        let selected = state.selected[pane] ?? 0
        let first = max(0, min(selected - room + 1, lines.count - room))
        for (index, line) in (head + lines.dropFirst(first).prefix(room)).enumerated() {
            let row = area.row + 1 + index
            grid.put(line, row: row, column: area.column, limit: area.columns)
            if index >= head.count {
                grid.mark(
                    .row(pane, first + index - head.count),
                    LiveArea(row: row, column: area.column, rows: 1, columns: area.columns)
                )
            }
            if state.pane == pane, index >= head.count, first + index - head.count == selected {
                grid.paint(row: row, columns: area.column..<area.column + area.columns) {
                    $0.back = .selected
                }
            }
        }
    }

    private func say(_ text: String, _ grid: inout Grid, _ area: LiveArea) {
        for (index, line) in TerminalText.wrap(text, width: area.columns).enumerated()
        where index + 1 < area.rows {
            grid.put(line, row: area.row + 1 + index, column: area.column, CellStyle(dim: true))
        }
    }

    func trades(_ grid: inout Grid, _ area: LiveArea) {
        guard let trades = state.trades else {
            return empty("Trades", "Reading them.", .trades, &grid, area)
        }
        let pair = trades.pair
        // Older ones would not be seen.
        let rows = trades.rows.prefix(max(area.rows, (state.selected[.trades] ?? 0) + 1))
        guard !rows.isEmpty else {
            return empty("Trades", "None in the last day.", .trades, &grid, area)
        }
        Self.title("Trades", isFocused: state.pane == .trades, &grid, area)
        let times = TimeColumn(rows.map(\.fill.time), view.screen(area.columns), .clock)
        var table = Table([
            .init(times.title, dropOrder: 1), .init("SIDE"), .init("PRICE", .right),
            .init("AMOUNT", .right),
        ])
        let largest = rows.map(\.base).max() ?? .zero
        let places = NumberText.places(forLargest: largest, of: pair.base)
        for row in rows {
            let isOwn =
                state.account.map { [row.fill.maker, row.fill.taker].contains($0) } ?? false
            let color: Style.Color = isOwn ? .cyan : row.side == .buy ? .green : .red
            table.add([
                .init(times.text(row.fill.time), .dim),
                .init(row.side.rawValue + (isOwn ? " *" : ""), color),
                .init(row.price.map { NumberText.price($0, pair) } ?? "-", color),
                .init(NumberText.column(row.base, of: pair.base, places: places)),
            ])
        }
        self.table(table, .trades, &grid, area)
    }

    func orders(_ grid: inout Grid, _ area: LiveArea) {
        let title = "My open orders"
        guard state.account != nil else {
            return empty(title, "Read-only: no account is named.", .orders, &grid, area)
        }
        guard let orders = state.orders else {
            return empty(title, "Reading them.", .orders, &grid, area)
        }
        guard !orders.rows.isEmpty else { return empty(title, "None.", .orders, &grid, area) }
        Self.title(title, isFocused: state.pane == .orders, &grid, area)
        var table = Table([
            .init("SIDE"), .init("AMOUNT", .right), .init("PRICE", .right), .init("LEFT", .right),
            .init("EXPIRES", dropOrder: 3), .init("STATE", dropOrder: 2),
            .init("PAIR", dropOrder: 1),
        ])
        for row in orders.rows.map(\.order) {
            let base = row.side == .sell ? row.maker : row.taker
            var standing = row.standing.rawValue
            if row.standing == .halfFunded {
                let left = row.base(ofTaker: row.state.remaining)
                standing += " of " + NumberText.brief(left.raw, left.token, .down)
            }
            if !row.isOnRelay { standing += " not-on-relay" }
            table.add([
                .init(row.side.rawValue, row.side == .buy ? .green : .red),
                .init(NumberText.brief(base.raw, base.token, .down)),
                .init(NumberText.price(row.price, row.pair)),
                .init(OrdersText.left(row)),
                .init(Self.remaining(row, state), .dim),
                .init(standing, row.standing == .open && row.isOnRelay ? nil : .yellow),
                .init(row.pair.shownName, .dim),
            ])
        }
        self.table(table, .orders, &grid, area)
    }

    func transactions(_ grid: inout Grid, _ area: LiveArea) {
        let count = state.inFlight.count
        let title = count == 0 ? "Transactions" : "Transactions, \(count) in flight"
        guard state.account != nil else {
            return empty(title, "Read-only: no account is named.", .transactions, &grid, area)
        }
        guard let rows = state.transactions?.rows else {
            return empty(title, "Reading the journal.", .transactions, &grid, area)
        }
        guard !rows.isEmpty else { return empty(title, "None.", .transactions, &grid, area) }
        Self.title(title, isFocused: state.pane == .transactions, &grid, area)
        var table = Table([
            .init("STAGE"), .init("WHAT", minimumWidth: 6), .init("AGE", .right),
            .init("BLOCK", .right, dropOrder: 2), .init("HASH", dropOrder: 1),
        ])
        for row in rows {
            let isBad = [.reverted, .replaced, .dropped, .refused].contains(row.stage)
            let color: Style.Color? = isBad ? .red : row.isUnsettled ? .yellow : .green
            table.add([
                .init(row.stage.rawValue, color),
                .init(PurposeText.word(row.purpose)),
                .init(Self.age(row, state), .dim),
                .init(row.block.map { "\($0)" } ?? "-", .dim),
                .init(String(row.hash.hex.prefix(10)), .dim),
            ])
        }
        self.table(table, .transactions, &grid, area)
    }

    // MARK: Times

    /// What the panes show that changes with the clock alone.
    static func times(_ state: LiveState) -> [String] {
        (state.orders?.rows ?? []).map { remaining($0.order, state) }
            + (state.transactions?.rows ?? []).map { age($0, state) }
    }

    private static func remaining(_ row: OrdersState.Row, _ state: LiveState) -> String {
        TimeText.remaining(until: row.order.expiry, now: state.now)
    }

    /// Whole minutes after the first one.
    private static func age(_ row: TransactionsState.Row, _ state: LiveState) -> String {
        let age = state.now - min(state.now, row.created)
        return TimeSpan.text(age < 60 ? age : age - age % 60)
    }

    // MARK: Balances

    private func balances(_ grid: inout Grid, _ area: LiveArea, _ lines: [String]) {
        Self.title("Balances", isFocused: false, &grid, area)
        for (index, line) in lines.enumerated() where index + 1 < area.rows {
            grid.put(
                painted: line,
                row: area.row + 1 + index,
                column: area.column,
                limit: area.columns
            )
        }
    }

    private func balanceLines(_ width: Int) -> [String] {
        guard let balances = state.balances else { return ["…"] }
        var list = Table([.init(""), .init("", .right), .init("", dropOrder: 1)])
        list.add([
            .init(balances.coin.text),
            .init(NumberText.briefValue(balances.ether.rawValue, 18, .down)), "",
        ])
        for row in balances.rows {
            list.add([
                .init(PlainText.name(row.token.symbol)),
                row.balance.map {
                    .init(NumberText.briefValue($0, row.token.decimals, .down))
                } ?? .init(UnknownText.word, .yellow),
                .init(Self.allowance(row), .dim),
            ])
        }
        for position in balances.positions {
            let text = profit(position)
            if let text {
                list.add([.init("open profit"), .init(text.text, text.cellStyle), ""])
            }
            list.add([
                .init("realised"),
                .init(
                    ProfitText.short(position.averageProfit, position.pair.quote),
                    ProfitText.color(position.averageProfit)
                ), "",
            ])
        }
        return list.lines(width: width, style: .ansi)
    }

    private static func allowance(_ row: BalanceState.Row) -> String {
        guard let allowance = row.allowance else { return "allowance \(UnknownText.word)" }
        guard let balance = row.balance, allowance < balance else { return "" }
        return "not all allowed"
    }

    /// What the position would bring beyond its cost at the shown book's mid.
    private func profit(_ position: HistoryState.Position) -> (
        text: String, cellStyle: Style.Color
    )? {
        guard position.held != .zero, let mid = state.shownBook?.mid ?? state.shownPools?.mid,
            let open = UnrealisedProfit(
                held: position.held,
                averageCost: position.heldAverageCost,
                fifoCost: position.heldFIFOCost,
                mid: mid
            )
        else { return nil }
        return (
            ProfitText.short(open.average, position.pair.quote), ProfitText.color(open.average)
        )
    }
}
