import DexCore
import Ethereum

/// Shows which allowances will be taken back.
struct RevocationPlanView: Sendable {
    let plan: RevocationPlan

    func lines(_ screen: Screen) -> [String] {
        let count = NumberText.count(plan.grants.count, "allowance")
        var shown = PlanScreen("Take \(count) back")
        shown.add(.account, plan.account.checksummed)
        shown.add(.block, "\(plan.block)")
        shown.addGas(plan.gas)
        shown.addSteps(plan.steps)
        shown.warnings = plan.warnings
        // A list, since rows above the question give way where there are many.
        var list = KeyValueList()
        for grant in plan.grants {
            list.add(
                PlainText.name(grant.token.symbol),
                "\(GrantText.amount(grant)) to \(GrantText.spender(grant))"
            )
        }
        if !plan.grants.isEmpty { shown.lists = [list.lines(screen)] }
        shown.addFeeOrNone(plan.gas)
        return shown.lines(screen)
    }
}

/// Shows which allowances were taken back.
struct RevocationOutcomeView: Sendable {
    let outcome: RevocationOutcome

    func lines(_ screen: Screen) -> [String] {
        let color: Style.Color = outcome.ending == .done ? .green : .yellow
        var lines = screen.title(headline, color)
        if !outcome.plan.grants.isEmpty {
            var facts = KeyValueList()
            for (grant, now) in zip(outcome.plan.grants, outcome.allowances) {
                facts.add(
                    PlainText.name(grant.token.symbol),
                    (now.map { GrantText.amount($0, grant) } ?? UnknownText.word)
                        + " to \(GrantText.spender(grant))",
                    now == .zero ? nil : .yellow
                )
            }
            lines += [""] + facts.lines(screen)
        }
        if !outcome.transactions.isEmpty { lines.append("") }
        lines += TransactionLines.lines(outcome.transactions, screen)
        return lines + MoneyText.warnings(outcome.warnings, screen)
    }

    private var headline: String {
        let count = NumberText.count(outcome.plan.grants.count, "allowance")
        let left = outcome.allowances.count { $0 != .zero }
        return MoneyText.headline(
            outcome.ending,
            outcome.transactions.last,
            done: outcome.transactions.isEmpty
                ? "There is no allowance to take back" : "\(count) taken back",
            less: "Mined, but \(left) of \(count) not taken back",
            nothing: "the allowance is as it was"
        )
    }
}
