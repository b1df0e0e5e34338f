package import Ethereum

package struct AllowanceOutcome: OperationOutcome {
    package let plan: AllowancePlan
    package let transactions: [SentTransaction]
    /// Base units that the transfer contract may move now; nil if unknown.
    package let allowance: UInt256?
    package let warnings: [String]
    /// 0, 11, 12, 13 or 14.
    package let exit: ExitCode
}

extension AllowanceOutcome {
    /// The allowance is already right; nothing was sent.
    package init(unchanged plan: AllowancePlan) {
        self.init(
            plan: plan,
            transactions: [],
            allowance: plan.current,
            warnings: [],
            exit: .done
        )
    }
}

extension AllowanceOutcome {
    package var error: DexError? {
        guard exit == .filledLess else { return DexError(ending: exit, subject) }
        return DexError(OutcomeError.allowanceNotSet)
    }
}
