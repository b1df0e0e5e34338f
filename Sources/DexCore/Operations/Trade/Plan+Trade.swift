import Ethereum
import ZeroEx

/// A trade that is checked again right before its signature: what is signed now, and how its result
/// is read.
struct CheckedTrade {
    let request: TransactionSender.Request
    /// The result of what was sent, after the transactions before it.
    let outcome:
        (TransactionSender.Result, [SentTransaction]) async throws(DexError) -> TradeOutcome
}

extension Plan<TradePlan> {
    /// A trade: approvals, then the trade, and its actual result.
    ///
    /// - Parameters:
    ///   - purpose: a fill or a swap.
    ///   - contracts: of the exchange, for the approvals; nil if the trade does not use it.
    ///   - signatures: those of the trade itself.
    ///   - recheck: from a fresh batch the same trade, a smaller one, or an error; never anything
    ///     beyond the limits.
    init(
        _ trade: TradePlan,
        command: String,
        purpose: TransactionPurpose,
        contracts: ExchangeContracts?,
        approvals: [PlannedStep],
        signatures: [PlannedSignature],
        context: OperationContext,
        recheck:
            @escaping @Sendable (TransactionSender, GasBudget) async throws(DexError)
            -> CheckedTrade
    ) {
        self.init(
            content: trade,
            command: command,
            conflicts: .move(purpose, isAllowed: context.settings.allowsPending),
            signatures: PlannedSignature.steps(
                approvals,
                context.session,
                price: trade.gas.maxFeePerGas,
                contracts: contracts
            ) + signatures,
            limits: Limits(trade),
            bounds: [FillBounds(trade)],
            hold: { sender async throws(DexError) in
                guard approvals.isEmpty else {
                    throw SignedFileError.notOneTransaction
                }
                let budget = GasBudget(trade.gas, overrides: sender.settings.fees)
                return try await recheck(sender, budget).request
            },
            perform: { sender async throws(DexError) in
                var budget = GasBudget(trade.gas, overrides: sender.settings.fees)
                let approved = try await CallSender(sender: sender, contracts: contracts)
                    .send(approvals, budget: &budget)
                guard approved.isDone else {
                    return TradeOutcome(
                        untraded: trade,
                        approved.transactions,
                        confirmations: sender.settings.confirmations
                    )
                }
                let checked: CheckedTrade
                do throws(DexError) {
                    checked = try await recheck(sender, budget)
                } catch {
                    throw approvals.isEmpty
                        ? error : error.adding("The approval is mined and stays as it is.")
                }
                let result = try await sender.send(checked.request)
                return try await checked.outcome(result, approved.transactions)
            }
        )
    }
}
