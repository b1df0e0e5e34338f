import DexCore
import Ethereum

/// Shows what will be sent, wrapped or unwrapped, with all that it costs.
struct TransferPlanView: Sendable {
    let plan: TransferPlan

    func lines(_ screen: Screen) -> [String] {
        var shown = PlanScreen("\(verb) \(NumberText.amount(plan.amount, plan.paid))")
        shown.add(.account, plan.account.checksummed)
        shown.add(.tokens, plan.token?.address.checksummed)
        shown.add(.block, "\(plan.block)")
        shown.addGas(plan.gas)
        shown.addSteps(plan.steps)
        shown.warnings = plan.warnings
        if plan.kind == .send { shown.add(.recipient, plan.recipientLabel) }
        shown.add(.receive, plan.kind == .send ? nil : received)
        shown.addFee(plan.gas)
        shown.add(.total, total)
        shown.add(.balance, NumberText.amount(plan.balance, plan.paid))
        return shown.lines(screen)
    }

    private var verb: String {
        switch plan.kind {
        case .send: "Send"
        case .wrap: "Wrap"
        case .unwrap: "Unwrap"
        }
    }

    private var received: String {
        NumberText.amount(plan.amount, plan.arriving)
    }

    private var total: String {
        let ether = "at most \(NumberText.ether(plan.total, plan.gas.coin))"
        return plan.paid.token == nil
            ? "\(ether), the gas included"
            : "\(NumberText.amount(plan.amount, plan.paid)) and \(ether) for the gas"
    }
}

/// Shows what was sent, wrapped or unwrapped.
struct TransferOutcomeView: Sendable {
    let outcome: TransferOutcome

    func lines(_ screen: Screen) -> [String] {
        let color: Style.Color = outcome.ending == .done ? .green : .yellow
        var lines = screen.title(headline, color) + [""]
        if outcome.plan.kind == .send {
            var facts = KeyValueList()
            facts.add("to", outcome.plan.recipientLabel)
            lines += facts.lines(screen) + [""]
        }
        lines += TransactionLines.lines(outcome.transactions, screen)
        return lines + MoneyText.warnings(outcome.warnings, screen)
    }

    private var headline: String {
        let plan = outcome.plan
        let amount = NumberText.amount(plan.amount, plan.paid)
        guard let amountReceived = outcome.received else {
            return "Mined, but what arrived could not be read"
        }
        let received = NumberText.amount(amountReceived, plan.arriving)
        return MoneyText.headline(
            outcome.ending,
            outcome.transactions.last,
            done: plan.kind == .send ? "Sent \(amount)" : "\(amount) became \(received)",
            less: amountReceived == .zero
                ? "Mined, but nothing was moved"
                : "Of \(amount) only \(received) arrived",
            nothing: "nothing was moved"
        )
    }
}

extension TransferPlan {
    /// The recipient's address, behind its name if it has one.
    fileprivate var recipientLabel: String {
        recipientName.map { "\($0) (\(recipient.checksummed))" } ?? recipient.checksummed
    }
}
