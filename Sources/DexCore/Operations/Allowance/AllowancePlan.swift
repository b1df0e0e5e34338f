package import Ethereum

/// What `dex allowance set` and `dex allowance revoke` will do.
package struct AllowancePlan: OperationPlan {
    package let account: Address
    package let token: Token
    /// The transfer contract.
    package let spender: Address
    /// Base units that it may move now.
    package let current: UInt256
    /// Base units that it will be allowed to move.
    package let amount: UInt256
    package let block: UInt64
    /// Empty where the allowance is that already.
    package let steps: [PlannedTransaction]
    package let gas: GasPlan?
    package let warnings: [String]
    /// Why it would send nothing now, so that the user is not asked; nil if it would.
    package var stop: DexError?
}
