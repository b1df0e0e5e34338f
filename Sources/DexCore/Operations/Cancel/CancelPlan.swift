package import Ethereum

package struct CancelPlan: OperationPlan {
    package let account: Address
    package let orders: [OrdersState.Row]
    package let steps: [PlannedTransaction]
    package let gas: GasPlan
    package let warnings: [String]
}
