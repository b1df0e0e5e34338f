import Ethereum

/// What one look at a node shows of a transaction.
struct TransactionObservation: Hashable, Sendable {
    /// What a look means.
    enum Finding: Hashable, Sendable {
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
        /// The look tells nothing.
        case unseen

        /// One of each that stands for all that are treated alike.
        static let all: [Finding] = [
            .included(succeeded: true, isDeep: false), .included(succeeded: true, isDeep: true),
            .included(succeeded: false, isDeep: false), .included(succeeded: false, isDeep: true),
            .claimed, .orphaned, .pooled, .nonceUsed, .missing, .unseen,
        ]
    }

    /// The receipt, which is surely this transaction's.
    var receipt: TransactionReceipt?
    /// The receipt's block is part of the chain; nil where nobody checked yet.
    var isCanonical: Bool?
    /// The transaction as the node knows it, mined or not.
    var info: TransactionInfo?
    /// The account has used its nonce; nil where nobody asked.
    var isNonceUsed: Bool?
    /// The number of the latest block; nil where the node did not tell.
    var head: UInt64?

    /// A look that got no answer.
    static let nothing = TransactionObservation()

    /// The node knows nothing of it.
    var isEmpty: Bool { receipt == nil && info == nil }

    /// Blocks that hold it, its own included; 0 without a receipt.
    var depth: UInt64 {
        guard let receipt else { return 0 }
        let latest = max(head ?? 0, receipt.blockNumber)
        let (depth, overflow) = (latest - receipt.blockNumber).addingReportingOverflow(1)
        return overflow ? latest : depth
    }

    /// What it means.
    ///
    /// - Parameter confirmations: blocks that must hold it, its own included.
    func finding(confirmations: UInt64 = 1) -> Finding {
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
