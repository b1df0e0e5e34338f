package import DexCore
import Ethereum
import ZeroEx

/// Shows what a market order or a fill will do, before anything is signed.
package struct TradePlanView: Sendable {
    private let plan: TradePlan

    package init(_ plan: TradePlan) {
        self.plan = plan
    }

    package func lines(_ screen: Screen) -> [String] {
        var lines = [screen.title(headline), ""]
        lines.append(contentsOf: facts.lines(screen))
        lines.append("")
        lines.append(contentsOf: legs(screen))
        if !plan.warnings.isEmpty {
            lines.append("")
            for warning in plan.warnings { lines.append(contentsOf: screen.warning(warning)) }
        }
        return lines
    }

    private var headline: String {
        let receive = NumberText.brief(plan.expectedReceive, plan.receiveToken, .down)
        let pay = NumberText.brief(plan.expectedCost, plan.payToken, .up)
        return plan.side == .buy ? "Buy >= \(receive) for \(pay)" : "Sell \(pay) for >= \(receive)"
    }

    private var facts: FactList {
        let base = plan.pair.base
        let quote = plan.pair.quote
        let unit = "\(TerminalText.clean(quote.symbol)) per \(TerminalText.clean(base.symbol))"
        var facts = FactList()
        facts.add(
            "pay",
            "\(NumberText.amount(plan.expectedCost, plan.payToken)), at most "
                + NumberText.amount(plan.maximumCost, plan.payToken)
        )
        facts.add(
            "receive",
            ">= \(NumberText.amount(plan.expectedReceive, plan.receiveToken)), at least "
                + NumberText.amount(plan.minimumReceive, plan.receiveToken)
        )
        facts.add(
            "price",
            "\(NumberText.price(plan.average, base: base, quote: quote)) \(unit) on average, "
                + "\(NumberText.price(plan.worst, base: base, quote: quote)) at worst"
        )
        facts.add(
            "impact",
            plan.impactBasisPoints.map { NumberText.percent(basisPoints: $0) }
                ?? "unknown: there is nothing to compare with",
            plan.impactBasisPoints.map { $0 >= 500 ? .red : $0 >= 100 ? .yellow : nil } ?? .yellow
        )
        facts.add("fees", fees)
        if plan.gas.protocolFee > .zero {
            facts.add(
                "exchange",
                "takes at most \(NumberText.ether(plan.gas.protocolFee)) itself, by the price of "
                    + "gas; what it does not need comes back"
            )
        }
        facts.add("gas", GasText.line(plan.gas))
        facts.add("account", plan.account.checksummed)
        facts.add("block", "\(plan.block)")
        for (index, step) in plan.steps.enumerated() {
            facts.add(
                index == 0 ? "steps" : "",
                "\(index + 1). \(TerminalText.clean(step.summary))"
            )
        }
        if !plan.skipsGoneOrders {
            facts.add("note", "one order that is gone by then fails the whole transaction")
        }
        return facts
    }

    private var fees: String {
        guard let fees = plan.fees else { return "none" }
        var text = NumberText.amount(fees)
        if let most = plan.maximumFees, most.raw > fees.raw {
            text += ", at most \(NumberText.amount(most)),"
        }
        text += " to the relays"
        if plan.paysFeesOnTop { text += ", in what is paid" }
        return text + FeeText.suffix(fees.token, value: plan.feeValue, plan.pair)
    }

    private func legs(_ screen: Screen) -> [String] {
        let base = plan.pair.base
        let quote = plan.pair.quote
        var table = Table([
            .init("ORDER", minimumWidth: 6),
            .init("PRICE", .right),
            .init("PAY \(TerminalText.clean(plan.payToken.symbol))", .right),
            .init("RECEIVE \(TerminalText.clean(plan.receiveToken.symbol))", .right),
            .init("", dropOrder: 1),
        ])
        let payPlaces = NumberText.places(
            forLargest: plan.legs.map { plan.cost(of: $0) }.max() ?? .zero,
            of: plan.payToken
        )
        let receivePlaces = NumberText.places(
            forLargest: plan.legs.map(\.receive).max() ?? .zero,
            of: plan.receiveToken
        )
        let pricePlaces = NumberText.places(
            for: Ratio(plan.average, base: base, quote: quote),
            significant: 7
        )
        for leg in plan.legs {
            let ink: Style.Ink? = leg.isSpare ? .dim : nil
            let price = Ratio(leg.price, base: base, quote: quote)
            let pay = Ratio(plan.cost(of: leg), decimals: plan.payToken.decimals)
            table.add([
                .init("\(leg.orderHash.hex.prefix(10))…", .dim),
                .init(price.text(places: pricePlaces, rounding: .nearest), ink),
                .init(pay.text(places: payPlaces, rounding: .up), ink),
                .init(
                    NumberText.column(leg.receive, of: plan.receiveToken, places: receivePlaces),
                    ink
                ),
                .init(leg.isSpare ? "spare" : "", ink),
            ])
        }
        return table.lines(width: screen.width, style: screen.style)
    }
}

/// How the cost of gas is told.
enum GasText {
    static func line(_ gas: GasPlan) -> String {
        var text = "at most \(NumberText.ether(gas.maxCost))"
        if gas.presentCost < gas.maxCost {
            text += ", \(NumberText.ether(gas.presentCost)) at present prices"
        }
        text += ": \(gas.limit) gas at up to \(NumberText.gwei(gas.maxFeePerGas))"
        if let tip = gas.maxPriorityFeePerGas {
            text += tip == .zero ? ", no tip" : ", tip \(NumberText.gwei(tip))"
        }
        if let priority = gas.priority, priority != .market { text += " (\(priority.rawValue))" }
        if gas.isCapped { text += " (cut to your cap)" }
        return text
    }
}
