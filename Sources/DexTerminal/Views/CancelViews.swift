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
        shown.add(.account, plan.account.checksummed)
        shown.addGas(plan.gas)
        shown.addSteps(plan.steps)
        if !plan.closed.isEmpty { shown.add(.leftOut, Self.closed(plan.closed)) }
        if let gas = plan.gas { shown.addFee(gas) }
        return shown.lines(screen)
    }

    /// Orders that are not open, counted: `3 closed orders (2 filled, 1 expired)`.
    static func closed(_ rows: [OrdersState.Row]) -> String {
        let counts = ClosedOrders.counts(rows).map { "\($0.count) \($0.standing.rawValue)" }
        return NumberText.count(rows.count, "closed order") + " (\(counts.joined(separator: ", ")))"
    }
}

/// Shows the outcome of cancelled orders.
struct CancelOutcomeView: Sendable {
    let outcome: CancelOutcome

    func lines(_ screen: Screen) -> [String] {
        guard !outcome.rows.isEmpty else { return nothing(screen) }
        let done = outcome.rows.filter { $0.status == .cancelled }.count
        var lines =
            screen.title(
                "Cancelled \(done) of \(NumberText.count(outcome.rows.count, "order"))",
                outcome.ending == .done ? .green : .yellow
            ) + [""]
        for row in outcome.rows {
            var text = row.status.rawValue
            if row.cancelled != .zero {
                text += ": " + Self.part(row.cancelled, row)
            }
            if row.filledMeanwhile != .zero {
                text +=
                    ", filled meanwhile: "
                    + Self.part(row.filledMeanwhile, row)
            }
            let color: Style.Color = row.status == .cancelled ? .green : .yellow
            lines.append(row.orderHash.hex)
            lines.append(
                contentsOf: TerminalText.wrap(text, width: screen.width - 2)
                    .map { "  " + screen.style.paint($0, color) }
            )
        }
        lines.append("")
        lines.append(contentsOf: TransactionLines.lines(outcome.transactions, screen))
        return lines + MoneyText.warnings(outcome.warnings, screen)
    }

    private static func part(_ amount: UInt256, _ row: CancelOutcome.Row) -> String {
        row.order.map { OrdersText.part(amount, of: $0) }
            ?? NumberText.amount(amount, row.takerToken)
    }

    private func nothing(_ screen: Screen) -> [String] {
        var reason = "There is no open order."
        if let first = outcome.closed.first {
            reason =
                outcome.closed.count == 1
                ? "The order \(first.order.hash) is \(first.standing.rawValue)."
                : "None is open: \(CancelPlanView.closed(outcome.closed))."
        }
        return screen.title("Nothing to cancel") + screen.sentences(reason, nil)
    }
}
