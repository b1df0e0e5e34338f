package import DexCore
import Ethereum

/// Shows the allowances of the transfer contract.
package typealias AllowancesView = StateView<AllowancesState>

extension StateView<AllowancesState> {
    package func lines(_ screen: Screen) -> [String] {
        let place = "the transfer contract \(state.spender.checksummed)"
        let title = screen.title("\(screen.account(state.owner)) at block \(state.block)")
        guard !state.rows.isEmpty else {
            return title + [""]
                + screen.sentences("No known token of the account may be moved by \(place).")
                + others(screen)
                + MoneyText.warnings(state.warnings, screen)
        }
        return title + [""] + MoneyJSON.own.lines(state.rows, screen) + [""]
            + screen.sentences("So much of each may be moved by \(place).", .dim)
            + others(screen)
            + MoneyText.warnings(state.warnings, screen)
    }

    /// The allowances of other spenders, and the command that takes them back.
    private func others(_ screen: Screen) -> [String] {
        guard !state.others.isEmpty || !state.permit2.isEmpty else { return [] }
        var lines: [String] = []
        if !state.others.isEmpty {
            lines += [""] + screen.title("Others may move") + [""]
            lines += MoneyJSON.grant.lines(state.others, screen)
        }
        if !state.permit2.isEmpty {
            lines += [""] + screen.title("Others may move by Permit2") + [""]
            lines += MoneyJSON.permit2.lines(state.permit2, screen)
            for sentence in GrantText.usability(state.permit2) {
                lines += [""] + screen.sentences(sentence, .yellow)
            }
        }
        return lines + [""]
            + screen.sentences(
                "Take one back with `dex allowance revoke TOKEN --spender SPENDER`, and all with "
                    + "`dex allowance revoke --all`.",
                .dim
            )
    }
}

/// Shows how an allowance will be changed.
struct AllowancePlanView: Sendable {
    let plan: AllowancePlan

    func lines(_ screen: Screen) -> [String] {
        let symbol = PlainText.name(plan.token.symbol)
        let title =
            plan.amount == .zero
            ? "Take the allowance of \(symbol) back"
            : plan.amount == .max
                ? "Allow all \(symbol) to be moved"
                : "Allow \(NumberText.amount(plan.amount, plan.token)) to be moved"
        var shown = PlanScreen(title)
        shown.add(.account, plan.account.checksummed)
        shown.add(.block, "\(plan.block)")
        shown.addGas(plan.gas)
        shown.addSteps(plan.steps)
        shown.warnings = plan.warnings
        shown.add(
            .contract,
            "\(symbol) \(plan.token.address.checksummed)",
            label: PlanRow.tokens.label
        )
        shown.add(.spender, "the transfer contract \(plan.spender.checksummed)")
        shown.add(.allowance, NumberText.allowance(plan.current, plan.token), label: "now")
        shown.add(
            .allowance,
            NumberText.allowance(plan.amount, plan.token),
            label: "then",
            plan.amount == .max ? .yellow : nil
        )
        shown.addFeeOrNone(plan.gas)
        return shown.lines(screen)
    }
}

/// Shows how an allowance was changed.
struct AllowanceOutcomeView: Sendable {
    let outcome: AllowanceOutcome

    func lines(_ screen: Screen) -> [String] {
        let color: Style.Color = outcome.ending == .done ? .green : .yellow
        var lines = screen.title(headline, color) + [""]
        var facts = KeyValueList()
        facts.add("token", outcome.plan.token.address.checksummed)
        facts.add("by", "the transfer contract \(outcome.plan.spender.checksummed)")
        facts.add(
            "allowance",
            outcome.allowance.map { NumberText.allowance($0, outcome.plan.token) }
        )
        lines += facts.lines(screen)
        if !outcome.transactions.isEmpty { lines.append("") }
        lines += TransactionLines.lines(outcome.transactions, screen)
        return lines + MoneyText.warnings(outcome.warnings, screen)
    }

    private var headline: String {
        let plan = outcome.plan
        let amount = NumberText.allowance(plan.amount, plan.token)
        let done =
            plan.amount == .zero
            ? "The allowance of \(PlainText.name(plan.token.symbol)) is taken back"
            : "The allowance is \(amount)"
        return MoneyText.headline(
            outcome.ending,
            outcome.transactions.last,
            done: outcome.transactions.isEmpty ? "The allowance is \(amount) already" : done,
            less: "Mined, but the allowance is not \(amount)",
            nothing: "the allowance is as it was"
        )
    }
}
