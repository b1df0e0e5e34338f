import Ethereum
import ZeroEx

/// An operation that consists of calls, sent one after another.
package protocol CallOperation: Operation where Planned == PlannedCalls<Plan> {
    associatedtype Plan: OperationPlan

    /// The result of the calls.
    ///
    /// - Throws: `DexError` if a mined one is unreadable.
    func outcome(
        of planned: PlannedCalls<Plan>,
        _ sent: CallSender.Sent
    ) async throws(DexError) -> Outcome
}

/// Planned calls: their plan, and the data to send them.
package struct PlannedCalls<Plan: OperationPlan>: PlannedOperation {
    package let plan: Plan
    /// For the journal: `cancel`.
    let command: String
    /// The policy for transactions in flight.
    let conflicts: InFlight.ConflictPolicy
    /// The confirmed contracts of the exchange; nil if the plan does not use it.
    var contracts: ExchangeContracts?
    /// Sent in order; together they are the whole plan.
    let steps: [PlannedStep]
    /// nil without steps.
    let gas: GasPlan?
}

extension CallOperation {
    package func signing(_ planned: PlannedCalls<Plan>) -> SigningRun {
        let signatures = planned.gas.map { gas in
            PlannedSignature.steps(
                planned.steps,
                session,
                price: gas.maxFeePerGas,
                contracts: planned.contracts,
                rollup: gas.rollup
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
            sent = try await CallSender(sender: sender, contracts: planned.contracts)
                .send(planned.steps, budget: &budget)
        }
        return try await outcome(of: planned, sent)
    }

    package func ready(
        _ planned: PlannedCalls<Plan>,
        sender: TransactionSender
    ) async throws(DexError) -> TransactionSender.Request {
        guard let gas = planned.gas, planned.steps.count == 1, let step = planned.steps.first else {
            throw DexError(SignedFileError.notOneTransaction)
        }
        let calls = CallSender(sender: sender, contracts: planned.contracts)
        let budget = GasBudget(gas, wish: settings.fees)
        return try await calls.ready(step.call, budget: budget)
    }

    /// The report of a call that did not succeed.
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
