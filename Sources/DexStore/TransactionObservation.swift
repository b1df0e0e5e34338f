package import Ethereum

/// What a node showed of a transaction at one time.
package struct TransactionObservation: Hashable, Sendable {
    /// What an observation means.
    package enum Meaning: Hashable, Sendable {
        /// In a block that is part of the chain.
        case included(succeeded: Bool, isDeep: Bool)
        /// The node tells of a block, and nobody checked yet that the chain has it.
        case claimed
        /// In a block that the chain does not have (any more).
        case orphaned
        /// In the pool.
        case pooled
        /// Another transaction with its nonce is mined, or the node does not tell yet that it was
        /// this one.
        case nonceUsed
        /// The node does not know it, and its nonce is free.
        case missing
        /// It shows nothing.
        case unseen

        /// One of each that stands for all that are treated alike.
        package static let all: [Meaning] = [
            .included(succeeded: true, isDeep: false), .included(succeeded: true, isDeep: true),
            .included(succeeded: false, isDeep: false), .included(succeeded: false, isDeep: true),
            .claimed, .orphaned, .pooled, .nonceUsed, .missing, .unseen,
        ]
    }

    /// The receipt, which is surely this transaction's.
    package var receipt: TransactionReceipt?
    /// The receipt's block is part of the chain; nil where nobody checked yet.
    package var isCanonical: Bool?
    /// The transaction as the node knows it, mined or not.
    package var info: TransactionInfo?
    /// The account has used its nonce; nil where nobody asked.
    package var isNonceUsed: Bool?
    /// The number of the latest block; nil where the node did not tell.
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

    /// One without an answer.
    package static let nothing = TransactionObservation()

    /// The node knows nothing of it.
    package var isEmpty: Bool { receipt == nil && info == nil }

    /// Blocks that hold it, its own included; 0 without a receipt.
    package var depth: UInt64 {
        guard let receipt else { return 0 }
        let latest = max(head ?? 0, receipt.blockNumber)
        let (depth, overflow) = (latest - receipt.blockNumber).addingReportingOverflow(1)
        return overflow ? latest : depth
    }

    /// What it means.
    ///
    /// - Parameter confirmations: blocks that must hold it, its own included.
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
        // In a block whose receipts the node does not serve yet: it used its nonce itself.
        if info?.blockNumber != nil { return .claimed }
        // A pool may still list what can never be mined.
        if isNonceUsed == true { return .nonceUsed }
        if info != nil { return .pooled }
        return isNonceUsed == false ? .missing : .unseen
    }
}
