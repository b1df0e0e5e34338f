package import DexCore
import DexStore
import Ethereum
import ZeroEx

/// Draws the full screen: a pure function of its state and its size.
package struct LiveView: Sendable {
    let state: LiveState
    /// The clock by which times are shown.
    let zone: LocalTime

    /// The smallest screen that shows a book.
    package static let fewestColumns = 40
    package static let fewestRows = 12

    package init(_ state: LiveState, zone: LocalTime) {
        self.state = state
        self.zone = zone
    }

    /// The screen at the state's size.
    package var grid: Grid { grid(columns: state.columns, rows: state.rows) }

    package func grid(columns: Int, rows: Int) -> Grid {
        var grid = panes(columns: columns, rows: rows)
        finish(&grid)
        return grid
    }

    private static func fits(_ grid: Grid) -> Bool {
        grid.columns >= fewestColumns && grid.rows >= fewestRows
    }

    /// All but what changes with the clock, and what is open over it.
    func panes(columns: Int, rows: Int) -> Grid {
        var grid = Grid(columns: columns, rows: rows)
        guard Self.fits(grid) else {
            let text =
                "dex live needs \(Self.fewestColumns)x\(Self.fewestRows); this is \(columns)x\(rows)."
            for (row, line) in TerminalText.wrap(text, width: max(1, columns)).enumerated() {
                grid.put(line, row: row, column: 0)
            }
            return grid
        }
        header(&grid)
        body(&grid)
        if hasGuardRow(grid) { guards(&grid, row: grid.rows - 4) }
        level(&grid, row: grid.rows - 3)
        notes(&grid, row: grid.rows - 2)
        return grid
    }

    /// Adds the status line, and what is open, to the panes.
    func finish(_ grid: inout Grid) {
        guard Self.fits(grid) else { return }
        status(&grid, row: grid.rows - 1)
        LiveDialog(self).draw(&grid)
    }

    /// How the views of commands draw into a part of the screen.
    func screen(_ width: Int, height: Int? = nil) -> Screen {
        Screen(width: width, style: .ansi, now: state.now, height: height, zone: zone)
    }

    // MARK: Header

    /// The pair and its prices left, the account and the network right; what does not fit is left
    /// out, the least important first.
    private func header(_ grid: inout Grid) {
        var ends: [(String, CellStyle)] = []
        if state.frozen != nil { ends.append(("FROZEN", CellStyle(.yellow, bold: true))) }
        if let account = state.account {
            let name = state.accountName.map { TerminalText.clean($0) } ?? account.shortened
            let shown = TerminalText.truncate(name, to: 20)
            ends.append((state.canSign ? shown : "\(shown) read-only", CellStyle(.cyan)))
        } else {
            ends.append(("read-only", CellStyle(.yellow)))
        }
        let network = TerminalText.truncate(TerminalText.clean(state.network), to: 20)
        ends.append((network, CellStyle(dim: true)))
        // Prices come first: who one is matters less, but not that nothing can be signed.
        if grid.columns < 60 {
            ends.removeLast()
            if state.account != nil, state.canSign { ends.removeLast() }
        }
        let width = ends.reduce(0) { $0 + TerminalText.width(of: $1.0) + 2 }
        var place = grid.columns - width + 2
        for (text, cellStyle) in ends {
            place += grid.put(text, row: 0, column: place, cellStyle) + 2
        }
        var column = 0
        func put(_ text: String, _ cellStyle: CellStyle = .plain) {
            guard column + TerminalText.width(of: text) + width <= grid.columns else { return }
            column += grid.put(text, row: 0, column: column, cellStyle) + 2
        }
        let name = state.shownBook?.pair.name ?? state.shownPools?.pair.name ?? state.pairText
        let room = max(8, min(grid.columns / 3, grid.columns - width))
        put(TerminalText.truncate(TerminalText.clean(name), to: room), CellStyle(bold: true))
        guard
            let prices = state.shownBook.map({ BookPriceText($0) })
                ?? state.shownPools.map({ BookPriceText($0) })
        else { return }
        let (bid, ask) = prices.best
        if column + bid.count + ask.count + 12 + width <= grid.columns {
            put("bid \(bid)", CellStyle(.green))
            put("ask \(ask)", CellStyle(.red))
        } else if column + bid.count + ask.count + 1 + width <= grid.columns {
            column += grid.put(bid, row: 0, column: column, CellStyle(.green))
            column += grid.put("/", row: 0, column: column)
            column += grid.put(ask, row: 0, column: column, CellStyle(.red)) + 2
        }
        switch prices.spread {
        case .width(_, .some(let share)): put("spread \(NumberText.percent(basisPoints: share))")
        case .crossed: put("crossed", CellStyle(.yellow))
        case .width, .noBook, .noBids, .noAsks, .unknown: break
        }
        if let mid = prices.mid { put("mid \(mid)") }
    }

    // MARK: Body

    private func body(_ grid: inout Grid) {
        let footer = hasGuardRow(grid) ? 4 : 3
        let area = LiveArea(row: 1, column: 0, rows: grid.rows - 1 - footer, columns: grid.columns)
        let panels = LivePanels(self)
        guard grid.columns >= 66, grid.rows >= 16 else {
            switch state.pane {
            case .book: LiveLadder(self).draw(&grid, area)
            case .orders: panels.orders(&grid, area)
            case .trades: panels.trades(&grid, area)
            case .transactions: panels.transactions(&grid, area)
            }
            return
        }
        let left = min(grid.columns >= 120 ? grid.columns * 5 / 12 : grid.columns * 11 / 20, 90)
        LiveLadder(self).draw(&grid, LiveArea(row: 1, column: 0, rows: area.rows, columns: left))
        panels.draw(
            &grid,
            LiveArea(
                row: 1,
                column: left + 2,
                rows: area.rows,
                columns: grid.columns - left - 2
            )
        )
    }

    // MARK: Footer

    /// What the cursor's level costs.
    private func level(_ grid: inout Grid, row: Int) {
        guard let book = state.shownBook, let cursor = state.cursor else { return }
        let total = book.total(upTo: cursor)
        let pair = book.pair
        let isBuy = cursor.side == .buy
        guard total.base != .zero, let average = Price(quote: total.quote, base: total.base) else {
            grid.put("Nothing can be taken up to here.", row: row, column: 0, CellStyle(dim: true))
            return
        }
        let amount = "\(isBuy ? "buy" : "sell") \(NumberText.brief(total.base, pair.base, .down))"
        let cost =
            (isBuy ? "cost " : "get ")
            + NumberText.brief(total.quote, pair.quote, isBuy ? .up : .down)
        // No number is cut: what does not fit is left out.
        let lines = [
            [amount, "avg \(NumberText.price(average, pair))", cost], [amount, cost], [amount],
        ].map { $0.joined(separator: "  ") }
        let line = lines.first { TerminalText.width(of: $0) <= grid.columns }
        grid.put(line ?? "", row: row, column: 0, CellStyle(isBuy ? .red : .green))
    }

    private var hasGuards: Bool { !state.guards.isEmpty || state.guardReport != nil }

    /// On a low screen guards share the row of the hints, where an outage comes first.
    private func hasGuardRow(_ grid: Grid) -> Bool { hasGuards && grid.rows >= 16 }

    /// What just happened to a guard, else which ones wait; whole items as far as they fit.
    private func guards(_ grid: inout Grid, row: Int) {
        if let report = state.guardReport {
            let text = TerminalText.clean(GuardText.sentence(report))
            let line = TerminalText.truncate(text, to: grid.columns)
            let cellStyle =
                GuardText.isWarning(report) ? CellStyle(.yellow) : CellStyle(.cyan, bold: true)
            grid.put(line.padded(to: grid.columns), row: row, column: 0, cellStyle)
            return
        }
        let line = GuardText.waiting(state.guards, columns: grid.columns)
        grid.put(line.padded(to: grid.columns), row: row, column: 0, CellStyle(.cyan))
    }

    private func notes(_ grid: inout Grid, row: Int) {
        func say(_ text: String, _ cellStyle: CellStyle, row: Int) {
            let line = TerminalText.truncate(text, to: grid.columns)
            grid.put(line.padded(to: grid.columns), row: row, column: 0, cellStyle)
        }
        // An outage is always in sight, whatever else there is to say.
        let trouble = LiveSource.allCases.lazy.compactMap { source in
            state.troubles[source].map { (source, $0) }
        }.first
        if let (source, error) = trouble {
            let text = "\(source.rawValue): \(TerminalText.clean(error.message))"
            say(text, CellStyle(.yellow), row: row)
        }
        let row = trouble == nil ? row : row - 1
        if let note = state.note {
            // What failed is said as a whole, over what is above.
            let lines = TerminalText.wrap(note.text, width: grid.columns)
            let maximum = note.isFailure ? 4 : 1
            let shown = lines.prefix(maximum)
            for (index, line) in shown.enumerated() {
                let place = row - shown.count + 1 + index
                grid.put(
                    line.padded(to: grid.columns),
                    row: place,
                    column: 0,
                    CellStyle(note.isFailure ? .red : .normal)
                )
            }
            return
        }
        if let alert = state.alerts.first {
            let text = "! \(TerminalText.clean(alert.text)): \(TerminalText.clean(alert.value))"
            return say(text, CellStyle(.yellow, bold: true), row: row)
        }
        guard trouble == nil else { return }
        if hasGuards, !hasGuardRow(grid) { return guards(&grid, row: row) }
        if let warning = state.book?.relays.lazy.compactMap(\.warning).first
            ?? state.book?.shortfall?.description
        {
            return say(TerminalText.clean(warning), CellStyle(.yellow), row: row)
        }
        var column = 0
        for action in LiveAction.allCases {
            guard let hint = action.hint, let key = action.keys.first?.label else { continue }
            guard column + key.count + hint.count + 1 <= grid.columns else { break }
            column += grid.put(key, row: row, column: column, CellStyle(.cyan))
            column += grid.put(" \(hint)  ", row: row, column: column, CellStyle(dim: true))
        }
    }

    /// Block, feed, node, gas and venue, the most important first; what does not fit is left out.
    private func status(_ grid: inout Grid, row: Int) {
        var parts: [(String, CellStyle)] = []
        if let head = state.freshness.head {
            let age = state.now > head.timestamp ? state.now - head.timestamp : 0
            if let limit = state.freshness.limit, age > limit {
                parts.append(
                    ("BLOCK OLD \(head.number), \(TimeSpan.text(age))", CellStyle(.red, bold: true))
                )
            } else {
                parts.append(("block \(head.number), \(TimeSpan.text(age))", CellStyle(dim: true)))
            }
        } else {
            parts.append(("no block yet", CellStyle(.yellow)))
        }
        if state.isOld == true {
            parts.append(
                ("BOOK OLD \(Self.seconds(state.freshness.age))", CellStyle(.red, bold: true))
            )
        } else if let source = state.source {
            let way =
                source.polling.isEmpty
                ? "feed" : source.following.isEmpty ? "polling" : "feed and polling"
            parts.append(("\(way) \(Self.seconds(state.freshness.age))", CellStyle(dim: true)))
        } else {
            parts.append(("reading the book", CellStyle(.yellow)))
        }
        if !state.inFlight.isEmpty {
            parts.append(("\(state.inFlight.count) in flight", CellStyle(.yellow, bold: true)))
        }
        if let gas = state.gasPrice {
            parts.append(("gas \(NumberText.gwei(gas))", CellStyle(dim: true)))
        }
        if let venue = state.venue, let pair = state.readPair {
            let prices = [venue.sell, venue.buy].map { price in
                price.map { NumberText.price($0, pair) } ?? "-"
            }
            parts.append(
                ("\(venue.name) \(prices[0])/\(prices[1])", CellStyle(dim: true))
            )
        }
        for server in state.servers {
            parts.append((TerminalText.clean(server), CellStyle(dim: true)))
        }
        var column = 0
        for (text, cellStyle) in parts where column + TerminalText.width(of: text) <= grid.columns {
            column += grid.put(text, row: row, column: column, cellStyle) + 2
        }
    }

    /// `0.4 s` of milliseconds; tenths only while they matter.
    private static func seconds(_ milliseconds: UInt64?) -> String {
        guard let milliseconds else { return "-" }
        guard milliseconds < 10_000 else { return TimeSpan.text(milliseconds / 1_000) }
        return "\(milliseconds / 1_000).\(milliseconds / 100 % 10) s"
    }
}

/// A rectangle of the screen.
struct LiveArea: Hashable, Sendable {
    var row: Int
    var column: Int
    var rows: Int
    var columns: Int
}

extension String {
    /// The text with spaces behind it, up to a width.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - TerminalText.width(of: self)))
    }
}
