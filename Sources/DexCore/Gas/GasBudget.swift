import Ethereum

/// The rest of the ether that the user agreed to spend on gas and on the exchange's own fee.
struct GasBudget {
    private(set) var left: Wei
    let wish: FeeOverrides

    /// - Parameter wish: the wishes that the plan was made with.
    init(_ confirmed: GasPlan, wish: FeeOverrides) {
        left = confirmed.maxCost.adding(confirmed.protocolFee) ?? Wei(.max)
        self.wish = wish
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
        guard let budget = left.subtracting(fees.rollup.most) else {
            throw GasError.rose(left: left, coin: fees.coin)
        }
        do {
            return try GasPricing.fee(
                fees,
                limit: limit.addingSaturating(protocolFeeGas),
                budget: budget,
                wish: wish,
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
        try GasPricing.fee(fees, wish).maximum
    }

    /// Subtracts the cost of a mined transaction.
    mutating func spend(_ cost: Wei?) {
        guard let cost else { return }
        left = cost < left ? Wei(left.rawValue - cost.rawValue) : .zero
    }
}
