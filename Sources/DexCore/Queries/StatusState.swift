package import ZeroEx

package enum StatusState: Sendable {
    case transaction(TransactionStatus)
    case order(OrdersState.Row, block: UInt64, fills: [FillEvent])
}
