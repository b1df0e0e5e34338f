package import DexCore
import Ethereum
import ZeroEx

/// Shows the trades, and the result of each pair.
package typealias HistoryView = StateView<HistoryState>

extension StateView<HistoryState> {
    package func lines(_ screen: Screen) -> [String] {
        var lines: [String] = []
        let place = state.block.map { " at block \($0)" } ?? ""
        if state.rows.isEmpty {
            lines += screen.sentences(
                "\(screen.account(state.account)) has no such trades\(place)."
            )
        } else {
            lines += table(screen)
            if state.rows.contains(where: \.isUnproven) {
                lines += [""]
                lines += screen.sentences("\(Self.mark) \(Self.unproven)", .yellow)
            }
            for position in state.positions {
                lines.append("")
                lines += self.position(position, screen)
            }
            lines.append("")
            lines += screen.sentences(
                "\(NumberText.count(state.rows.count, "trade")) of "
                    + "\(screen.account(state.account))\(place).",
                .dim
            )
        }
        if state.otherGas != .zero {
            lines += screen.sentences(
                "Gas of transactions without a trade: "
                    + (state.otherGas.map { NumberText.ether($0, state.coin) } ?? UnknownText.word)
                    + ".",
                .dim
            )
        }
        for warning in state.warnings { lines += screen.warning(warning) }
        return lines
    }

    /// In place of the profit of what has no known cost.
    private static var noCost: String { "no cost" }

    /// Stands behind the side of a fill whose arrival is not proven.
    static var mark: String { "*" }

    private static var unproven: String {
        "What arrived is what the exchange says: the account's balances around the block do not show "
            + "it. The token may have kept a part."
    }

    private func table(_ screen: Screen) -> [String] {
        let hashes = ShortHashes(state.rows.map(\.transaction.hex), screen)
        let rows = state.rows.map { HistoryJSON.Trade(row: $0, coin: state.coin) }
        var lines = HistoryJSON.trade.lines(rows, screen, isNumbered: true)
        // Each transaction follows its last row.
        for index in state.rows.indices.reversed() {
            let hash = state.rows[index].transaction
            let isLast =
                index + 1 == state.rows.count || state.rows[index + 1].transaction != hash
            guard isLast else { continue }
            lines.insert(contentsOf: hashes.lines(hash.hex, screen), at: index + 2)
        }
        return lines
    }

    static func profit(_ row: HistoryState.Row) -> Table.Cell {
        guard let profit = row.profit else { return .init("") }
        // Nothing of it was bought here.
        guard row.hasCost else { return .init(Self.noCost, .dim) }
        let text = ProfitText.list(profit.average, row.pair.quote)
        return .init(text, ProfitText.color(profit.average))
    }

    private func position(_ position: HistoryState.Position, _ screen: Screen) -> [String] {
        let (base, quote) = (position.pair.base, position.pair.quote)
        var lines = screen.title(
            "\(position.pair.shownName): "
                + NumberText.count(position.fills, "fill")
        )
        var facts = KeyValueList()
        func amounts(_ amount: UInt256, for total: UInt256) -> String {
            guard amount != .zero else { return "" }
            var text = "\(NumberText.amount(amount, base)) for \(NumberText.amount(total, quote))"
            if let price = Price(quote: total, base: amount) {
                text += ", each \(NumberText.price(price, base: base, quote: quote))"
            }
            return text
        }
        if position.unproven > 0 {
            let count = NumberText.count(position.unproven, "fill")
            facts.add("not proven", "what arrived in \(count): as the exchange says", .yellow)
        }
        facts.add("bought", amounts(position.bought, for: position.cost))
        facts.add("sold", amounts(position.sold, for: position.proceeds))
        if position.held != .zero {
            facts.add("held", NumberText.amount(position.held, base))
            facts.add("cost, average", NumberText.amount(position.heldAverageCost, quote))
            facts.add("cost, FIFO", NumberText.amount(position.heldFIFOCost, quote))
        }
        if let unrealised = position.unrealised { add(unrealised, quote, to: &facts) }
        if position.sold != .zero {
            for (name, profit) in [
                ("profit, average", position.averageProfit), ("profit, FIFO", position.fifoProfit),
            ] {
                guard position.hasCost else {
                    facts.add(name, Self.noCost, .dim)
                    continue
                }
                var text = ProfitText.exact(profit, quote)
                if let after = position.afterGas(profit) {
                    text += " (after gas \(ProfitText.brief(after, quote)))"
                }
                facts.add(name, text, ProfitText.color(profit))
            }
        }
        if position.uncovered != .zero {
            facts.add(
                "without cost",
                "\(NumberText.amount(position.uncovered, base)) of what was sold: not bought here, "
                    + "so not in the profit",
                .yellow
            )
        }
        for fee in position.fees where fee.raw != .zero {
            facts.add("fees", NumberText.amount(fee))
        }
        if position.gas != .zero {
            facts.add(
                "gas",
                position.gas.map { NumberText.ether($0, state.coin) } ?? UnknownText.word
            )
        }
        lines += facts.lines(screen)
        return lines
    }

    private func add(_ profit: UnrealisedProfit, _ quote: Token, to facts: inout KeyValueList) {
        func text(_ amount: SignedAmount, _ dollars: SignedAmount?) -> String {
            let converted = profit.dollars.flatMap { coin in
                dollars.map { " (~\(ProfitText.brief($0, coin.token)))" }
            }
            return ProfitText.brief(amount, quote) + (converted ?? "")
        }
        facts.add(
            "value now",
            text(
                SignedAmount(profit.value, minus: .zero),
                profit.dollars.map { SignedAmount($0.value, minus: .zero) }
            )
        )
        for (name, amount, dollars) in [
            ("open, average", profit.average, profit.dollars?.average),
            ("open, FIFO", profit.fifo, profit.dollars?.fifo),
        ] {
            facts.add(name, text(amount, dollars), ProfitText.color(amount))
        }
    }
}

package typealias RebuildView = StateView<TradeSync.Rebuild>

extension StateView<TradeSync.Rebuild> {
    package func lines(_ screen: Screen) -> [String] {
        let blocks = "\(state.blocks.lowerBound) to \(state.blocks.upperBound)"
        var lines = screen.title("Read the logs of the blocks \(blocks)", .green) + [""]
        var facts = KeyValueList()
        facts.add("on chain", NumberText.count(state.after, "trade"))
        facts.add("in the journal", NumberText.count(state.before, "trade"))
        if state.added + state.removed == 0 {
            facts.add("changed", "nothing: the journal had the same")
        } else {
            facts.add("added", NumberText.count(state.added, "trade"), .yellow)
            facts.add("removed", NumberText.count(state.removed, "trade"), .yellow)
        }
        lines += facts.lines(screen)
        return lines
    }
}
