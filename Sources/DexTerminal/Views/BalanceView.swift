package import DexCore
import Ethereum
import ZeroEx

/// Shows ether, tokens, allowances, their value, and the profit until now.
package typealias BalanceView = StateView<BalanceState>

extension StateView<BalanceState> {
    package func lines(_ screen: Screen) -> [String] {
        screen.title("\(screen.account(state.owner)) at block \(state.block)") + [""]
            + ReadJSON.holding.lines(ReadJSON.holdings(state), screen) + total(screen)
            + OpenPositionsText(positions: state.positions).lines(screen)
            + (state.discovered.map { DiscoveredTokensText(tokens: $0).lines(screen) } ?? [])
            + state.warnings.flatMap { screen.warning($0) }
    }

    private func total(_ screen: Screen) -> [String] {
        guard let marketValue = state.marketValue else { return [] }
        let unit = PlainText.name(marketValue.unit.symbol)
        var lines = [""]
        let known = "\(marketValue.text(marketValue.known)) \(unit)"
        lines += screen.sentences(
            (marketValue.isPartial
                ? "Value unknown: what could be read is about \(known)"
                : "Value about \(known)")
                + " by the middle of the relay's books"
                + (hasUnknown(marketValue) ? ", without what has none." : ".")
        )
        if let failure = marketValue.failure {
            lines += screen.warning("A book could not be read: \(failure)")
        }
        return lines
    }

    private func hasUnknown(_ marketValue: BalanceState.MarketValue) -> Bool {
        (state.ether != .zero && marketValue.ether == nil)
            || state.rows.contains { row in
                row.balance.map { $0 != .zero } ?? false
                    && marketValue.tokens[row.token.address] == nil
            }
    }
}

extension BalanceState.MarketValue {
    /// At the middle of the books, rounded; a dash without a price.
    func text(_ raw: UInt256?) -> String {
        guard let raw else { return "-" }
        let exponent = Ratio(known, decimals: unit.decimals).exponent ?? 0
        let places = min(Int(unit.decimals ?? 0), max(2, 5 - exponent))
        return Ratio(raw, decimals: unit.decimals).text(places: places, rounding: .nearest)
    }
}
