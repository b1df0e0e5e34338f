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
        lines += RelayJSON.compared.lines(RelayJSON.rows(state), screen)
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
}
