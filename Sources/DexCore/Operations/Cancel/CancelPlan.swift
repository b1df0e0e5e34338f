package import Ethereum

package struct CancelPlan: OperationPlan {
    package let account: Address
    package let orders: [OrdersState.Row]
    package let steps: [PlannedTransaction]
    package let gas: GasPlan
    /// The relays that did not answer: orders that only they have are missing.
    package var unread: [String] = []
    package let warnings: [String]
}
