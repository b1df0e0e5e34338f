package import DexCore
import Ethereum
import Uniswap
import ZeroEx

/// Shows the pools of a pair, the deepest first.
package typealias PoolListView = StateView<PoolListState>

extension StateView<PoolListState> {
    package func lines(_ screen: Screen) -> [String] {
        let (base, quote) = (state.pair.base, state.pair.quote)
        var title = "\(state.pair.shownName) at block \(state.block.number)"
        if let mid = state.mid {
            title += ", mid \(NumberText.price(mid, base: base, quote: quote))"
        }
        let names = "\(PlainText.name(quote.symbol)) and \(PlainText.name(base.symbol))"
        return screen.title(title) + PoolJSON.pool.lines(PoolJSON.listed(state), screen)
            + [""]
            + screen.sentences(
                "PAYS and SELLS are the depth at 1 %: the \(names) that a pool pays out until its price "
                    + "has moved by 1 %. The volume is that of 24 hours, in "
                    + "\(PlainText.name(quote.symbol)). \(PoolText.seen(state.nodes))",
                .dim
            ) + state.warnings.flatMap { screen.warning($0) }
    }
}

extension PoolText {
    /// The longest mean that the oracle answers.
    static func reach(_ oracle: PoolListState.Oracle) -> String {
        switch oracle {
        case .none: "-"
        case .reaches(0, _): "none"
        case .reaches(let seconds, _): ">= \(TimeSpan.text(UInt64(seconds)))"
        }
    }

    /// Three digits and a power of ten, such as `1.23e24`, rounded down.
    static func powers(_ number: UInt128) -> String {
        let digits = Array(number.description)
        guard digits.count > 6 else { return String(digits) }
        return "\(digits[0]).\(digits[1])\(digits[2])e\(digits.count - 1)"
    }
}
