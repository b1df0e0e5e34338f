package import DexCore
import Ethereum

/// Shows the one reason why an order can or cannot be filled, and the remedy.
package typealias WhyView = StateView<WhyState>

extension StateView<WhyState> {
    package func lines(_ screen: Screen) -> [String] {
        let row = state.row
        let base = row.side == .sell ? row.maker : row.taker
        let price = NumberText.price(row.price, row.pair)
        let quote = PlainText.name(row.pair.quote.symbol)
        var lines = screen.sentences(
            TerminalText.clean(state.sentence),
            state.isFillable ? .green : .yellow
        )
        if let remedy = state.remedy {
            lines.append("")
            lines += screen.sentences("  \(TerminalText.clean(remedy))")
        }
        lines.append("")
        lines += screen.sentences(
            "\(row.side == .buy ? "Buy" : "Sell") order of \(NumberText.amount(base)) at \(price) "
                + "\(quote), at block \(state.block).",
            .dim
        )
        if !row.relays.isEmpty {
            let names = row.relays.map { TerminalText.clean($0) }.joined(separator: ", ")
            lines += screen.sentences("Shown by \(names).", .dim)
        }
        for warning in state.warnings { lines += screen.warning(warning) }
        return lines
    }
}
