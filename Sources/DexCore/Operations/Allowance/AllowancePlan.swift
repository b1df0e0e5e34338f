package import Ethereum

/// The plan of `dex allowance set`: the allowance before and afterwards.
package struct AllowancePlan: PlanContent {
    package typealias Outcome = AllowanceOutcome

    package let account: Address
    package let token: Token
    package let spender: Address
    /// The current allowance in base units.
    package let current: UInt256
    /// The new allowance in base units.
    package let amount: UInt256
    package let block: UInt64
    /// Empty if the allowance is already right.
    package let steps: [PlannedTransaction]
    package let gas: GasPlan?
    package let warnings: [String]
    package var stop: DexError?
}
