package import DexCore
import Ethereum
import ZeroEx

/// Shows the best prices of a pair and what an amount would cost.
package typealias PriceView = StateView<PriceState>

extension StateView<PriceState> {
    package func lines(_ screen: Screen) -> [String] {
        let base = state.pair.base
        let quote = state.pair.quote
        let unit = PlainText.name(quote.symbol)
        func price(_ value: Price?) -> String {
            value.map { "\(NumberText.price($0, base: base, quote: quote)) \(unit)" } ?? "none"
        }
        var lines = screen.title("\(state.pair.shownName) at block \(state.block)")
        var facts = KeyValueList()
        facts.add("bid", price(state.bid), .green)
        facts.add("ask", price(state.ask), .red)
        facts.add("mid", price(state.mid))
        facts.add("spread", state.spread.map { NumberText.percent(basisPoints: $0) })
        facts.add("pools", state.pools.map { PoolText.names($0.book) })
        facts.add("24 h", trend)
        lines.append(contentsOf: facts.lines(screen))
        if let pools = state.pools { lines += screen.sentences(PoolText.seen(pools.nodes), .dim) }
        for warning in state.warnings { lines += screen.warning(warning) }
        guard let deal = state.quote else { return lines + offers(screen) }
        lines.append("")
        let verb = deal.side == .buy ? "Buy" : "Sell"
        lines += screen.title("\(verb) \(NumberText.amount(deal.amount, base))")
        var details = KeyValueList()
        if deal.fillable < deal.amount {
            details.add("fillable", "only \(NumberText.amount(deal.fillable, base))", .yellow)
        }
        let total = NumberText.amount(deal.total, quote)
        details.add(
            deal.side == .buy ? "pay" : "receive",
            // Nothing bounds what is not yet planned.
            "~\(total)"
        )
        details.add("average", price(deal.average))
        details.add("worst", price(deal.worst))
        details.add(
            "impact",
            NumberText.percent(basisPoints: deal.impactBasisPoints),
            deal.impactBasisPoints >= 100 ? .yellow : nil
        )
        if let fees = deal.fees {
            details.add("fees", FeeText.line(fees, value: deal.feeValue, state.pair))
        }
        details.add("orders", "\(deal.orders)")
        lines.append(contentsOf: details.lines(screen))
        return lines + offers(screen)
    }

    /// The last day's hourly prices, and what was traded; nil without a trade.
    private var trend: String? {
        guard let trend = state.trend, trend.summary.trades > 0 else { return nil }
        return Sparkline.text(trend.slots, state.pair) + "  "
            + MarketText.volume(trend.summary, state.pair)
    }

    /// A row for each venue.
    private func offers(_ screen: Screen) -> [String] {
        guard !state.offers.isEmpty else { return [] }
        var table = Table([
            .init("VENUE"),
            .init("AVERAGE", .right),
            .init("WORST", .right),
            .init("TOTAL \(PlainText.name(state.pair.quote.symbol))", .right),
            .init("GAS", .right, dropOrder: 1),
        ])
        for offer in state.offers {
            table.add([
                .init(offer.venue.rawValue),
                .init(SwapText.price(offer.average, state.pair)),
                .init(SwapText.price(offer.worst, state.pair)),
                .init(
                    offer.total.map { TokenAmount(raw: $0, token: state.pair.quote).value } ?? "-"
                ),
                .init(offer.gas.map { "~\($0)" } ?? "-"),
            ])
        }
        let reasons = state.offers.flatMap { offer in
            offer.reason.map { screen.sentences("\(offer.venue.rawValue): \($0)", .dim) } ?? []
        }
        return [""] + table.lines(width: screen.width, style: screen.style) + reasons
    }
}

enum FeeText {
    /// An amount, and its value if it is in neither token of a pair.
    ///
    /// - Parameter value: base units of QUOTE; nil without a price.
    static func line(_ fees: TokenAmount, value: UInt256?, _ pair: Pair) -> String {
        NumberText.amount(fees) + suffix(fees.token, value: value, pair)
    }

    /// The text after the amount.
    static func suffix(_ token: Token, value: UInt256?, _ pair: Pair) -> String {
        if [pair.base.address, pair.quote.address].contains(token.address) { return "" }
        guard let value else { return " (no value known; the price is without them)" }
        return " (~\(NumberText.brief(value, pair.quote, .up)), in the price)"
    }
}

package typealias TokensView = StateView<TokensState>

extension StateView<TokensState> {
    package func lines(_ screen: Screen) -> [String] {
        guard !state.rows.isEmpty else {
            let requested =
                state.query.map { " matches \"\(TerminalText.clean($0))\"" } ?? " is known"
            return screen.sentences("No token\(requested) on \(state.network).")
        }
        var lines = ReadJSON.listedToken.lines(state.rows, screen)
        // A long list marks warnings; a short one shows them.
        if state.rows.count <= 12 {
            for row in state.rows {
                for warning in row.warnings {
                    lines.append(
                        contentsOf: screen.warning(
                            "\(PlainText.name(row.token.symbol)): \(warning)"
                        )
                    )
                }
            }
        }
        lines.append("")
        let count = NumberText.count(state.rows.count, "token")
        lines.append(contentsOf: screen.sentences("\(count) on \(state.network).", .dim))
        return lines
    }
}
