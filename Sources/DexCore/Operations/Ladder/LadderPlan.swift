package import Ethereum

/// The orders of a ladder, and the approval before them.
package struct LadderPlan: PlanContent {
    package typealias Outcome = LadderOutcome

    /// In the order in which they are posted.
    package let rungs: [LimitPlan]
    package let steps: [PlannedTransaction]
    package let gas: GasPlan?
    /// The account's balances once all orders are filled whole.
    package var balances: [PlannedBalance] = []
    package let warnings: [String]
    package let stop: DexError?

    package var account: Address { rungs.first?.account ?? .zero }
    package var word: String? { rungs.lazy.compactMap(\.word).first }
}

/// What became of a ladder: the orders that were placed, and why the rest was not.
package struct LadderOutcome: OperationOutcome {
    package let plan: LadderPlan
    package var transactions: [SentTransaction]
    /// In the order of the plan; those behind them were not signed, but perhaps the next one.
    package var placed: [LimitOutcome] = []
    /// Why the next one was not placed; nil if all were.
    package var failure: DexError?

    package var warnings: [String] { placed.flatMap(\.warnings) }

    /// That of the first order: it counts what all of them need.
    package var proof: StateProof? { placed.first?.proof }

    package var error: DexError? {
        guard let cause = failure ?? placed.last?.error else { return nil }
        return LadderError.stopped(
            standing: placed.count { $0.posted },
            of: plan.rungs.count,
            cause: cause
        )
    }
}
