package import Ethereum

/// Which transaction is to be replaced, and by what.
package struct ReplacementRequest: Hashable, Sendable {
    package let kind: ReplacementPlan.Kind
    package let hash: TransactionHash

    /// - Throws: `DexError`, exit 2, `bad-hash`.
    package init(_ kind: ReplacementPlan.Kind, of text: String) throws(DexError) {
        self.kind = kind
        hash = try reported(Bytes32Error.self, TransactionHash(try Bytes32(hex: text)))
    }
}

/// What `dex tx speedup` or `dex tx cancel` will do.
package struct ReplacementPlan: OperationPlan {
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
