package import DexStore
package import Ethereum

/// What `dex tx list` shows.
package struct TransactionsState: Sendable {
    package struct Row: Sendable {
        package let hash: TransactionHash
        package let account: Address
        package let nonce: UInt64
        package let purpose: String
        package let stage: TransactionStage
        /// It may still be mined, or needs somebody to look at it.
        package let isUnsettled: Bool
        /// Seconds since 1970.
        package let created: UInt64
        package let block: UInt64?
        /// The block that a reorganization took it out of.
        package let reorgedFromBlock: UInt64?
        /// A lower nonce that is free: it is not mined before that is used.
        package let waitsFor: UInt64?
        package let successor: TransactionHash?
        package let predecessor: TransactionHash?
        /// The most that it pays for a unit of gas; nil where its bytes cannot be read.
        package let price: Wei?
    }

    package let rows: [Row]
    /// The latest block; nil where the node was not asked or did not tell.
    package let block: UInt64?
    package let warnings: [String]
}
