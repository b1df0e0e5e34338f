import Ethereum

/// What is left of the ether that the user agreed to spend on gas.
struct GasBudget {
    private(set) var left: Wei

    /// - Parameter confirmed: `GasPlan.maxCost`.
    init(confirmed: Wei) {
        left = confirmed
    }

    /// Fee fields for a transaction at the present prices, within what is left.
    ///
    /// - Throws: `DexError`, exit 6, `fees-rose`, where that no longer pays the base fee.
    func fee(_ fees: FeeSnapshot, limit: UInt64) throws(DexError) -> Transaction.Fee {
        do {
            return try GasPricing.fee(fees, limit: limit, budget: left).fee
        } catch  where error.code == "fee-cap" {
            throw DexError(
                .refused,
                code: "fees-rose",
                message: "Gas became dearer than what was confirmed: of that "
                    + "\(GasPricing.ether(left)) ETH are left, too little for the present base "
                    + "fee.",
                hint: "Run the command again to see the new plan.",
                retryable: true
            )
        }
    }

    /// Takes what a mined transaction cost.
    mutating func spend(_ cost: Wei?) {
        guard let cost else { return }
        left = cost < left ? Wei(left.rawValue - cost.rawValue) : .zero
    }
}
