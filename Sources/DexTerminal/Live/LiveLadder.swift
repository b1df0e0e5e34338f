import DexCore
import Ethereum
import ZeroEx

/// Draws the book's levels: asks above, worst first, bids below.
struct LiveLadder {
    private let view: LiveView
    private var state: LiveState { view.state }

    init(_ view: LiveView) { self.view = view }

    private struct Level {
        let entry: BookEntry
        let side: TradeSide
        let rank: Int
        /// Base units of BASE that it can fill, and of all better ones that can be taken.
        let base: UInt256
        let total: UInt256
    }

    func draw(_ grid: inout Grid, _ area: LiveArea) {
        grid.mark(.pane(.book), area)
        if let pools = state.shownPools { return draw(pools, &grid, area) }
        guard let book = state.shownBook else {
            LivePanels.title("Book", isFocused: state.pane == .book, &grid, area)
            let text =
                state.troubles[.book].map { TerminalText.clean($0.message) }
                ?? "Reading the book of \(TerminalText.clean(state.pairText))."
            for (index, line) in TerminalText.wrap(text, width: area.columns).enumerated()
            where index + 2 < area.rows {
                grid.put(line, row: area.row + 1 + index, column: area.column, limit: area.columns)
            }
            return
        }
        let isStale = state.isOld ?? true
        LivePanels.title(
            "Book, \(book.asks.count) asks, \(book.bids.count) bids"
                + (book.leftOutCount == 0 ? "" : ", left out \(book.leftOutCount)")
                + (isStale ? ": OLD" : ""),
            isFocused: state.pane == .book,
            &grid,
            area
        )
        // The title, the heads and the spread.
        let room = max(2, area.rows - 3)
        let maximum = state.depth ?? .max
        let (asks, bids) = LadderRows.split(
            asks: min(maximum, book.asks.count),
            bids: min(maximum, book.bids.count),
            room: room
        )
        let askLevels = levels(book.asks, asks)
        let bidLevels = levels(book.bids, bids)
        let shown = window(askLevels, count: asks).reversed() + window(bidLevels, count: bids)
        let deepest = max(askLevels.last?.total ?? .zero, bidLevels.last?.total ?? .zero)
        let largest = shown.map(\.base).max() ?? .zero
        let places = NumberText.places(forLargest: largest, of: book.pair.base)
        let prices = BookPriceText(book)
        let rows = shown.map { cells($0, places, prices) }
        let drawn = { (bar: Int) -> Table in
            var table = Table([
                .init(""), .init("PRICE", .right), .init("AMOUNT", .right),
                .init("TOTAL", .right, dropOrder: 1), .init(bar > 4 ? "DEPTH" : "", dropOrder: 3),
                .init("NOTES", dropOrder: 2, minimumWidth: 4),
            ])
            for (level, row) in zip(shown, rows) {
                let depth =
                    level.entry.isTakeable ? Bar.text(level.total, of: deepest, width: bar) : ""
                let color: Style.Color = level.side == .buy ? .red : .green
                table.add(row.dropLast() + [.init(depth, color)] + row.suffix(1))
            }
            return table
        }
        let others = drawn(0).columnWidths.filter { $0 > 0 }
        let left = area.columns - others.reduce(0) { $0 + $1 + 2 }
        let hasBars = left >= 4
        var lines = drawn(hasBars ? min(30, left) : 0).parts(width: area.columns)
        let middle = 1 + shown.prefix { $0.side == .buy }.count
        lines.insert(
            [(text: "   " + prices.spreadParts[0], color: .dim)],
            at: min(middle, lines.count)
        )
        for (index, line) in lines.enumerated() where index < area.rows - 1 {
            let row = area.row + 1 + index
            grid.put(line, row: row, column: area.column, limit: area.columns)
            guard index > 0, index != middle else { continue }
            let level = shown[index < middle ? index - 1 : index - 2]
            grid.mark(
                .level(level.side, rank: level.rank),
                LiveArea(row: row, column: area.column, rows: 1, columns: area.columns)
            )
            let isSelected = state.cursor.map { $0.side == level.side && $0.rank == level.rank }
            let end = area.column + area.columns
            // The depth is drawn once: by bars, or where they have no room by a shade.
            let shade = hasBars ? 0 : Self.bar(level, of: deepest, columns: area.columns)
            grid.paint(row: row, columns: end - shade..<end) { $0.back = .depth }
            grid.paint(row: row, columns: area.column..<end) { cellStyle in
                if isStale { cellStyle = CellStyle(dim: true) }
                if isSelected == true { cellStyle.back = .selected }
            }
        }
    }

