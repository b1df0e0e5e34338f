package import Ethereum

/// What `dex allowance set` or `dex allowance revoke` did.
package struct AllowanceOutcome: TransactionOutcome {
    package let plan: AllowancePlan
    package let transactions: [SentTransaction]
    /// Base units that the transfer contract may move now; nil if unknown.
    package let allowance: UInt256?
    package let warnings: [String]
    package let ending: Ending
}

extension AllowanceOutcome {
    /// The allowance is already right; nothing was sent.
    package init(unchanged plan: AllowancePlan) {
        self.init(
            plan: plan,
            transactions: [],
            allowance: plan.current,
            warnings: [],
            ending: .done
        )
    }
}

extension AllowanceOutcome {
    package static var less: DexError { OutcomeError.allowanceNotSet }
}
