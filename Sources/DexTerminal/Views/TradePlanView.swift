import DexCore
import Ethereum
import ZeroEx

/// Shows what a market order or a fill will do, before anything is signed.
struct TradePlanView: Sendable {
    let plan: TradePlan

    func lines(_ screen: Screen) -> [String] {
        var lines = [screen.title(headline), ""]
        lines.append(contentsOf: facts.lines(screen))
        if !plan.legs.isEmpty { lines += [""] + legs(screen) }
        if let quote = plan.quote { lines += SwapText.sources(quote, screen) }
        lines += SwapText.alternatives(plan, screen)
        return lines + MoneyText.below(plan.warnings, screen)
    }

    private var headline: String {
        let receive = NumberText.brief(plan.expectedReceive, plan.receiveToken, .down)
        let pay = NumberText.brief(plan.expectedCost, plan.payToken, .up)
        return plan.side == .buy ? "Buy >= \(receive) for \(pay)" : "Sell \(pay) for >= \(receive)"
    }

    private var facts: KeyValueList {
        let base = plan.pair.base
        let quote = plan.pair.quote
        let unit = "\(TerminalText.clean(quote.symbol)) per \(TerminalText.clean(base.symbol))"
        var facts = KeyValueList()
        if let origin = plan.origin {
            facts.add(origin.isSpend ? "spend" : "amount", Self.words(origin))
        }
        facts.add(
            "pay",
            bounded(plan.expectedCost, plan.maximumCost, plan.payToken, isMost: true)
        )
        facts.add(
            "receive",
            bounded(plan.expectedReceive, plan.minimumReceive, plan.receiveToken, isMost: false)
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
        facts.add("venue", SwapText.venue(plan))
        for relay in plan.relays { facts.add("shown by", TerminalText.clean(relay)) }
        facts.add("fees", plan.quote.map { SwapText.fees($0, plan.pair) } ?? fees)
        if plan.gas.protocolFee > .zero {
            facts.add(
                "exchange",
                "takes at most \(NumberText.ether(plan.gas.protocolFee)) itself, by the price of "
                    + "gas; what it does not need comes back"
            )
        }
        facts.add(plan.gas)
        facts.add("account", plan.account.checksummed)
        facts.add("block", "\(plan.block)")
        MoneyText.addSteps(plan.steps, to: &facts)
        if !plan.skipsGoneOrders {
            facts.add("note", "one order that is gone by then fails the whole transaction")
        }
        return facts
    }

    /// `500 ZRX: 50% of 1000 ZRX`, or `at most 1 WETH`.
    private static func words(_ origin: AmountOrigin) -> String {
        var text = (origin.isSpend ? "at most " : "") + NumberText.amount(origin.amount)
        guard let available = origin.available else { return text }
        text += ": \(TerminalText.clean(origin.typed)) of \(NumberText.amount(available))"
        if let reserved = origin.reserved {
            text += ", which leaves \(NumberText.ether(reserved)) for the network fee"
        }
        return text
    }

    /// `100 ZRX expected, 99.9907 minimum`; `at least 100 ZRX` if it cannot be less.
    private func bounded(
        _ expected: UInt256,
        _ bound: UInt256,
        _ token: Token,
        isMost: Bool
    ) -> String {
        let amount = NumberText.amount(expected, token)
        guard bound != expected else { return "\(isMost ? "at most" : "at least") \(amount)" }
        let limit = TokenAmount(raw: bound, token: token).value
        return "\(amount) expected, \(limit) \(isMost ? "maximum" : "minimum")"
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
            let ink: Style.Color? = leg.isBackup ? .dim : nil
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
                .init(leg.isBackup ? "backup" : "", ink),
            ])
        }
        return table.lines(width: screen.width, style: screen.style)
    }
}

extension KeyValueList {
    /// A plan's expected and maximum network fee in ether, and its gas.
    mutating func add(_ gas: GasPlan) {
        var fee = NumberText.ether(gas.maxCost)
        if gas.presentCost < gas.maxCost {
            let most = NumberText.ether(gas.maxCost).split(separator: " ").first ?? ""
            fee = "~\(NumberText.ether(gas.presentCost)) (max \(most))"
        }
        if gas.isCapped { fee += ", cut to your cap" }
        add("network fee", fee)
        var amount = "\(gas.limit) at up to \(NumberText.gwei(gas.maxFeePerGas))"
        if let tip = gas.maxPriorityFeePerGas {
            amount += tip == .zero ? ", no tip" : ", tip \(NumberText.gwei(tip))"
        }
        if let priority = gas.priority, priority != .market { amount += " (\(priority.rawValue))" }
        add("gas", amount)
    }
}
