package import Ethereum

/// The maximum cost of a plan's transactions.
///
/// 350,000 gas at up to 2 gwei cost at most 0.0007 ETH.
package struct GasPlan: Sendable {
    /// The coin of the costs.
    package let coin: CoinSymbol
    package let limit: UInt64
    package let maxFeePerGas: Wei
    /// nil on a chain without a base fee.
    package let maxPriorityFeePerGas: Wei?
    /// limit x maxFeePerGas over all steps, and the most that a rollup takes beside it.
    package let maxCost: Wei
    /// The cost of this much gas at present prices, and what a rollup takes now; where the chain
    /// charges the gas used, unused gas costs nothing.
    package let presentCost: Wei
    /// The priority of the tip; nil on a chain without a base fee.
    package let priority: FeePriority?
    /// The fee was cut to the cap in the settings.
    package let isCapped: Bool
    /// The maximum ether for the exchange's own fee, which depends on the gas price.
    ///
    /// The unused part is returned.
    package var protocolFee = Wei.zero
    /// What a rollup takes beside gas, in both costs.
    package var rollup = RollupCost.none
    /// Where the signed transactions go alone, as far as its URL may be shown; nil where they go to
    /// the network's nodes.
    package var privateNode: String?
    /// Warnings about the price.
    var warnings: [String] = []

    /// As a transaction names it.
    var fee: Transaction.Fee {
        guard let maxPriorityFeePerGas else { return .legacy(gasPrice: maxFeePerGas) }
        return .dynamic(maxFeePerGas: maxFeePerGas, maxPriorityFeePerGas: maxPriorityFeePerGas)
    }
}
