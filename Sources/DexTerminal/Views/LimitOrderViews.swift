import DexCore
import Ethereum
import ZeroEx

/// Shows the limit order that will be signed.
struct LimitPlanView: Sendable {
    let plan: LimitPlan

    func lines(_ screen: Screen) -> [String] {
        var shown = PlanScreen(MoneyText.capitalized(MoneyText.terms(plan)))
        shown.details = Self.details(plan)
        shown.warnings = plan.warnings
        shown.numbers = Self.numbers(plan, gas: plan.gas, screen)
        return shown.lines(screen)
    }

    /// How the order is made.
    static func details(_ plan: LimitPlan) -> KeyValueList {
        var facts = KeyValueList()
        facts.add("account", plan.account.checksummed)
        if plan.draft.fees.recipient != .zero {
            facts.add("fees to", plan.draft.fees.recipient.checksummed)
        }
        if plan.draft.fees.sender != .zero {
            facts.add("filled by", "only \(plan.draft.fees.sender.checksummed), as the relay wants")
        }
        facts.add("hash", plan.orderHash.hex)
        if let gas = plan.gas { facts.addGas(gas) }
        MoneyText.addSteps(plan.steps, to: &facts)
        return facts
    }

    /// What the decision needs, the most important first.
    ///
    /// - Parameter gas: of all that is sent; nil if nothing is.
    static func numbers(_ plan: LimitPlan, gas: GasPlan?, _ screen: Screen) -> KeyValueList {
        var facts = KeyValueList()
        facts.add("give", NumberText.amount(plan.give))
        facts.add("get", ">= \(NumberText.amount(plan.get))")
        facts.add(
            "price",
            plan.relative.map { words($0, plan.pair) }
                ?? NumberText.unitPrice(plan.price, plan.pair)
        )
        facts.addMid(plan.mid, of: plan.price, plan.pair)
        if let comparison = plan.comparison {
            let best = NumberText.price(comparison.best, plan.pair)
            let percent = NumberText.percent(basisPoints: comparison.distance)
            facts.add(
                "market",
                comparison.distance == 0 ? best : "\(best), crossed by \(percent)",
                comparison.distance > 0 ? .yellow : nil
            )
        }
        facts.add("expires", TimeText.expiry(UInt256(plan.expires), screen))
        if let gas { facts.addFee(gas) }
        facts.addBalances(plan.balances, NumberText.onceFilled)
        if plan.draft.taker != .zero { facts.add("only for", plan.draft.taker.checksummed) }
        facts.add("maker fee", plan.makerFee.map { NumberText.amount($0) } ?? "none")
        facts.add("taker fee", plan.takerFee.map { NumberText.amount($0) } ?? "none")
        let relays = plan.targets.filter { $0.part == .posts }.map(\.relay)
        if relays.isEmpty { facts.add("relay", "none: the order is not posted") }
        for relay in relays { facts.add("relay", TerminalText.clean(relay)) }
        return facts
    }

    /// `0.00074925: mid-0.1% by bid 0.00074, ask 0.00076, block 12`.
    private static func words(_ relative: RelativePrice, _ pair: Pair) -> String {
        let prices = [("bid", relative.bid), ("ask", relative.ask)].compactMap { name, price in
            price.map { "\(name) \(NumberText.price($0, pair))" }
        }
        return
            "\(NumberText.price(relative.price, pair)): \(TerminalText.clean(relative.typed)) by "
            + (prices + ["block \(relative.block)"]).joined(separator: ", ")
    }
}

/// Shows a limit order that was signed, and which relays have it.
struct LimitOutcomeView: Sendable {
    let outcome: LimitOutcome

    func lines(_ screen: Screen) -> [String] {
        let plan = outcome.plan
        var lines =
            screen.title(
                Self.title(outcome, MoneyText.terms(plan)),
                outcome.error == nil ? .green : .yellow
            ) + [""]
        var facts = KeyValueList()
        facts.add("order", outcome.order.hash.hex)
        facts.add("expires", TimeText.expiry(UInt256(plan.expires), screen))
        if outcome.posted {
            for posting in outcome.postings where posting.isPosted {
                facts.add("relay", TerminalText.clean(posting.relay))
            }
        }
        lines.append(contentsOf: facts.lines(screen))
        lines.append(contentsOf: TransactionLines.lines(outcome.transactions, screen))
        return lines + MoneyText.warnings(outcome.warnings, screen)
    }

    private static func title(_ outcome: LimitOutcome, _ what: String) -> String {
        let count = outcome.postings.count(where: \.isPosted)
        if count == 0 { return "Signed, not posted: \(what)" }
        let all = outcome.postings.count
        return count == all ? "Posted: \(what)" : "Posted on \(count) of \(all) relays: \(what)"
    }
}
