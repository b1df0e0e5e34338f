package import DexCore
import DexStore
import Ethereum
import ZeroEx

/// Shows the tape: the trades of a pair, the latest first.
package typealias TradesView = StateView<TradesState>

extension StateView<TradesState> {
    package func lines(_ screen: Screen) -> [String] {
        let pair = state.pair
        let name = pair.shownName
        let since = TimeText.zoned(UInt256(state.since), screen)
        guard !state.rows.isEmpty else {
            // A side may have none.
            let which = state.summary.trades == 0 ? "No trade" : "No such trade"
            return screen.sentences(
                "\(which) of \(name) since \(since) (block \(state.block)). "
                    + "An earlier time: dex trades \(pair.word) --since 7d"
            )
        }
        // A narrow screen has no room for the date.
        let isNarrow = screen.width < 60
        let times = TimeColumn(state.rows.map(\.fill.time), screen, isNarrow ? .clock : .seconds)
        // A column only where there is more than the exchange's orders.
        let hasSources = state.rows.contains { $0.source != .book }
        var columns: [Table.Column] = [
            .init(times.title, dropOrder: 1), .init("SIDE"),
            .init("PRICE \(PlainText.name(pair.quote.symbol))", .right),
            .init("AMOUNT \(PlainText.name(pair.base.symbol))", .right),
            .init("TOTAL \(PlainText.name(pair.quote.symbol))", .right, dropOrder: 2),
        ]
        if hasSources { columns.append(.init("VENUE", dropOrder: 3)) }
        var table = Table(columns + [.init("TRANSACTION", dropOrder: 4, minimumWidth: 12)])
        let largest = state.rows.map(\.base).max() ?? .zero
        let total = state.rows.map(\.quote).max() ?? .zero
        let places = NumberText.places(forLargest: largest, of: pair.base)
        let totalPlaces = NumberText.places(forLargest: total, of: pair.quote)
        for row in state.rows {
            var cells: [Table.Cell] = [
                .init(times.text(row.fill.time), .dim),
                .init(row.side.rawValue, row.side == .buy ? .green : .red),
                .init(
                    row.price.map {
                        NumberText.price($0, base: pair.base, quote: pair.quote)
                    } ?? "-",
                    row.side == .buy ? .green : .red
                ),
                .init(NumberText.column(row.base, of: pair.base, places: places)),
                .init(NumberText.column(row.quote, of: pair.quote, places: totalPlaces)),
            ]
            if hasSources { cells.append(.init(row.source.name, .dim)) }
            table.add(cells + [.init(row.fill.transaction.hex, .dim)])
        }
        let summary = state.summary
        return screen.title("\(name) trades at block \(state.block)") + [""]
            + table.lines(width: screen.width, style: screen.style) + [""]
            + screen.sentences(
                NumberText.count(summary.trades, "trade") + " since \(since): "
                    + MarketText.volume(summary, pair) + ".",
                .dim
            )
    }
}

enum MarketText {
    /// `1200 ZRX for 0.9 WETH`.
    static func volume(_ summary: MarketSummary, _ pair: Pair) -> String {
        NumberText.brief(summary.base, pair.base, .down) + " for "
            + NumberText.brief(summary.quote, pair.quote, .down)
    }
}
