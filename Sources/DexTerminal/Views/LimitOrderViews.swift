import DexCore
import Ethereum
import ZeroEx

/// Shows the limit order that will be signed.
struct LimitPlanView: Sendable {
    let plan: LimitPlan

    func lines(_ screen: Screen) -> [String] {
        let verb = plan.side == .buy ? "Buy" : "Sell"
        let base = plan.side == .buy ? plan.get : plan.give
        let price = NumberText.unitPrice(plan.price, plan.pair)
        var lines = [
            screen.title("\(verb) \(NumberText.amount(base)) at \(price)"), "",
        ]
        lines.append(contentsOf: Self.facts(plan, screen).lines(screen))
        return lines + MoneyText.below(plan.warnings, screen)
    }

    static func facts(_ plan: LimitPlan, _ screen: Screen) -> KeyValueList {
        var facts = KeyValueList()
        facts.add("give", NumberText.amount(plan.give))
        facts.add("get", ">= \(NumberText.amount(plan.get))")
        if let comparison = plan.comparison {
            let best = NumberText.price(comparison.best, plan.pair)
            let percent = NumberText.percent(basisPoints: comparison.distance)
            facts.add(
                "market",
                comparison.distance == 0 ? best : "\(best), crossed by \(percent)",
                comparison.distance > 0 ? .yellow : nil
            )
        }
        facts.add("expires", TimeText.expiry(UInt256(plan.expires), now: screen.now))
        facts.add("maker fee", plan.makerFee.map { NumberText.amount($0) } ?? "none")
        facts.add("taker fee", plan.takerFee.map { NumberText.amount($0) } ?? "none")
        if plan.draft.fees.recipient != .zero {
            facts.add("fees to", plan.draft.fees.recipient.checksummed)
        }
        if plan.draft.taker != .zero { facts.add("only for", plan.draft.taker.checksummed) }
        if plan.draft.fees.sender != .zero {
            facts.add("filled by", "only \(plan.draft.fees.sender.checksummed), as the relay wants")
        }
        facts.add("account", plan.account.checksummed)
        facts.add(
            "relay",
            plan.relay.map { TerminalText.clean($0) } ?? "none: the order is not posted"
        )
        facts.add("hash", plan.orderHash.hex)
        if let gas = plan.gas { facts.add(gas) }
        MoneyText.addSteps(plan.steps, to: &facts)
        return facts
    }
}

/// Shows a limit order that was signed, and whether the relay has it.
struct LimitOutcomeView: Sendable {
    let outcome: LimitOutcome

    func lines(_ screen: Screen) -> [String] {
        let plan = outcome.plan
        let verb = plan.side == .buy ? "buy" : "sell"
        let base = plan.side == .buy ? plan.get : plan.give
        let what =
            "\(verb) \(NumberText.amount(base)) at \(NumberText.unitPrice(plan.price, plan.pair))"
        var lines = [
            screen.title(
                outcome.posted ? "Posted: \(what)" : "Signed, not posted: \(what)",
                outcome.error == nil ? .green : .yellow
            ), "",
        ]
        var facts = KeyValueList()
        facts.add("order", outcome.order.hash.hex)
        facts.add("expires", TimeText.expiry(UInt256(plan.expires), now: screen.now))
        facts.add("relay", outcome.posted ? plan.relay.map { TerminalText.clean($0) } : nil)
        lines.append(contentsOf: facts.lines(screen))
        lines.append(contentsOf: TransactionLines.lines(outcome.transactions, screen))
        return lines + MoneyText.warnings(outcome.warnings, screen)
    }
}
