package import DexCore
import Ethereum
import ZeroEx

/// The question before a signature; it repeats what is about to be done.
package struct PlanQuestion: Hashable, Sendable {
    /// The trade in a sentence: `Buy 500 ZRX for ~0.3753 WETH (max 0.3791)?`.
    package let text: String
    /// What must be typed, since `y` is typed by habit; nil if that is enough.
    package let word: String?
    /// Why a word must be typed.
    package let reason: String

    package init(
        _ text: String,
        word: String? = nil,
        reason: String = "The price is outside the safety limit."
    ) {
        self.text = text
        self.word = word
        self.reason = reason
    }

    /// Of a signature whose effect is not known.
    package static let blindReason = "What this does is not known."
    /// Of a transaction that does more than its data say.
    package static let differsReason = "It does what its data do not say."
}

extension PlanQuestion {
    package init(_ plan: TradePlan) { self.init(plan, inParts: 1) }

    package init(_ plan: SplitPlan) { self.init(plan, inParts: plan.parts.count) }

    package init(_ plan: LimitPlan) {
        let text = (plan.relay == nil ? "Sign: " : "") + MoneyText.terms(plan) + "?"
        self.init(
            MoneyText.capitalized(text),
            word: plan.word
        )
    }

    package init(_ plan: LadderPlan) {
        guard let first = plan.rungs.first, let last = plan.rungs.last else {
            self.init("Sign nothing?")
            return
        }
        let verb = first.side == .buy ? "buy" : "sell"
        let base = NumberText.amount(
            LadderPlanView.sum(plan.rungs.map(\.base.raw)),
            first.pair.base
        )
        let text =
            "\(first.relay == nil ? "Sign: " : "")\(verb) \(base) by \(plan.rungs.count) orders from "
            + "\(NumberText.price(first.price, first.pair)) to "
            + "\(NumberText.unitPrice(last.price, first.pair))?"
        self.init(
            MoneyText.capitalized(text),
            word: plan.word
        )
    }

    package init(_ plan: ReplaceOrderPlan) {
        self.init(
            "Cancel the order, then \(MoneyText.terms(plan.order))?",
            word: plan.word
        )
    }

    package init(_ plan: CancelPlan) {
        self.init("Cancel \(NumberText.count(plan.orders.count, "order"))?")
    }

    package init(_ plan: RevocationPlan) {
        self.init("Take \(NumberText.count(plan.grants.count, "allowance")) back?")
    }

    package init(_ plan: AllowancePlan) {
        let symbol = PlainText.name(plan.token.symbol)
        let amount = NumberText.allowance(plan.amount, plan.token)
        self.init(
            plan.amount == .zero
                ? "Take the allowance of \(symbol) back?"
                : plan.amount == .max
                    ? "Allow all \(symbol) to be moved?" : "Allow \(amount) to be moved?"
        )
    }

    package init(_ plan: TransferPlan) {
        let amount = NumberText.amount(plan.amount, plan.paid)
        switch plan.kind {
        case .send:
            let name = plan.recipientName.map { TerminalText.clean($0) }
            self.init("Send \(amount) to \(name ?? plan.recipient.checksummed)?")
        case .wrap: self.init("Wrap \(amount)?")
        case .unwrap: self.init("Unwrap \(amount)?")
        }
    }

    package init(_ plan: TransactPlan) {
        let name = TerminalText.clean(plan.call.name)
        let value =
            plan.value == .zero ? "" : " with \(plan.gas.coin.amount(plan.value))"
        self.init(
            "Call \(name)\(value) in a transaction?",
            word: plan.word,
            reason: plan.review.isBlind ? Self.blindReason : Self.differsReason
        )
    }

    package init(_ plan: ReplacementPlan) {
        let purpose = PurposeText.noun(plan.purpose)
        let fee = "max \(NumberText.ether(plan.gas.maxCost, plan.gas.coin))"
        self.init(
            plan.kind == .speedup
                ? "Speed up the \(purpose) by a higher fee (\(fee))?"
                : "Cancel the \(purpose) by a transaction of the same nonce (\(fee))?"
        )
    }
}
