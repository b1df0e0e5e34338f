package import Ethereum

/// What `dex transact` will do.
package struct TransactPlan: OperationPlan {
    package let account: Address
    package let call: ContractCall
    /// Ether that goes along.
    package let value: Wei
    package let block: UInt64
    /// What the call returned in the simulation.
    package let returned: [UInt8]
    /// The same by the signature's result types; nil where it names none or does not fit.
    package let values: [ContractValue]?
    package let steps: [PlannedTransaction]
    package let gas: GasPlan
    /// The most ether that it takes: what goes along and the gas.
    package let total: Wei
    package let warnings: [String]
    /// Why it would send nothing now, so that the user is not asked; nil if it would.
    package var stop: DexError?
}
