package import Ethereum

/// The plan of a call of any contract: what its data say, and what its run shows.
package struct TransactPlan: PlanContent {
    package typealias Outcome = TransactOutcome

    package let account: Address
    package let call: ContractCall
    package let review: CallReview
    /// Ether to send.
    package let value: Wei
    package let block: UInt64
    /// The simulated result.
    package let returned: [UInt8]
    /// The values by the signature's result types; nil if it has none or they do not fit.
    package let values: [ContractValue]?
    package let steps: [PlannedTransaction]
    package let gas: GasPlan
    /// The most ether that leaves: value and gas.
    package let total: Wei
    package let warnings: [String]
    package var stop: DexError?
    /// What it changes, by a run on this machine.
    package let simulation: SimulationReport
    /// What it does beyond what its data say, each as a sentence.
    package var differences: [String] = []

    /// The data do not say what the call does.
    package var word: String? {
        review.isBlind ? "blind" : differences.isEmpty ? nil : "differs"
    }
}
