package import Ethereum

/// A cancel and the order that follows it.
package struct ReplaceOrderPlan: OperationPlan {
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

    package init(
        cancel: CancelPlan,
        order: LimitPlan,
        gas: GasPlan,
        steps: [PlannedTransaction],
        warnings: [String],
        stop: DexError?
    ) {
        self.cancel = cancel
        self.order = order
        self.gas = gas
        self.steps = steps
        self.warnings = warnings
        self.stop = stop
    }
}
