import DexCore
import Ethereum
import ZeroEx

/// Shows what a market order or a fill will do, before anything is signed.
struct TradePlanView: Sendable {
    let plan: TradePlan
    /// The user chose the order, perhaps by the start of its hash: the whole hash is shown.
    var namesOrder = false

    /// Orders in the list unless `--verbose` asks for all.
    private static let mostOrders = 6

    func lines(_ screen: Screen) -> [String] {
        var plan = PlanScreen(headline)
        plan.details = details
        if !self.plan.legs.isEmpty { plan.lists.append(legs(screen)) }
        if let quote = self.plan.quote { plan.lists.append(SwapText.sources(quote, screen)) }
        plan.lists.append(SwapText.alternatives(self.plan, screen))
        plan.warnings = self.plan.warnings
        plan.numbers = numbers
        return plan.lines(screen)
    }

    private var headline: String {
        let receive = Self.promise(
            NumberText.brief(plan.expectedReceive, plan.receiveToken, .down),
            plan.minimumReceive == plan.expectedReceive
                ? nil
                : NumberText.briefValue(plan.minimumReceive, plan.receiveToken.decimals, .down),
            ">="
        )
        let cost = NumberText.brief(plan.expectedCost, plan.payToken, .up)
        let pay =
            plan.maximumCost == plan.expectedCost
            ? cost
            : Self.promise(
                cost,
                NumberText.briefValue(plan.maximumCost, plan.payToken.decimals, .up),
                "<="
            )
        return plan.side == .buy ? "Buy \(receive) for \(pay)" : "Sell \(pay) for \(receive)"
    }

    /// `~100 ZRX (>= 99.9)`: what is expected and its bound; `>= 100 ZRX` where that is the bound.
    private static func promise(_ expected: String, _ bound: String?, _ sign: String) -> String {
        bound.map { "~\(expected) (\(sign) \($0))" } ?? "\(sign) \(expected)"
    }

    /// How it is done.
    private var details: KeyValueList {
        var facts = KeyValueList()
        facts.add("account", plan.account.checksummed)
        facts.add("block", "\(plan.block)")
        facts.add("venue", SwapText.venue(plan))
        for relay in plan.relays { facts.add("shown by", TerminalText.clean(relay)) }
        facts.add("fees", plan.quote.map { SwapText.fees($0, plan.pair) } ?? fees)
        if plan.gas.protocolFee > .zero {
            facts.add(
                "exchange",
                "takes at most \(NumberText.ether(plan.gas.protocolFee, plan.gas.coin)) itself, by the price of "
                    + "gas; what it does not need comes back"
            )
        }
        facts.addGas(plan.gas)
        MoneyText.addSteps(plan.steps, to: &facts)
        if !plan.skipsGoneOrders {
            facts.add("note", "one order that is gone by then fails the whole transaction")
        }
        return facts
    }

    /// What the decision needs, the most important first.
    private var numbers: KeyValueList {
        var facts = KeyValueList()
        if namesOrder { facts.add("order", plan.legs.first?.orderHash.hex) }
        if let origin = plan.origin {
            facts.add(origin.isSpend ? "spend" : "amount", Self.words(origin, plan.gas.coin))
        }
        facts.add("pay", bounded(plan.expectedCost, plan.maximumCost, plan.payToken, "max"))
        facts.add(
            "receive",
            bounded(plan.expectedReceive, plan.minimumReceive, plan.receiveToken, "min")
        )
        let worst = NumberText.price(plan.worst, plan.pair)
        facts.add(
            "price",
            NumberText.unitPrice(plan.average, plan.pair)
                + (plan.worst == plan.average ? "" : " (worst \(worst))")
        )
        facts.addMid(plan.mid, of: plan.average, plan.pair)
        facts.add(
            "impact",
            plan.impactBasisPoints.map { NumberText.percent(basisPoints: $0) }
                ?? "unknown: there is nothing to compare with",
            plan.impactBasisPoints.map { $0 >= 500 ? .red : $0 >= 100 ? .yellow : nil } ?? .yellow
        )
        facts.addFee(plan.gas)
        facts.addBalances(plan.balances, NumberText.change)
        return facts
    }

