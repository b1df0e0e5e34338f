package import DexCore
import Ethereum
import ZeroEx

/// Shows ether, tokens, allowances, their value, and the profit until now.
package typealias BalanceView = StateView<BalanceState>

extension StateView<BalanceState> {
    package func lines(_ screen: Screen) -> [String] {
        var columns: [Table.Column] = [
            .init("TOKEN"), .init("BALANCE", .point), .init("ALLOWANCE", .point, dropOrder: 1),
        ]
        if let worth = state.worth {
            columns.append(
                .init("≈ \(PlainText.name(worth.unit.symbol))", .point, dropOrder: 2)
            )
        }
        var table = Table(columns)
        table.add([
            .init(state.coin.text, .bold),
            .init(NumberText.listValue(state.ether.rawValue, 18, screen)), "",
            .init(value(state.worth?.ether)),
        ])
        for row in state.rows {
            let token = row.token
            let symbol = PlainText.name(token.symbol)
            let unknown = Table.Cell(UnknownText.word, .yellow)
            table.add([
                .init(token.decimals == nil ? "\(symbol) (base units)" : symbol, .bold),
                row.balance.map { raw in
                    .init(
                        NumberText.listValue(raw, token.decimals, screen),
                        raw == .zero ? .dim : nil
                    )
                } ?? unknown,
                row.allowance.map { .init(NumberText.listAllowance($0, token, screen), .dim) }
                    ?? unknown,
                row.balance.map { raw in
                    .init(raw == .zero ? "" : value(state.worth?.tokens[token.address]))
                } ?? (state.worth == nil ? "" : unknown),
            ])
        }
        return screen.title("\(screen.account(state.owner)) at block \(state.block)") + [""]
            + table.lines(width: screen.width, style: screen.style) + total(screen)
            + OpenPositionsText(positions: state.positions).lines(screen)
            + (state.discovered.map { DiscoveredTokensText(tokens: $0).lines(screen) } ?? [])
            + state.warnings.flatMap { screen.warning($0) }
    }

    /// At the middle of the books, rounded; a dash without a price.
    private func value(_ raw: UInt256?) -> String {
        guard let worth = state.worth else { return "" }
        guard let raw else { return "-" }
        let ratio = Ratio(raw, decimals: worth.unit.decimals)
        return ratio.text(places: valuePlaces, rounding: .nearest)
    }

    private var valuePlaces: Int {
        guard let worth = state.worth else { return 0 }
        let ratio = Ratio(worth.known, decimals: worth.unit.decimals)
        return min(Int(worth.unit.decimals ?? 0), max(2, 5 - (ratio.exponent ?? 0)))
    }

    private func total(_ screen: Screen) -> [String] {
        guard let worth = state.worth else { return [] }
        let unit = PlainText.name(worth.unit.symbol)
        var lines = [""]
        let known = "\(value(worth.known)) \(unit)"
        lines += screen.sentences(
            (worth.isPartial
                ? "Value unknown: what could be read is about \(known)"
                : "Value about \(known)")
                + " by the middle of the relay's books"
                + (hasUnknown(worth) ? ", without what has none." : ".")
        )
        if let failure = worth.failure {
            lines += screen.warning("A book could not be read: \(failure)")
        }
        return lines
    }

    private func hasUnknown(_ worth: BalanceState.Worth) -> Bool {
        (state.ether != .zero && worth.ether == nil)
            || state.rows.contains { row in
                row.balance.map { $0 != .zero } ?? false
                    && worth.tokens[row.token.address] == nil
            }
    }
}
