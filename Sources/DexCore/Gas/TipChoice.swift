import Ethereum

/// The tip of a new transaction, and what is to be said of it.
///
/// A node can report any tip and any gas price, and both are paid: they count within bounds
/// (`FeeBounds`). Where no tip of others is known, or twice the base fee and their tip stay below
/// eth_gasPrice, the gas price is the least: on a chain whose base fee is 0 it is all that is paid.
struct TipChoice {
    /// Wei per gas.
    let tip: Wei
    /// A sentence; nil for nothing to say.
    let warning: String?

    /// - Parameter base: of the next block, in wei per gas.
    init(_ fees: FeeSnapshot, base: Wei, _ overrides: FeeOverrides) {
        if let exact = overrides.tip {
            (tip, warning) = (exact, nil)
            return
        }
        guard fees.rules.market != .base else {
            // Tips are dropped or burnt there.
            (tip, warning) = (.zero, nil)
            return
        }
        let reported = fees.tips[overrides.wanted]
        let price = fees.gasPrice ?? .zero
        var wanted = reported ?? .zero
        let usual = base.multiplied(by: 2)?.adding(wanted) ?? Wei(.max)
        // What the node asks for on top of the base fee.
        let asked = price.subtracting(base) ?? .zero
        let follows = (reported == nil || usual < price) && asked > wanted
        if follows { wanted = asked }
        wanted = max(wanted, fees.rules.minimumTip)
        tip = FeeBounds.bounded(wanted, base: base, fees.rules, overrides)
        warning = Self.warning(
            wanted: wanted,
            paid: tip,
            price: follows ? price : nil,
            isBounded: overrides.maxFee == nil
        )
    }

    private static func warning(
        wanted: Wei,
        paid: Wei,
        price: Wei?,
        isBounded: Bool
    ) -> String? {
        let remedy = " If that is too little to be mined, name a price with --max-fee."
        let isCut = isBounded && paid < wanted
        guard let price else {
            guard isCut else { return nil }
            return "The node reports tips of \(GasPricing.gwei(wanted)); this pays "
                + "\(GasPricing.gwei(paid)).\(remedy)"
        }
        return "The node asks for \(GasPricing.gwei(price)) for a unit of gas (eth_gasPrice), more "
            + "than the tips of others explain: this pays a tip of \(GasPricing.gwei(paid))."
            + (isCut ? remedy : "")
    }
}
