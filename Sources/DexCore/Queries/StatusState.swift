package import ZeroEx

/// The status of a transaction or of an order, for `dex status`.
package enum StatusState: Sendable {
    case transaction(TransactionStatus)
    case order(OrdersState.Row, block: UInt64, fills: [FillEvent])
}
