import Ethereum

/// The limits within which a node's gas prices are trusted, unless the user set a price.
///
/// A node can report any tip, base fee or gas price. A base fee that is too high costs nothing,
/// since the chain knows the real one. The tip and a legacy price are paid.
enum FeeBounds {
    /// The tip, in wei per gas, that is paid without a flag at any base fee: 3 gwei.
    static let usualTip = Wei(3_000_000_000)
    /// The highest tip, in wei per gas, unless `--max-fee` sets a price: 50 gwei.
    static let highestTip = Wei(50_000_000_000)
    /// The price of a unit of gas in the usual cap, in wei: 500 gwei.
    static let usualPrice = Wei(500_000_000_000)
    /// The usual cap over all steps of a command, in wei: 0.5 ether.
    static let usualCap = Wei(500_000_000_000_000_000)
    /// The gas cost below which no comparison with the moved value is made, in wei: 0.002 ether.
    static let smallCost = Wei(2_000_000_000_000_000)
    /// The share of the moved value, in hundredths of a percent, above which gas is warned of: 10
    /// %.
    static let warnedShare: UInt64 = 1_000
    /// The same of a small cost: all of the moved value.
    static let wholeShare: UInt64 = 10_000

    /// A tip within the bounds, in wei per gas.
    ///
    /// With a base fee of 20 gwei, tips of 25 are paid with 20; with one near zero, with 3. If a
    /// flag named the priority, up to 50 gwei are paid; with `--max-fee`, all of it. The least tip
    /// that the chain's nodes take is always paid, unless `--max-fee` is below it.
    static func bounded(
        _ tip: Wei,
        base: Wei,
        _ rules: FeeRules,
        _ overrides: FeeOverrides
    ) -> Wei {
        if let maximum = overrides.maxFee { return min(tip, maximum) }
        let highest = max(highestTip, rules.minimumTip)
        if overrides.priority != nil { return min(tip, highest) }
        return min(tip, min(max(usualTip, base, rules.minimumTip), highest))
    }

    /// The maximum gas cost over all steps, in wei: as set by the user, else by amount of gas.
    ///
    /// A plain transfer of 23,100 gas may cost 0.01155 ether; no command more than 0.5. If a
    /// flag names the price, only the 0.5 ether apply.
    /// What a rollup takes beside gas comes on top, within the same 0.5 ether.
    static func cap(
        gas: UInt64,
        rollup: RollupCost = .none,
        _ settings: TradeSettings
    ) -> Wei {
        if let reported = settings.feeCap { return reported }
        guard !settings.fees.isExact, let cost = usualPrice.multiplied(by: UInt256(gas)) else {
            return usualCap
        }
        return min(cost.adding(rollup.maximum) ?? usualCap, usualCap)
    }

    /// Compares the gas cost at present prices with the moved value.
    ///
    /// - Parameters:
    ///   - cost: over all steps, including the exchange's own fee.
    ///   - moved: ether or wrapped ether, in wei; nil if it has no known value in ether.
    /// - Returns: a warning from a tenth on, of a small cost from the moved value itself on; nil
    ///   below it.
    /// - Throws: `DexError`, exit 6, `gas-above-value`, unless that was allowed.
    static func check(
        _ cost: Wei,
        moved: Wei?,
        _ coin: CoinSymbol,
        _ settings: TradeSettings
    ) throws(DexError) -> String? {
        guard let moved else { return nil }
        let isSmall = cost < smallCost
        if cost > moved, !isSmall, !settings.allowsHighGas {
            throw GasError.aboveValue(cost: cost, moved: moved, coin: coin)
        }
        let points = UInt256.mulDiv(cost.rawValue, 10_000, max(moved.rawValue, 1))?.quotient
        let warned = isSmall ? wholeShare : warnedShare
        if let points, points < UInt256(warned) { return nil }
        let share =
            points.map { "\(DecimalText.format($0, decimals: 2)) % of" } ?? "far more than"
        return "NETWORK FEE ~\(coin.amount(cost)): \(share) the "
            + "\(coin.amount(moved)) that are moved."
    }
}
