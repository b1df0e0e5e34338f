import Ethereum

/// The rest of the ether that the user agreed to spend on gas and on the exchange's own fee.
///
/// After an approval of 0.0001 ETH, 0.0006 of a confirmed 0.0007 ETH are left for the fill.
struct GasBudget {
    private(set) var left: Wei
    let overrides: FeeOverrides

    /// - Parameter overrides: the fees that the user named for the plan.
    init<Content>(_ plan: Plan<Content>, overrides: FeeOverrides) {
        self.init(plan.ownGas ?? plan.limits.gas, overrides: overrides)
    }

    init(_ confirmed: Wei, overrides: FeeOverrides) {
        left = confirmed
        self.overrides = overrides
    }

    /// Fee fields for a transaction at present prices, within the rest.
    ///
    /// - Parameters:
    ///   - fees: with what a rollup takes beside gas for the transaction.
    ///   - protocolFeeGas: the exchange's own fee as an amount of gas.
    /// - Throws: `DexError`, exit 6: `fees-rose` if the rest no longer pays the base fee,
    ///   `max-fee-too-low` if `--max-fee` does not.
    func fee(
        _ fees: FeeSnapshot,
        limit: UInt64,
        protocolFeeGas: UInt64 = 0
    ) throws(DexError) -> Transaction.Fee {
        guard let budget = left.subtracting(fees.rollup.maximum) else {
            throw GasError.rose(left: left, coin: fees.coin)
        }
        do {
            return try GasPricing.fee(
                fees,
                limit: limit.addingSaturating(protocolFeeGas),
                budget: budget,
                overrides: overrides,
                mayCut: true
            ).fee
        } catch {
            guard error.concerns(.gasCap) else { throw error }
            throw GasError.rose(left: left, coin: fees.coin)
        }
    }

    /// The price of a unit of gas at present, before any cap: at least the base fee.
    ///
    /// - Throws: `DexError`, exit 6, `max-fee-too-low`, if `--max-fee` does not pay that.
    func price(_ fees: FeeSnapshot) throws(DexError) -> Wei {
        try GasPricing.fee(fees, overrides).maximum
    }

    /// Subtracts the cost of a mined transaction.
    mutating func spend(_ cost: Wei?) {
        guard let cost else { return }
        left = cost < left ? Wei(left.rawValue - cost.rawValue) : .zero
    }
}
