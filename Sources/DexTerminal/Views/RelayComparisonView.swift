package import DexCore
import Ethereum
import ZeroEx

/// Compares what each relay shows of a pair.
package typealias RelayComparisonView = StateView<RelayComparisonState>

extension StateView<RelayComparisonState> {
    package func lines(_ screen: Screen) -> [String] {
        let base = PlainText.name(state.pair.base.symbol)
        let quote = PlainText.name(state.pair.quote.symbol)
        var lines = [
            Table.join(
                [
                    ("\(base)/\(quote)", .bold),
                    ("  verified at block \(state.block)", nil),
                ],
                width: screen.width,
                style: screen.style
            ), "",
        ]
        var table = Table([
            .init("#", .right), .init("ORDERS", .right, dropOrder: 2),
            .init("USABLE", .right, dropOrder: 4), .init("ONLY THERE", .right, dropOrder: 1),
            .init("BEST BID", .right), .init("BEST ASK", .right),
            .init("TIME", .right, dropOrder: 3), .init("STATE"),
        ])
        for (index, row) in state.rows.enumerated() {
            let isOut = row.failure != nil
            table.add([
                .init("\(index + 1)", isOut ? .dim : nil),
                .init("\(row.received)", isOut ? .dim : nil),
                .init("\(row.usable)", isOut ? .dim : nil),
                .init("\(row.onlyThere)", isOut ? .dim : nil),
                .init(price(row.bid), isOut ? .dim : isBest(row.bid, state.bid) ? .green : nil),
                .init(price(row.ask), isOut ? .dim : isBest(row.ask, state.ask) ? .red : nil),
                .init("\(row.milliseconds) ms", .dim),
                .init(isOut ? "left out" : "ok", isOut ? .yellow : .green),
            ])
        }
        lines += table.lines(width: screen.width, style: screen.style)
        lines.append("")
        lines += RelayLegend(state.rows.map(\.relay)).lines(screen)
        lines.append("")
        lines += screen.sentences(
            "\(NumberText.count(state.usable, "order")) can be filled in the merged book. "
                + "Prices in \(quote) per \(base), after fees.",
            .dim
        )
        for warning in state.warnings { lines += screen.warning(warning) }
        return lines
    }

    private func price(_ price: Price?) -> String {
        price.map { NumberText.price($0, base: state.pair.base, quote: state.pair.quote) } ?? "-"
    }

    private func isBest(_ price: Price?, _ best: Price?) -> Bool {
        guard let price, let best else { return false }
        return price == best
    }
}
