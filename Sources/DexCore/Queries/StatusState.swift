package import ZeroEx

/// What `dex status` shows.
package enum StatusState: Sendable {
    case transaction(TransactionStatus)
    case order(OrdersState.Row, block: UInt64, fills: [FillEvent])
}
