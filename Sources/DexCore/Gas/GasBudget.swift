import Ethereum

/// What is left of the ether that the user agreed to spend on gas, and on the exchange's own fee
/// that goes by its price.
struct GasBudget {
    private(set) var left: Wei
    private let wish: FeeOverrides

    /// - Parameter wish: what the plan was made with.
    init(_ confirmed: GasPlan, wish: FeeOverrides) {
        left = confirmed.maxCost.adding(confirmed.protocolFee) ?? Wei(.max)
        self.wish = wish
    }

    /// Fee fields for a transaction at the present prices, within what is left.
    ///
    /// - Parameter protocolFeeGas: the exchange's own fee as an amount of gas.
    /// - Throws: `DexError`, exit 6: `fees-rose` where that no longer pays the base fee,
    ///   `max-fee-too-low` where `--max-fee` does not.
    func fee(
        _ fees: FeeSnapshot,
        limit: UInt64,
        protocolFeeGas: UInt64 = 0
    ) throws(DexError) -> Transaction.Fee {
        do {
            return try GasPricing.fee(
                fees,
                limit: limit.addingSaturating(protocolFeeGas),
                budget: left,
                wish: wish,
                mayCut: true
            ).fee
        } catch {
            guard case GasError.overCap? = error.cause as? GasError else { throw error }
            throw DexError(GasError.rose(left: left))
        }
    }

    /// What a unit of gas may cost at the present prices, before any cap: at least the base fee.
    ///
    /// - Throws: `DexError`, exit 6, `max-fee-too-low`, where `--max-fee` does not pay that.
    func price(_ fees: FeeSnapshot) throws(DexError) -> Wei {
        try GasPricing.fee(fees, wish).maximum
    }

    /// Takes what a mined transaction cost.
    mutating func spend(_ cost: Wei?) {
        guard let cost else { return }
        left = cost < left ? Wei(left.rawValue - cost.rawValue) : .zero
    }
}