    /// The levels of pools; there is no order to select.
    private func draw(_ pools: PoolBook, _ grid: inout Grid, _ area: LiveArea) {
        let isStale = state.isOld ?? true
        LivePanels.title(
            "Pools, \(PoolText.names(pools))" + (isStale ? ": OLD" : ""),
            isFocused: state.pane == .book,
            &grid,
            area
        )
        let maximum = state.depth ?? .max
        let (asks, bids) = LadderRows.split(
            asks: min(maximum, pools.asks.count),
            bids: min(maximum, pools.bids.count),
            room: max(2, area.rows - 3)
        )
        let ladder = PoolLadder(
            pools,
            asks: Array(pools.asks.prefix(asks)),
            bids: Array(pools.bids.prefix(bids))
        )
        var lines = ladder.table(width: area.columns).parts(width: area.columns)
        lines.insert(
            [(text: "   " + ladder.spread[0], color: .dim)],
            at: min(1 + asks, lines.count)
        )
        for (index, line) in lines.enumerated() where index < area.rows - 1 {
            let row = area.row + 1 + index
            grid.put(line, row: row, column: area.column, limit: area.columns)
            guard isStale, index > 0 else { continue }
            grid.paint(row: row, columns: area.column..<area.column + area.columns) {
                $0 = CellStyle(dim: true)
            }
        }
    }

    /// Shaded columns behind a row that show how much can be taken up to it.
    private static func bar(_ level: Level, of deepest: UInt256, columns: Int) -> Int {
        guard level.entry.isTakeable, deepest != .zero else { return 0 }
        let share = UInt256.mulDiv(level.total, UInt256(UInt64(columns)), deepest)
        return max(0, min(columns, Int(clamping: share?.quotient.w0 ?? 0)))
    }

    /// The levels from the best on, as far as they or the cursor are shown.
    private func levels(_ side: LiveSide, _ count: Int) -> [Level] {
        let reach = state.cursor.map { $0.side == side.side ? $0.rank + 1 : 0 } ?? 0
        var total = UInt256.zero
        return side.entries.prefix(max(count, reach)).enumerated().map { rank, entry in
            let base = side.side == .buy ? entry.fillableMaker : entry.fillableTaker
            if entry.isTakeable { total = total.addingSaturating(base) }
            return Level(entry: entry, side: side.side, rank: rank, base: base, total: total)
        }
    }

    /// So many levels: the best ones, or those up to the cursor if it is beyond.
    private func window(_ levels: [Level], count: Int) -> [Level] {
        let end = max(
            min(count, levels.count),
            min(
                levels.count,
                levels.last.map { level in
                    state.cursor?.side == level.side ? (state.cursor?.rank ?? 0) + 1 : 0
                } ?? 0
            )
        )
        return Array(levels[max(0, end - count)..<end])
    }

    /// All cells but the bar, which stands before the last one.
    private func cells(
        _ level: Level,
        _ places: Int,
        _ prices: BookPriceText
    ) -> [Table.Cell] {
        let entry = level.entry
        let isAsk = level.side == .buy
        let isOwn = entry.flags.contains(.own)
        let isSelected = state.cursor.map { $0.side == level.side && $0.rank == level.rank }
        let color: Style.Color =
            isOwn ? .cyan : entry.isTakeable ? (isAsk ? .red : .green) : .dim
        let base = state.shownBook?.pair.base
        let amount = base.map { NumberText.column(level.base, of: $0, places: places) } ?? ""
        let total = base.map { NumberText.column(level.total, of: $0, places: places) } ?? ""
        let notes = entry.flags.filter { $0 != .own }.map(\.rawValue).joined(separator: " ")
        return [
            .init((isSelected == true ? ">" : " ") + (isOwn ? "*" : isAsk ? "a" : "b"), color),
            .init(prices.text(entry.price, of: level.side), color),
            .init(amount, entry.isTakeable ? nil : .dim),
            .init(entry.isTakeable ? total : "-", entry.isTakeable ? nil : .dim),
            .init(notes, .yellow),
        ]
    }
}
