package import Ethereum

/// A node's view of a transaction at one time.
package struct TransactionObservation: Hashable, Sendable {
    package enum Meaning: Hashable, Sendable {
        /// In a block that is part of the chain.
        case included(succeeded: Bool, isDeep: Bool)
        /// The node names a block, which is not yet checked against the chain.
        case claimed
        /// In a block that is not, or no longer, part of the chain.
        case orphaned
        /// In the pool.
        case pooled
        /// Its nonce is used, and the node does not report by which transaction: perhaps by this one.
        case nonceUsed
        /// It is proved that another transaction used its nonce (`ReplacementProof`).
        case replaced
        /// The node does not know it, and its nonce is free.
        case missing
        /// No information.
        case unseen

        /// One example of each case that is handled alike.
        package static let all: [Meaning] = [
            .included(succeeded: true, isDeep: false), .included(succeeded: true, isDeep: true),
            .included(succeeded: false, isDeep: false), .included(succeeded: false, isDeep: true),
            .claimed, .orphaned, .pooled, .nonceUsed, .replaced, .missing, .unseen,
        ]
    }

    /// The receipt, verified to be this transaction's.
    package var receipt: TransactionReceipt?
    /// The receipt's block is part of the chain; nil if not yet checked.
    package var isCanonical: Bool?
    /// The time of the receipt's block, in seconds since 1970; nil if it was not read.
    package var blockTime: UInt64?
    /// The transaction as the node knows it, mined or not.
    package var info: TransactionInfo?
    /// The account has used its nonce; nil if not requested.
    package var isNonceUsed: Bool?
    /// It is proved that another transaction used its nonce; a receipt contradicts that.
    package var isReplaced = false
    /// The number of the latest block; nil if the node did not report it.
    package var head: UInt64?

    package init(
        receipt: TransactionReceipt? = nil,
        isCanonical: Bool? = nil,
        info: TransactionInfo? = nil,
        isNonceUsed: Bool? = nil,
        head: UInt64? = nil
    ) {
        self.receipt = receipt
        self.isCanonical = isCanonical
        self.info = info
        self.isNonceUsed = isNonceUsed
        self.head = head
    }

    /// An observation without an answer.
    package static let nothing = TransactionObservation()

    /// The node does not know it.
    package var isEmpty: Bool { receipt == nil && info == nil }

    /// The number of blocks that hold it, including its own; 0 without a receipt.
    package var depth: UInt64 {
        guard let receipt else { return 0 }
        let latest = max(head ?? 0, receipt.blockNumber)
        let (depth, overflow) = (latest - receipt.blockNumber).addingReportingOverflow(1)
        return overflow ? latest : depth
    }

    /// Its meaning.
    ///
    /// - Parameter confirmations: the required number of blocks, including its own.
    package func meaning(confirmations: UInt64 = 1) -> Meaning {
        if let receipt {
            switch isCanonical {
            case true:
                return .included(
                    succeeded: receipt.succeeded,
                    isDeep: depth >= max(confirmations, 1)
                )
            case false: return .orphaned
            case nil: return .claimed
            }
        }
        // In a block whose receipts are not yet served: it used its nonce itself.
        if info?.blockNumber != nil { return .claimed }
        if isReplaced { return .replaced }
        // A pool may still list a transaction that can never be mined.
        if isNonceUsed == true { return .nonceUsed }
        if info != nil { return .pooled }
        return isNonceUsed == false ? .missing : .unseen
    }
}
