package import Ethereum

package struct TransferOutcome: OperationOutcome {
    package let plan: TransferPlan
    package let transactions: [SentTransaction]
    /// Base units that actually arrived; nil if unknown.
    package let received: UInt256?
    package let warnings: [String]
    /// 0, 11, 12, 13 or 14.
    package let exit: ExitCode
}

extension TransferOutcome {
    package var error: DexError? {
        guard exit == .filledLess else { return DexError(ending: exit, subject) }
        return DexError(OutcomeError.movedLess)
    }
}