    /// `500 ZRX: 50% of 1000 ZRX`, or `at most 1 WETH`.
    private static func words(_ origin: AmountOrigin, _ coin: CoinSymbol) -> String {
        var text = (origin.isSpend ? "at most " : "") + NumberText.amount(origin.amount)
        guard let available = origin.available else { return text }
        text += ": \(TerminalText.clean(origin.typed)) of \(NumberText.amount(available))"
        if let reserved = origin.reserved {
            text += ", which leaves \(NumberText.ether(reserved, coin)) for the network fee"
        }
        return text
    }

    /// `~100 ZRX (min 99.9907)`; `at least 100 ZRX` if it cannot be less.
    private func bounded(
        _ expected: UInt256,
        _ bound: UInt256,
        _ token: Token,
        _ word: String
    ) -> String {
        let amount = NumberText.amount(expected, token)
        guard bound != expected else {
            return "\(word == "max" ? "at most" : "at least") \(amount)"
        }
        return "~\(amount) (\(word) \(TokenAmount(raw: bound, token: token).value))"
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
            .init("ORDER", dropOrder: 2, minimumWidth: 6),
            .init("PRICE", .right),
            .init("PAY \(PlainText.name(plan.payToken.symbol))", .right),
            .init("RECEIVE \(PlainText.name(plan.receiveToken.symbol))", .right),
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
        let shown = screen.isVerbose ? plan.legs[...] : plan.legs.prefix(Self.mostOrders)
        for leg in shown {
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
        let lines = table.lines(width: screen.width, style: screen.style)
        guard let last = plan.legs.last, plan.legs.count > shown.count else { return lines }
        let price = Ratio(last.price, base: base, quote: quote)
            .text(places: pricePlaces, rounding: .nearest)
        return lines
            + screen.sentences(
                "… \(plan.legs.count - shown.count) more, the last at \(price) (--verbose)",
                .dim
            )
    }
}

extension KeyValueList {
    /// A price's distance from the book's mid: `0.0012, this is 1.23% above it`.
    ///
    /// - Parameter mid: nil without a book of two sides.
    mutating func addMid(_ mid: Price?, of price: Price, _ pair: Pair, subject: String = "this") {
        guard let mid else { return add("mid", "unknown: no book with a bid and an ask", .dim) }
        let text = NumberText.price(mid, pair)
        let distance = price.basisPoints(from: mid)
        guard distance > 0 else { return add("mid", "\(text), \(subject) is the same") }
        let percent = NumberText.percent(basisPoints: distance)
        add("mid", "\(text), \(subject) is \(percent) \(price > mid ? "above" : "below") it")
    }

    /// Each balance before and after a plan, by its symbol.
    mutating func addBalances(
        _ balances: [PlannedBalance],
        _ text: (PlannedBalance) -> String
    ) {
        for balance in balances {
            add(
                TerminalText.truncate(PlainText.name(balance.currency.symbol), to: 11),
                text(balance)
            )
        }
    }

    /// The network fee of a plan that may have nothing to do.
    mutating func addFeeOrNone(_ gas: GasPlan?) {
        guard let gas else { return add("network fee", "none, there is nothing to do") }
        addFee(gas)
    }

    /// The expected and the maximum network fee.
    mutating func addFee(_ gas: GasPlan) {
        var fee = NumberText.ether(gas.maxCost, gas.coin)
        if gas.presentCost < gas.maxCost {
            fee =
                "~\(NumberText.ether(gas.presentCost, gas.coin)) "
                + "(max \(NumberText.etherValue(gas.maxCost)))"
        }
        if gas.isCapped { fee += ", cut to your cap" }
        add("network fee", fee)
        guard gas.rollup != .none else { return }
        // It is in the network fee, and no gas price bounds it.
        add(
            "data fee",
            "~\(NumberText.ether(gas.rollup.present, gas.coin)) "
                + "(max \(NumberText.etherValue(gas.rollup.most))) of it"
        )
    }

    /// How much gas, and at which price.
    mutating func addGas(_ gas: GasPlan) {
        var amount = NumberText.gas(gas.limit, at: gas.maxFeePerGas, tip: gas.maxPriorityFeePerGas)
        if let priority = gas.priority, priority != .market { amount += " (\(priority.rawValue))" }
        add("gas", amount)
    }
}
