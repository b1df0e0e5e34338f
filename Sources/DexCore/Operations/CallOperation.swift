import Ethereum
import ZeroEx

/// An operation that is nothing but calls, sent one after another.
package protocol CallOperation: Operation where Planned == PlannedCalls<Plan> {
    associatedtype Plan: OperationPlan

    /// What the calls did.
    ///
    /// - Throws: `DexError` where what is mined cannot be read.
    func outcome(
        of planned: PlannedCalls<Plan>,
        _ sent: CallSender.Sent
    ) async throws(DexError) -> Outcome
}

/// Calls that are planned: what is shown, and what sends them.
package struct PlannedCalls<Plan: OperationPlan>: PlannedOperation {
    package let plan: Plan
    /// For the journal: `cancel`.
    let command: String
    /// How transactions in flight matter.
    let conflicts: InFlight.ConflictPolicy
    /// The exchange's contracts that were confirmed; nil where it has nothing to do with the plan.
    var contracts: ExchangeContracts?
    /// Sent one after another; together they are all that is planned.
    let steps: [PlannedStep]
    /// nil where there are no steps.
    let gas: GasPlan?
}

extension CallOperation {
    package func signing(_ planned: PlannedCalls<Plan>) -> SigningRun {
        let signatures = planned.gas.map { gas in
            PlannedSignature.steps(
                planned.steps,
                session,
                price: gas.maxFeePerGas,
                contracts: planned.contracts
            )
        }
        return SigningRun(
            command: planned.command,
            conflicts: planned.conflicts,
            signatures: signatures ?? []
        )
    }

    package func perform(
        _ planned: PlannedCalls<Plan>,
        sender: TransactionSender
    ) async throws(DexError) -> Outcome {
        var sent = CallSender.Sent()
        if let gas = planned.gas {
            var budget = GasBudget(gas, wish: settings.fees)
            sent = try await CallSender(
                session: session,
                sender: sender,
                contracts: planned.contracts
            ).send(planned.steps, budget: &budget)
        }
        return try await outcome(of: planned, sent)
    }

    /// The report of a call that did not get through.
    func words(
        _ planned: PlannedCalls<Plan>,
        _ sent: CallSender.Sent,
        nothing: String
    ) -> [String] {
        guard let last = sent.transactions.last, let step = planned.steps.last else { return [] }
        return [
            last.ending(
                step.call.subject,
                nothing: nothing,
                confirmations: settings.confirmations
            )
        ]
    }
}
