package import Ethereum

/// The transaction to replace, and how.
package struct ReplacementRequest: Hashable, Sendable {
    package let kind: ReplacementPlan.Kind
    package let hash: TransactionHash

    package init(_ kind: ReplacementPlan.Kind, of hash: TransactionHash) {
        self.kind = kind
        self.hash = hash
    }
}

/// The plan of `dex tx speedup` or `dex tx cancel`: another transaction with the same nonce.
package struct ReplacementPlan: PlanContent {
    package typealias Outcome = ReplacementOutcome

    package enum Kind: String, Sendable {
        /// The same call, with higher fees.
        case speedup
        /// An empty transaction with the same nonce.
        case cancel
    }

    package let kind: Kind
    package let account: Address
    /// The replaced transaction.
    package let hash: TransactionHash
    /// Its purpose, by the journal.
    package let purpose: String
    package let nonce: UInt64
    /// The number of replacements with this nonce, including this one.
    package let count: Int
    /// The highest gas price of the replaced one.
    package let replacedPrice: Wei
    /// Ether to send.
    package let value: Wei
    package let block: UInt64
    package let steps: [PlannedTransaction]
    package let gas: GasPlan
    /// The most ether that leaves: value and gas.
    package let total: Wei
    package let warnings: [String]
}
