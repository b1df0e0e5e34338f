package import Ethereum

/// A block, and what became of each of its transactions.
package struct BlockState: Sendable {
    package let network: String
    package let block: Block
    /// The number of the node's latest block.
    package let latest: UInt64
    /// The number of its transactions, shown or not.
    package let count: Int
    /// In block order.
    package let rows: [TransactionRow]
}
