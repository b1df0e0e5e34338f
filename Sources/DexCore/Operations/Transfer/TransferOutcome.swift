package import Ethereum

/// What `dex send`, `dex wrap` or `dex unwrap` did.
package struct TransferOutcome: TransactionOutcome {
    package let plan: TransferPlan
    package let transactions: [SentTransaction]
    /// Base units that actually arrived; nil if unknown.
    package let received: UInt256?
    package let warnings: [String]
    package let ending: Ending
}

extension TransferOutcome {
    package static var less: DexError { OutcomeError.movedLess }
}
