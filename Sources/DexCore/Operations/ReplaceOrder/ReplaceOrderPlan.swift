package import Ethereum

/// A cancel and the order that follows it.
package struct ReplaceOrderPlan: PlanContent {
    package typealias Outcome = ReplaceOrderOutcome

    /// Of one order.
    package let cancel: CancelPlan
    /// The new order.
    package let order: LimitPlan
    /// Of all steps.
    package let gas: GasPlan
    /// An approval for the new order, if it needs one, and the cancel.
    package let steps: [PlannedTransaction]
    package let warnings: [String]
    package let stop: DexError?

    package var account: Address { cancel.account }
    package var word: String? { order.word }
}
