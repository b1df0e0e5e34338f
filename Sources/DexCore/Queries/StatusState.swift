package import ZeroEx

/// The status of a transaction or of an order, for `dex status`.
package enum StatusState: Sendable {
    case transaction(TransactionStatus)
    case order(Order)

    /// The state of an order, and its fills.
    package struct Order: Sendable {
        package let row: OrdersState.Row
        /// The block at which it stands so.
        package let block: UInt64
        /// The oldest first, as far as logs show them.
        package let fills: [FillEvent]
        /// Sentences.
        package let warnings: [String]

        package init(
            row: OrdersState.Row,
            block: UInt64,
            fills: [FillEvent],
            warnings: [String] = []
        ) {
            self.row = row
            self.block = block
            self.fills = fills
            self.warnings = warnings
        }
    }
}
