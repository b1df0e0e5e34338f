import Ethereum

/// The time-weighted mean price of a v3 pool.
///
/// Source: OracleLibrary's `consult` of Uniswap v3's periphery.
public enum Oracle {
    /// The mean tick between two observations: their difference by the seconds, rounded down.
    ///
    /// nil for no time, and for a mean that is no tick.
    ///
    /// - Parameters:
    ///   - earlier: `tickCumulatives[0]` of `observe([seconds, 0])`, in ticks times seconds.
    ///   - later: `tickCumulatives[1]`; the contract's counter wraps around at 56 bits.
    public static func meanTick(earlier: Int64, later: Int64, seconds: UInt32) -> Int32? {
        guard seconds > 0 else { return nil }
        let difference = ((later &- earlier) << 8) >> 8
        let (quotient, remainder) = difference.quotientAndRemainder(dividingBy: Int64(seconds))
        let tick = remainder < 0 ? quotient - 1 : quotient
        return Int32(exactly: tick).flatMap { TickMath.ticks.contains($0) ? $0 : nil }
    }

    /// The price of token0 in token1 at a tick, in base units; nil for a tick out of range.
    ///
    /// Rounded as the square root price of `TickMath` is, to one part in 2^32 at the lowest ticks.
    public static func price(_ tick: Int32) -> PriceRatio? {
        TickMath.price(tick).flatMap { PriceRatio(sqrtPrice: $0) }
    }

    /// What token0 gets at a tick, with a pool's fee, rounded down; nil for a tick out of range.
    ///
    /// - Parameter fee: in millionths; nil for a million or more.
    public static func bid(_ tick: Int32, fee: UInt32) -> PriceRatio? {
        guard fee < SwapStep.million else { return nil }
        return TickMath.price(tick).flatMap {
            PriceRatio(sqrtPrice: $0, over: SwapStep.million - fee, under: SwapStep.million)
        }
    }

    /// What token0 costs at a tick, with a pool's fee, rounded up; as `bid`.
    public static func ask(_ tick: Int32, fee: UInt32) -> PriceRatio? {
        guard fee < SwapStep.million else { return nil }
        return TickMath.price(tick).flatMap {
            PriceRatio(
                sqrtPrice: $0,
                over: SwapStep.million,
                under: SwapStep.million - fee,
                roundsUp: true
            )
        }
    }
}
