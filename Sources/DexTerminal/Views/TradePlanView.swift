import DexCore
import Ethereum
import ZeroEx

/// Shows what a market order or a fill will do, before anything is signed.
struct TradePlanView: Sendable {
    let plan: TradePlan
    /// The user chose the order, perhaps by the start of its hash: the whole hash is shown.
    var namesOrder = false
    /// How it came to this plan; nil without anything to say.
    var note: String?

    /// Orders in the list unless `--verbose` asks for all.
    private static let maximumOrders = 6

    func lines(_ screen: Screen) -> [String] {
        var shown = PlanScreen(plan.headline)
        addDetails(to: &shown)
        addNumbers(to: &shown)
        if !plan.legs.isEmpty { shown.lists.append(legs(screen)) }
        if let quote = plan.quote { shown.lists.append(SwapText.sources(quote, screen)) }
        shown.lists.append(SwapText.alternatives(plan.alternatives, of: plan.pair, screen))
        shown.warnings = plan.warnings
        return shown.lines(screen)
    }

    /// How it is done.
    private func addDetails(to shown: inout PlanScreen) {
        shown.add(.account, plan.account.checksummed)
        shown.add(.block, "\(plan.block)")
        shown.add(.venue, SwapText.venue(plan))
        for relay in plan.relays { shown.add(.shownBy, TerminalText.clean(relay)) }
        if plan.gas.protocolFee > .zero {
            shown.add(
                .exchangeFee,
                "takes at most \(NumberText.ether(plan.gas.protocolFee, plan.gas.coin)) itself, by the price of "
                    + "gas; what it does not need comes back"
            )
        }
        shown.addGas(plan.gas)
        shown.addSteps(plan.steps)
        shown.add(.note, note)
        if !plan.skipsGoneOrders {
            shown.add(.note, "one order that is gone by then fails the whole transaction")
        }
    }

    /// What the decision needs.
    private func addNumbers(to shown: inout PlanScreen) {
        if namesOrder { shown.add(.order, plan.legs.first?.orderHash.hex) }
        if let origin = plan.origin {
            shown.add(.amount, origin, plan.gas.coin)
        }
        shown.add(.pay, plan.payText)
        shown.add(.receive, plan.receiveText)
        let worst = NumberText.price(plan.worst, plan.pair)
        shown.add(
            .price,
            NumberText.unitPrice(plan.average, plan.pair)
                + (plan.worst == plan.average ? "" : " (worst \(worst))")
        )
        shown.addMid(plan.mid, of: plan.average, plan.pair)
        shown.add(
            .impact,
            plan.impactBasisPoints.map { NumberText.percent(basisPoints: $0) }
                ?? "unknown: there is nothing to compare with",
            plan.impactBasisPoints.map { $0 >= 500 ? .red : $0 >= 100 ? .yellow : nil } ?? .yellow
        )
        shown.add(.fees, plan.quote.map { SwapText.fees($0, plan.pair) } ?? fees)
        shown.addFee(plan.gas)
        shown.addBalances(plan.balances, NumberText.change)
    }

    private var fees: String {
        guard let fees = plan.fees else { return "none" }
        var text = NumberText.amount(fees)
        if let maximum = plan.maximumFees, maximum.raw > fees.raw {
            text += ", at most \(NumberText.amount(maximum)),"
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
        let shown = screen.isVerbose ? plan.legs[...] : plan.legs.prefix(Self.maximumOrders)
        for leg in shown {
            let color: Style.Color? = leg.isBackup ? .dim : nil
            let price = Ratio(leg.price, base: base, quote: quote)
            let pay = Ratio(plan.cost(of: leg), decimals: plan.payToken.decimals)
            table.add([
                .init("\(leg.orderHash.hex.prefix(10))…", .dim),
                .init(price.text(places: pricePlaces, rounding: .nearest), color),
                .init(pay.text(places: payPlaces, rounding: .up), color),
                .init(
                    NumberText.column(
                        leg.receive,
                        of: plan.receiveToken,
                        places: receivePlaces,
                        .down
                    ),
                    color
                ),
                .init(leg.isBackup ? "backup" : "", color),
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
