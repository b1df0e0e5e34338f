import DexCore
import Ethereum
import Uniswap
import ZeroEx

/// The levels of pools as a table, the best prices of both sides in the middle.
struct PoolLadder {
    private let pair: Pair
    /// The best first.
    private let asks: [PoolBook.Level]
    private let bids: [PoolBook.Level]
    private let prices: BookPriceText
    private let amountPlaces: Int

    /// - Parameters:
    ///   - asks: the shown levels, the best ones.
    ///   - bids: likewise.
    init(_ book: PoolBook, asks: [PoolBook.Level], bids: [PoolBook.Level]) {
        pair = book.pair
        self.asks = asks
        self.bids = bids
        prices = BookPriceText(book)
        let largest = (asks + bids).map(\.base).max() ?? .zero
        amountPlaces = NumberText.places(forLargest: largest, of: book.pair.base)
    }

    /// What stands between asks and bids.
    var spread: [String] { prices.spreadParts }

    func lines(_ screen: Screen) -> [String] {
        var drawn = table(width: screen.width).lines(width: screen.width, style: screen.style)
        // Numbers are never cut: what does not fit goes on its own line.
        let whole = spread.joined(separator: "   ")
        let middle = (TerminalText.width(of: whole) > screen.width ? spread : [whole])
            .flatMap { TerminalText.wrap($0, width: screen.width) }
            .map { screen.style.paint($0, .bold) }
        drawn.insert(contentsOf: middle, at: drawn.count - bids.count)
        return drawn
    }

    /// The asks, the worst first, and the bids below; the bars use the remaining width.
    func table(width: Int) -> Table {
        let others = table(bar: 0, width).columnWidths.filter { $0 > 0 }
        let room = width - others.reduce(0) { $0 + $1 + 2 }
        return table(bar: room < 4 ? 0 : min(30, room), width)
    }

    private func table(bar: Int, _ width: Int) -> Table {
        var columns: [Table.Column] = [
            .init("PRICE", .right), .init("AMOUNT", .right), .init("TOTAL", .right, dropOrder: 1),
            .init(bar >= 5 ? "DEPTH" : "", dropOrder: 2), .init("POOL", minimumWidth: 4),
        ]
        let hasSides = width >= 52
        if hasSides { columns.insert(.init(""), at: 0) }
        var table = Table(columns)
        let (asks, bids) = (totals(asks), totals(bids))
        let deepest = max(asks.last?.total ?? .zero, bids.last?.total ?? .zero)
        for (side, rows) in [(TradeSide.buy, asks.reversed()), (.sell, bids)] {
            let color: Style.Color = side == .buy ? .red : .green
            for (level, total) in rows {
                let cells: [Table.Cell] = [
                    .init(prices.text(level.price, of: side), color),
                    .init(amount(level.base)), .init(amount(total)),
                    .init(Bar.text(total, of: deepest, width: bar), color),
                    .init(level.pool.kind.name, .dim),
                ]
                table.add((hasSides ? [.init(side == .buy ? "ask" : "bid", color)] : []) + cells)
            }
        }
        return table
    }

    private func amount(_ raw: UInt256) -> String {
        NumberText.column(raw, of: pair.base, places: amountPlaces)
    }

    private func totals(
        _ levels: [PoolBook.Level]
    ) -> [(level: PoolBook.Level, total: UInt256)] {
        var total = UInt256.zero
        return levels.map { level in
            total = total.addingSaturating(level.base)
            return (level, total)
        }
    }
}
