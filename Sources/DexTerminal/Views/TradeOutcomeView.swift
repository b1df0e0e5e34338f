package import DexCore
import DexStore
import Ethereum
import ZeroEx

/// Shows what a trade really did, order by order.
struct TradeOutcomeView: Sendable {
    let outcome: TradeOutcome

    func lines(_ screen: Screen) -> [String] {
        var lines = screen.title(headline, outcome.ending == .done ? .green : .yellow) + [""]
        // Before a fill is mined there is nothing to report about its orders.
        let isSettled = outcome.ending == .done || outcome.ending == .less
        if isSettled { lines.append(contentsOf: result(screen)) }
        lines.append(contentsOf: TransactionLines.lines(outcome.transactions, screen))
        return lines + MoneyText.warnings(outcome.warnings, screen)
    }

    private func result(_ screen: Screen) -> [String] {
        let plan = outcome.plan
        var facts = KeyValueList()
        facts.add("received", amountBeside(outcome.received, plan.expectedReceive, isPay: false))
        facts.add("paid", amountBeside(outcome.cost, plan.expectedCost, isPay: true))
        if let fees = plan.fees {
            facts.add(
                "fees",
                NumberText.amount(outcome.fees, fees.token)
                    + (plan.paysFeesOnTop ? ", in what was paid" : "")
            )
        } else {
            facts.add("fees", "none")
        }
        if outcome.protocolFee > .zero {
            facts.add(
                "exchange",
                "took \(NumberText.ether(outcome.protocolFee, outcome.plan.gas.coin)) itself"
            )
        }
        facts.add(
            "price",
            outcome.effectivePrice.map { NumberText.unitPrice($0, plan.pair) }
        )
        if let loss = outcome.quoteLoss, loss.raw > .zero, let points = outcome.quoteLossPoints {
            let percent = DecimalText.format(UInt256(points), decimals: 2)
            facts.add(
                "lost",
                "\(NumberText.amount(loss.raw, loss.token)) (\(percent) %) to the quote"
            )
        }
        if let quote = outcome.plan.quote {
            facts.add("venue", TerminalText.clean(quote.venue))
            facts.add("route", SwapText.route(quote))
        }
        facts.add("in block", rivals)
        let table = outcome.legs.isEmpty ? [] : legs(screen) + [""]
        return facts.lines(screen) + [""] + table
    }

    /// What others did at the same pools in the block; nil where the warnings say it, or it is of no
    /// pool.
    private var rivals: String? {
        guard case .success(let found) = outcome.frontRunning, found.ahead.isEmpty else {
            return nil
        }
        return "nobody was before it in its direction"
    }

    private var headline: String {
        let plan = outcome.plan
        let received =
            outcome.received.map { NumberText.brief($0, plan.receiveToken, .down) }
            ?? "an unknown amount of \(PlainText.name(plan.receiveToken.symbol))"
        let paid =
            outcome.cost.map { NumberText.brief($0, plan.payToken, .up) }
            ?? "an unknown amount of \(PlainText.name(plan.payToken.symbol))"
        let verb =
            plan.side == .buy ? "Bought \(received) for \(paid)" : "Sold \(paid) for \(received)"
        let isEmpty = outcome.received == .zero && outcome.paid == .zero
        return MoneyText.headline(
            outcome.ending,
            outcome.transactions.last,
            done: isEmpty ? "Mined, but nothing was filled" : verb,
            less: isEmpty
                ? "Mined, but nothing was filled"
                : outcome.received == nil ? verb : "\(verb): below the confirmed minimum",
            nothing: "nothing was traded"
        )
    }

    private func amountBeside(_ real: UInt256?, _ planned: UInt256, isPay: Bool) -> String {
        let token = isPay ? outcome.plan.payToken : outcome.plan.receiveToken
        guard let real else { return "unknown (expected \(NumberText.amount(planned, token)))" }
        let text = NumberText.amount(real, token)
        return real == planned ? text : "\(text) (expected \(NumberText.amount(planned, token)))"
    }

    private func legs(_ screen: Screen) -> [String] {
        let plan = outcome.plan
        var table = Table([
            .init("ORDER", dropOrder: 1, minimumWidth: 6),
            .init("STATUS"),
            .init("PAID \(PlainText.name(plan.payToken.symbol))", .right),
            .init("RECEIVED \(PlainText.name(plan.receiveToken.symbol))", .right),
            .init("WHY", dropOrder: 2, minimumWidth: 12),
        ])
        let payPlaces = NumberText.places(
            forLargest: outcome.legs.map { plan.cost($0.paid, $0.fee) }.max() ?? .zero,
            of: plan.payToken
        )
        let receivePlaces = NumberText.places(
            forLargest: outcome.legs.map(\.received).max() ?? .zero,
            of: plan.receiveToken
        )
        for leg in outcome.legs {
            let color: Style.Color? =
                switch leg.status {
                case .filled: .green
                case .partlyFilled, .skipped: .yellow
                case .untouched: .dim
                }
            let paid = Ratio(plan.cost(leg.paid, leg.fee), decimals: plan.payToken.decimals)
            table.add([
                .init("\(leg.orderHash.hex.prefix(10))…", .dim),
                .init(leg.status.rawValue, color),
                .init(paid.text(places: payPlaces, rounding: .up)),
                .init(
                    NumberText.column(
                        leg.received,
                        of: plan.receiveToken,
                        places: receivePlaces,
                        .down
                    )
                ),
                .init(TerminalText.clean(leg.reason ?? "")),
            ])
        }
        return table.lines(width: screen.width, style: screen.style)
    }
}

/// A command's transactions with whole hashes, since users copy them.
package enum TransactionLines {
    package static func lines(_ transactions: [SentTransaction], _ screen: Screen) -> [String] {
        transactions.flatMap { transaction -> [String] in
            let purpose = PurposeText.word(transaction.purpose.rawValue)
            var parts = ["\(purpose) \(transaction.stage.sentWord)"]
            if let block = transaction.block { parts.append("block \(block)") }
            if let gas = transaction.gasUsed { parts.append("\(gas) gas") }
            if let cost = transaction.cost {
                parts.append(NumberText.ether(cost, transaction.coin))
            }
            let color: Style.Color? =
                switch transaction.stage.ending {
                case .done: .green
                case .notMinedYet: .yellow
                default: .red
                }
            return TerminalText.wrap(parts.joined(separator: ", "), width: screen.width)
                .map { screen.style.paint($0, color) } + ["  \(transaction.hash.hex)"]
                + check(transaction, screen)
        }
    }

    /// What a run on this machine said before the signature, where it could not be made, and what was
    /// proven of its state.
    private static func check(_ transaction: SentTransaction, _ screen: Screen) -> [String] {
        let report = transaction.simulation
        let reason = report?.reason.map { reason in
            "Before it was signed it was not run on this machine: \(TerminalText.clean(reason))."
        }
        let sentences = [reason].compactMap(\.self) + (report?.proof?.sentences ?? [])
        return sentences.flatMap { sentence in
            TerminalText.wrap(TerminalText.clean(sentence), width: screen.width - 2)
                .map { "  " + screen.style.paint($0, .dim) }
        }
    }
}
