package import DexStore
package import Ethereum

/// The transactions of an account, for `dex tx list`.
package struct TransactionsState: Sendable {
    package struct Row: Sendable {
        package let hash: TransactionHash
        package let account: Address
        package let nonce: UInt64
        package let purpose: String
        package let stage: TransactionStage
        /// It may still be mined, or needs a check.
        package let isUnsettled: Bool
        /// Seconds since 1970.
        package let created: UInt64
        package let block: UInt64?
        /// The block that a reorganization removed.
        package let reorgedFromBlock: UInt64?
        /// A lower unused nonce, which must be used before this can be mined.
        package let waitsFor: NonceGap?
        package let successor: TransactionHash?
        package let predecessor: TransactionHash?
        /// The maximum price of a unit of gas; nil if its bytes cannot be read.
        package let price: Wei?
        /// What it moves or allows; nil if its bytes cannot be read.
        package var subject: TransactionSubject?
        /// The name by which the user knows the recipient; nil if it has none.
        package var recipientName: String?
    }

    package var rows: [Row]
    /// The latest block; nil if the node was not asked or did not report it.
    package let block: UInt64?
    package let warnings: [String]
}
