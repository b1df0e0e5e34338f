import Ethereum
import ZeroEx

extension Plan {
    /// A plan that consists of calls, sent one after another.
    ///
    /// - Parameters:
    ///   - contracts: the confirmed contracts of the exchange; nil if the plan does not use it.
    ///   - steps: sent in order; together they are the whole plan.
    ///   - gas: nil without steps.
    ///   - outcome: the result of the calls; it throws if a mined one is unreadable.
    init(
        _ content: Content,
        command: String,
        conflicts: InFlight.ConflictPolicy,
        contracts: ExchangeContracts? = nil,
        steps: [PlannedStep],
        gas: GasPlan?,
        session: Session,
        settled: Content.Outcome? = nil,
        outcome:
            @escaping @Sendable (OperationContext, CallSender.Sent) async throws(DexError)
            -> Content.Outcome
    ) {
        self.init(
            content: content,
            command: command,
            conflicts: conflicts,
            signatures: PlannedSignature.steps(steps, session, gas: gas, contracts: contracts),
            limits: Limits(gas: gas),
            settled: settled,
            hold: { sender async throws(DexError) in
                guard let gas, steps.count == 1, let step = steps.first else {
                    throw SignedFileError.notOneTransaction
                }
                return try await CallSender(sender: sender, contracts: contracts)
                    .ready(step.call, budget: GasBudget(gas, overrides: sender.settings.fees))
            },
            perform: { sender async throws(DexError) in
                var sent = CallSender.Sent()
                if let gas {
                    var budget = GasBudget(gas, overrides: sender.settings.fees)
                    sent = try await CallSender(sender: sender, contracts: contracts)
                        .send(steps, budget: &budget)
                }
                return try await outcome(sender.context, sent)
            }
        )
    }
}

extension CallSender.Sent {
    /// The report of calls that did not all succeed.
    ///
    /// - Parameters:
    ///   - steps: all that were planned.
    ///   - nothing: what did not happen: `nothing was moved`.
    func words(_ steps: [PlannedStep], nothing: String, _ settings: TradeSettings) -> [String] {
        guard let last = transactions.last, let step = steps.last else { return [] }
        return [
            last.ending(
                step.call.subject,
                nothing: nothing,
                confirmations: settings.confirmations
            )
        ]
    }
}
