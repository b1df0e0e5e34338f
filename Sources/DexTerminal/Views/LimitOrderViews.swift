import DexCore
import Ethereum
import ZeroEx

/// Shows the limit order that will be signed.
struct LimitPlanView: Sendable {
    let plan: LimitPlan

    func lines(_ screen: Screen) -> [String] {
        var shown = PlanScreen(MoneyText.capitalized(MoneyText.terms(plan)))
        Self.add(plan, gas: plan.gas, to: &shown, screen)
        shown.addGas(plan.gas)
        shown.addSteps(plan.steps)
        shown.warnings = plan.warnings
        return shown.lines(screen)
    }

    /// The rows of an order that will be signed, without what is sent for it.
    ///
    /// - Parameter gas: of all that is sent; nil if nothing is.
    static func add(_ plan: LimitPlan, gas: GasPlan?, to shown: inout PlanScreen, _ screen: Screen)
    {
        shown.add(.account, plan.account.checksummed)
        if plan.draft.fees.recipient != .zero {
            shown.add(.feeRecipient, plan.draft.fees.recipient.checksummed)
        }
        if plan.draft.fees.sender != .zero {
            shown.add(
                .filler,
                "only \(plan.draft.fees.sender.checksummed), as the relay wants"
            )
        }
        shown.add(.hash, plan.orderHash.hex)
        addRelays(of: plan, to: &shown, none: "none: the order is not posted")
        if plan.draft.taker != .zero {
            shown.add(.recipient, plan.draft.taker.checksummed, label: "only for")
        }
        shown.add(.expires, TimeText.expiry(UInt256(plan.expires), screen))
        shown.add(.pay, NumberText.amount(plan.give), label: "give")
        shown.add(.receive, ">= \(NumberText.amount(plan.get))", label: "get")
        shown.add(
            .price,
            plan.relative.map { words($0, plan.pair) }
                ?? NumberText.unitPrice(plan.price, plan.pair)
        )
        shown.addMid(plan.mid, of: plan.price, plan.pair)
        if let comparison = plan.comparison {
            let best = NumberText.price(comparison.best, plan.pair)
            let percent = NumberText.percent(basisPoints: comparison.distance)
            shown.add(
                .market,
                comparison.distance == 0 ? best : "\(best), crossed by \(percent)",
                comparison.distance > 0 ? .yellow : nil
            )
        }
        shown.add(.fees, plan.makerFee.map { NumberText.amount($0) } ?? "none", label: "maker fee")
        shown.add(.fees, plan.takerFee.map { NumberText.amount($0) } ?? "none", label: "taker fee")
        if let gas { shown.addFee(gas) }
        shown.addBalances(plan.balances, NumberText.onceFilled)
    }

    /// The relays that the order is posted to.
    ///
    /// - Parameter none: what is said where there is none.
    static func addRelays(of plan: LimitPlan, to shown: inout PlanScreen, none: String) {
        let relays = plan.targets.filter { $0.part == .posts }.map(\.relay)
        if relays.isEmpty { shown.add(.relay, none) }
        for relay in relays { shown.add(.relay, TerminalText.clean(relay)) }
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
        lines.append(contentsOf: ProofText.lines(outcome.proof, screen))
        return lines + MoneyText.warnings(outcome.warnings, screen)
    }

    private static func title(_ outcome: LimitOutcome, _ what: String) -> String {
        let count = outcome.postings.count(where: \.isPosted)
        if count == 0 { return "Signed, not posted: \(what)" }
        let all = outcome.postings.count
        return count == all ? "Posted: \(what)" : "Posted on \(count) of \(all) relays: \(what)"
    }
}
