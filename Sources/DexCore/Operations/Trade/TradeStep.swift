import Ethereum
import ZeroEx

/// A trade at a venue, checked again right before its signature.
protocol TradeStep: Sendable {
    /// As it was confirmed; after a recheck as it is signed.
    var plan: TradePlan { get }

    /// Becomes what is signed now: the same trade, or a smaller one.
    ///
    /// - Throws: `DexError`: it would fail, or cost more than was confirmed.
    mutating func ready(
        _ sender: TransactionSender,
        _ budget: GasBudget
    ) async throws(DexError) -> TransactionSender.Request

    /// The actual result of what was sent, after the transactions before it.
    func outcome(
        of result: TransactionSender.Result,
        after before: [SentTransaction],
        _ sender: TransactionSender
    ) async throws(DexError) -> TradeOutcome
}

extension Plan<TradePlan> {
    /// A trade: approvals, then the trade.
    ///
    /// - Parameters:
    ///   - signatures: those of the trade itself.
    ///   - contracts: of the exchange, for the approvals; nil if the trade does not use it.
    ///   - purpose: a fill or a swap.
    init(
        _ trade: some TradeStep,
        signing signatures: [PlannedSignature],
        after approvals: [PlannedStep],
        contracts: ExchangeContracts?,
        command: String,
        purpose: TransactionPurpose,
        _ context: OperationContext
    ) {
        let approvals = Step.calls(
            approvals,
            context.session,
            gas: trade.plan.gas,
            contracts: contracts,
            precedesTrade: true
        )
        self.init(
            content: trade.plan,
            command: command,
            conflicts: .move(purpose, isAllowed: context.settings.allowsPending),
            steps: approvals + [.trade(trade, signatures)],
            limits: Limits(trade.plan),
            bounds: [FillBounds(trade.plan)]
        )
    }
}

extension TradePlan {
    package static func outcome(
        of plan: Plan<TradePlan>,
        by results: StepResults,
        in context: OperationContext
    ) async throws(DexError) -> TradeOutcome {
        guard var outcome = results.trades.last else {
            return TradeOutcome(
                untraded: plan.content,
                results.transactions,
                confirmations: context.settings.confirmations
            )
        }
        // Nobody read the plan.
        if plan.firedGuard != nil, [.done, .less].contains(outcome.ending) {
            outcome.warnings += plan.content.ownOrderWarnings
        }
        return outcome
    }
}
