import DexCore
import Ethereum
import ZeroEx

/// Shows which order is cancelled, and the order that takes its place.
struct ReplaceOrderPlanView: Sendable {
    let plan: ReplaceOrderPlan

    func lines(_ screen: Screen) -> [String] {
        let order = plan.order
        var shown = PlanScreen("Replace an order: \(MoneyText.terms(order))")
        LimitPlanView.add(order, gas: plan.gas, to: &shown, screen)
        shown.addGas(plan.gas)
        shown.addSteps(plan.steps)
        shown.add(
            .steps,
            "\(plan.steps.count + 1). sign and post the new order",
            label: plan.steps.isEmpty ? nil : ""
        )
        var facts = KeyValueList()
        for row in plan.cancel.orders {
            facts.add("cancel", row.order.hash.hex)
            facts.add("", Self.words(row))
        }
        shown.lists = [facts.lines(screen)]
        shown.warnings = plan.warnings
        return shown.lines(screen)
    }

    /// `sell 100 ZRX at 0.0009 WETH per ZRX, 80 % left`.
    private static func words(_ row: OrdersState.Row) -> String {
        let base = row.side == .buy ? row.taker : row.maker
        var text = MoneyText.terms(row.side, base, row.price, row.pair)
        if row.state.filled > .zero {
            text += ", \(OrdersText.part(row.state.filled, of: row)) filled"
        }
        return text
    }
}

/// Shows which of the two orders stands.
struct ReplaceOrderOutcomeView: Sendable {
    let outcome: ReplaceOrderOutcome

    func lines(_ screen: Screen) -> [String] {
        if let placed = outcome.placed {
            let isDone = outcome.error == nil
            var lines =
                screen.title(
                    isDone ? "Replaced" : "Cancelled; the new order is not confirmed",
                    isDone ? .green : .yellow
                ) + [""]
            var facts = KeyValueList()
            for row in outcome.cancelled.rows { facts.add("cancelled", row.orderHash.hex) }
            lines.append(contentsOf: facts.lines(screen))
            lines.append("")
            lines.append(contentsOf: LimitOutcomeView(outcome: placed).lines(screen))
            return lines + TransactionLines.lines(outcome.cancelled.transactions, screen)
                + MoneyText.warnings(outcome.cancelled.warnings, screen)
        }
        let title =
            outcome.failure == nil
            ? "Not replaced: the new order was not signed"
            : "Cancelled, not replaced: neither order stands for sure"
        var lines = screen.title(title, .yellow) + [""]
        lines.append(contentsOf: CancelOutcomeView(outcome: outcome.cancelled).lines(screen))
        lines.append(contentsOf: TransactionLines.lines(outcome.approvals, screen))
        return lines
    }
}
