package import Ethereum

/// What the transactions of a plan may cost.
package struct GasPlan: Sendable {
    package let limit: UInt64
    package let maxFeePerGas: Wei
    /// nil on a chain without a base fee.
    package let maxPriorityFeePerGas: Wei?
    /// limit x maxFeePerGas over all steps.
    package let maxCost: Wei
    /// What so much gas costs at present prices; what is not used costs nothing.
    package let presentCost: Wei
    /// What the tip goes by; nil on a chain without a base fee.
    package let priority: FeePriority?
    /// The fee was cut to the settings' cap.
    package let isCapped: Bool
    /// The most ether that goes along as the exchange's own fee, which goes by the price of gas;
    /// what is not needed comes back.
    package var protocolFee = Wei.zero
    /// What to tell of the price.
    var warnings: [String] = []
}
