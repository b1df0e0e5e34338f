import DexCore
import DexStore
import Ethereum
import ZeroEx

/// Draws the depth of the book, or the candles of the day, in braille.
struct LivePicture {
    private let view: LiveView
    private var state: LiveState { view.state }

    init(_ view: LiveView) { self.view = view }

    func draw(_ grid: inout Grid, _ area: LiveArea) {
        if state.showsCandles { candles(&grid, area) } else { depth(&grid, area) }
    }

    // MARK: Depth

    private struct Side {
        var levels: [(price: Price, total: UInt256)] = []
        var own: [Price] = []

        /// The levels that the cursor can reach, and that are within 10 % of the middle.
        init(_ side: LiveSide, near mid: Price?) {
            var total = UInt256.zero
            let end = mid.flatMap { Self.end(side.side, mid: $0) }
            for entry in side.entries.prefix(LiveModel.deepestLevel) {
                if let end, side.side == .buy ? entry.price > end : entry.price < end { break }
                if entry.flags.contains(.own) { own.append(entry.price) }
                guard entry.isTakeable else { continue }
                let base = side.side == .buy ? entry.fillableMaker : entry.fillableTaker
                total = total.addingSaturating(base)
                levels.append((entry.price, total))
            }
        }

        /// The levels of pools that are within 10 % of the middle.
        init(_ side: TradeSide, of pools: PoolBook, near mid: Price?) {
            var total = UInt256.zero
            let end = mid.flatMap { Self.end(side, mid: $0) }
            for level in pools.levels(for: side) {
                if let end, side == .buy ? level.price > end : level.price < end { break }
                total = total.addingSaturating(level.base)
                levels.append((level.price, total))
            }
        }

        /// The last price of a side in the picture; nil beyond 256 bits.
        private static func end(_ side: TradeSide, mid: Price) -> Price? {
            let (quote, isLarge) = mid.quote.multipliedReportingOverflow(by: side == .buy ? 11 : 9)
            let (base, isLong) = mid.base.multipliedReportingOverflow(by: 10)
            return isLarge || isLong ? nil : Price(quote: quote, base: base)
        }
    }

    /// Lowest bid left, highest ask right; the height is what can be taken up to there.
    private func depth(_ grid: inout Grid, _ area: LiveArea) {
        LivePanels.title("Depth", isFocused: false, &grid, area)
        let (bids, asks, text, pair): (Side, Side, BookPriceText, Pair)
        if let book = state.shownBook {
            (bids, asks) = (Side(book.bids, near: book.mid), Side(book.asks, near: book.mid))
            (text, pair) = (BookPriceText(book), book.pair)
        } else if let pools = state.shownPools {
            let mid = pools.mid
            bids = Side(.sell, of: pools, near: mid)
            asks = Side(.buy, of: pools, near: mid)
            (text, pair) = (BookPriceText(pools), pools.pair)
        } else {
            return
        }
        let prices = bids.levels.map(\.price) + asks.levels.map(\.price) + bids.own + asks.own
        guard let low = prices.min(), let high = prices.max(),
            let scale = PriceScale(of: prices, pair)
        else { return }
        // A row for own orders and one for prices.
        var canvas = BrailleCanvas(width: area.columns, height: max(1, area.rows - 3))
        let maximum = max(bids.levels.last?.total ?? .zero, asks.levels.last?.total ?? .zero)
        let columns = area.columns * 2
        var heights = [Int](repeating: 0, count: columns)
        for (side, isBid) in [(bids, true), (asks, false)] {
            let places = side.levels.map { level in
                (
                    column: scale.place(of: level.price, among: columns),
                    dots: dots(level.total, maximum, canvas.dots)
                )
            }
            for (index, place) in places.enumerated() {
                // A level reaches until the next one, and the last one to the edge.
                let next =
                    index + 1 < places.count ? places[index + 1].column : isBid ? 0 : columns - 1
                for column in min(place.column, next)...max(place.column, next) {
                    heights[column] = max(heights[column], place.dots)
                }
            }
        }
        for (column, height) in heights.enumerated() where height > 0 {
            canvas.line(
                column: column / 2,
                rows: 0...height - 1,
                left: column % 2 == 0,
                right: column % 2 == 1
            )
        }
        let middle = middle(bids.levels.first?.price, asks.levels.first?.price, scale, area.columns)
        for row in 0..<canvas.height {
            for column in 0..<area.columns {
                let text = canvas.character(column: column, row: row)
                guard text != " " else { continue }
                grid.put(
                    text,
                    row: area.row + 1 + row,
                    column: area.column + column,
                    CellStyle(column < middle ? .green : .red)
                )
            }
        }
        let marks = area.row + area.rows - 2
        for price in bids.own + asks.own {
            let column = scale.place(of: price, among: area.columns)
            grid.put("*", row: marks, column: area.column + column, CellStyle(.cyan, bold: true))
        }
        let (left, right) = (text.text(low), text.text(high))
        let axis = area.row + area.rows - 1
        grid.put(left, row: axis, column: area.column, limit: area.columns, CellStyle(dim: true))
        let place = area.columns - right.count
        if place > left.count {
            grid.put(right, row: axis, column: area.column + place, CellStyle(dim: true))
        }
    }

