import DexCore
import Ethereum
import ZeroEx

/// Shows which orders will be cancelled.
struct CancelPlanView: Sendable {
    let plan: CancelPlan

    func lines(_ screen: Screen) -> [String] {
        var shown = PlanScreen("Cancel \(NumberText.count(plan.orders.count, "order")) on chain")
        shown.lists = [OrdersView.lines(plan.orders, screen)]
        shown.warnings = plan.warnings
        shown.numbers.addFee(plan.gas)
        shown.numbers.addGas(plan.gas)
        shown.numbers.add("account", plan.account.checksummed)
        MoneyText.addSteps(plan.steps, to: &shown.numbers)
        return shown.lines(screen)
    }
}

/// Shows the outcome of cancelled orders.
struct CancelOutcomeView: Sendable {
    let outcome: CancelOutcome

    func lines(_ screen: Screen) -> [String] {
        let done = outcome.rows.filter { $0.status == .cancelled }.count
        var lines =
            screen.title(
                "Cancelled \(done) of \(NumberText.count(outcome.rows.count, "order"))",
                outcome.ending == .done ? .green : .yellow
            ) + [""]
        for row in outcome.rows {
            var text = row.status.rawValue
            if row.cancelled != .zero {
                text += ": " + NumberText.amount(row.cancelled, row.takerToken)
            }
            if row.filledMeanwhile != .zero {
                text +=
                    ", filled meanwhile: "
                    + NumberText.amount(row.filledMeanwhile, row.takerToken)
            }
            let ink: Style.Color = row.status == .cancelled ? .green : .yellow
            lines.append(row.orderHash.hex)
            lines.append(
                contentsOf: TerminalText.wrap(text, width: screen.width - 2)
                    .map { "  " + screen.style.paint($0, ink) }
            )
        }
        lines.append("")
        lines.append(contentsOf: TransactionLines.lines(outcome.transactions, screen))
        return lines + MoneyText.warnings(outcome.warnings, screen)
    }
}
