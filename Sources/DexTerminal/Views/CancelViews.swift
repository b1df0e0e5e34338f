import DexCore
import Ethereum
import ZeroEx

/// Shows which orders will be cancelled.
struct CancelPlanView: Sendable {
    let plan: CancelPlan

    func lines(_ screen: Screen) -> [String] {
        var lines = [
            screen.title("Cancel \(NumberText.count(plan.orders.count, "order")) on chain"), "",
        ]
        lines.append(contentsOf: OrdersView.lines(plan.orders, screen))
        lines.append("")
        var facts = KeyValueList()
        facts.add(plan.gas)
        facts.add("account", plan.account.checksummed)
        MoneyText.addSteps(plan.steps, to: &facts)
        lines.append(contentsOf: facts.lines(screen))
        return lines + MoneyText.below(plan.warnings, screen)
    }
}

/// Shows the outcome of cancelled orders.
struct CancelOutcomeView: Sendable {
    let outcome: CancelOutcome

    func lines(_ screen: Screen) -> [String] {
        let done = outcome.rows.filter { $0.status == .cancelled }.count
        var lines = [
            screen.title(
                "Cancelled \(done) of \(NumberText.count(outcome.rows.count, "order"))",
                outcome.ending == .done ? .green : .yellow
            ), "",
        ]
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