    /// The first column of the asks.
    private func middle(_ bid: Price?, _ ask: Price?, _ scale: PriceScale, _ columns: Int) -> Int {
        guard let ask else { return columns }
        guard let bid else { return 0 }
        let (left, right) = (
            scale.place(of: bid, among: columns), scale.place(of: ask, among: columns)
        )
        return max(left + 1, min(right, columns))
    }

    private func dots(_ total: UInt256, _ maximum: UInt256, _ dots: Int) -> Int {
        guard maximum != .zero, total != .zero else { return 0 }
        let share = UInt256.mulDiv(total, UInt256(UInt64(dots)), maximum)?.quotient.w0 ?? 0
        return max(1, min(dots, Int(clamping: share)))
    }

    // MARK: Candles

    /// Candles of so many seconds that the day fits.
    private func candles(_ grid: inout Grid, _ area: LiveArea) {
        guard let trades = state.trades, !trades.rows.isEmpty else {
            LivePanels.title("Candles", isFocused: false, &grid, area)
            grid.put(
                "No trade in the last day.",
                row: area.row + 1,
                column: area.column,
                limit: area.columns,
                CellStyle(dim: true)
            )
            return
        }
        let room = UInt64(max(1, area.columns))
        let widths: [UInt64] = [300, 900, 1_800, 3_600, 7_200, 14_400]
        let interval = widths.first { 86_400 / $0 < room } ?? 21_600
        LivePanels.title("Candles of \(TimeSpan.text(interval))", isFocused: false, &grid, area)
        let made = Candles.make(trades.rows.reversed(), interval: interval)
        let last = made.last?.start ?? 0
        let first = last - min(last, interval * (room - 1))
        var canvas = BrailleCanvas(width: area.columns, height: max(1, area.rows - 2))
        guard
            let scale = PriceScale(
                made.filter { $0.start >= first }.compactMap(\.prices),
                trades.pair
            )
        else { return }
        var cellStyles = [CellStyle](repeating: .plain, count: area.columns)
        for candle in made where candle.start >= first {
            guard let prices = candle.prices else { continue }
            let column = Int(clamping: (candle.start - first) / interval)
            canvas.candle(prices, column: column, scale)
            if cellStyles.indices.contains(column) {
                cellStyles[column] = CellStyle(prices.isRising ? .green : .red)
            }
        }
        for row in 0..<canvas.height {
            for column in 0..<area.columns {
                let text = canvas.character(column: column, row: row)
                if text != " " {
                    grid.put(
                        text,
                        row: area.row + 1 + row,
                        column: area.column + column,
                        cellStyles[column]
                    )
                }
            }
        }
        let offset = view.zone.offset(first)
        let from = TimeText.local(first, offset).dropFirst(11).prefix(5)
        let to = TimeText.local(last, view.zone.offset(last)).dropFirst(11).prefix(5)
        let axis = area.row + area.rows - 1
        grid.put(
            String(from),
            row: axis,
            column: area.column,
            limit: area.columns,
            CellStyle(dim: true)
        )
        grid.put(
            String(to),
            row: axis,
            column: area.column + max(0, area.columns - 5),
            CellStyle(dim: true)
        )
        // Own orders stand at their prices, at the right edge.
        for row in state.orders?.rows ?? [] where row.order.pair == trades.pair {
            let dot = scale.place(of: row.order.price, among: canvas.dots)
            let line = canvas.height - 1 - dot / 4
            grid.put(
                "*",
                row: area.row + 1 + line,
                column: area.column + area.columns - 1,
                CellStyle(.cyan, bold: true)
            )
        }
    }
}
