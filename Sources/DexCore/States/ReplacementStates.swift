package import Ethereum

/// What `dex tx speedup` or `dex tx cancel` will do.
package struct ReplacementPlan: Sendable {
    package enum Kind: String, Sendable {
        /// The same call, with fees that get it mined.
        case speedup
        /// Nothing, with the same nonce.
        case cancel
    }

    package let kind: Kind
    package let account: Address
    /// Whose place is taken.
    package let hash: TransactionHash
    /// What that is for, as the journal has it.
    package let purpose: String
    package let nonce: UInt64
    /// How many transactions with this nonce took another's place, this one included.
    package let count: Int
    /// What the one to replace pays at most for a unit of gas.
    package let replacedPrice: Wei
    /// Ether that goes along.
    package let value: Wei
    package let block: UInt64
    package let steps: [PlannedTransaction]
    package let gas: GasPlan
    /// The most ether that it takes: what goes along and the gas.
    package let total: Wei
    package let warnings: [String]
}

/// What `dex tx speedup` or `dex tx cancel` did.
package struct ReplacementOutcome: Sendable {
    package let plan: ReplacementPlan
    package let transactions: [SentTransaction]
    /// What became of the transaction with this nonce that is in the chain; nil where none is, or
    /// the node does not tell.
    package let mined: TransactionStatus?
    package let warnings: [String]
    /// 0, 11, 12, 13 or 14.
    package let exit: ExitCode
}

/// What `dex tx list` shows.
package struct TransactionsState: Sendable {
    package struct Row: Sendable {
        package let hash: TransactionHash
        package let account: Address
        package let nonce: UInt64
        package let purpose: String
        /// A stage of its life: `pooled`.
        package let status: String
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
