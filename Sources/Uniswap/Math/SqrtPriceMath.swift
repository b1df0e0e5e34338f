public import Ethereum

/// The amounts between two square root prices, and the prices that amounts lead to.
///
/// Prices are `sqrtPriceX96`, below 2^160; amounts are in base units.
///
/// Source: SqrtPriceMath of Uniswap v3.
public enum SqrtPriceMath {
    /// The amount of token0 between two prices in any order: L * (1/a - 1/b).
    ///
    /// nil where the contract reverts: a price of 0.
    ///
    /// Source: `getAmount0Delta`.
    public static func amount0(
        _ priceA: UInt256,
        _ priceB: UInt256,
        liquidity: UInt128,
        roundsUp: Bool
    ) -> UInt256? {
        let (low, high) = priceA < priceB ? (priceA, priceB) : (priceB, priceA)
        guard low != .zero else { return nil }
        // The quotient is below 2^224.
        let (first, rest) = high.dividingFullWidth(Self.scaled(liquidity, high - low))
        if roundsUp { return first.roundedUp(rest)?.dividedUp(by: low) }
        return first.divided(by: low)
    }

    /// The amount of token1 between two prices in any order: L * (b - a).
    ///
    /// nil above 256 bits, which prices below 2^160 do not reach.
    ///
    /// Source: `getAmount1Delta`.
    public static func amount1(
        _ priceA: UInt256,
        _ priceB: UInt256,
        liquidity: UInt128,
        roundsUp: Bool
    ) -> UInt256? {
        let distance = priceA < priceB ? priceB - priceA : priceA - priceB
        let (high, low) = UInt256(liquidity).multipliedFullWidth(by: distance)
        guard high.w1 >> 32 | high.w2 | high.w3 == 0 else { return nil }
        // Without the 96 fractional bits.
        let whole = UInt256(
            w0: low.w1 >> 32 | low.w2 << 32,
            w1: low.w2 >> 32 | low.w3 << 32,
            w2: low.w3 >> 32 | high.w0 << 32,
            w3: high.w0 >> 32 | high.w1 << 32
        )
        let hasFraction = low.w0 | low.w1 & 0xffff_ffff != 0
        return roundsUp && hasFraction ? whole.adding(1) : whole
    }

    /// The price after an amount came in, without the fee; it falls for token0.
    ///
    /// nil where the contract reverts: a price or liquidity of 0, a price above 160 bits.
    ///
    /// Source: `getNextSqrtPriceFromInput`.
    public static func price(
        _ price: UInt256,
        liquidity: UInt128,
        amountIn: UInt256,
        zeroForOne: Bool
    ) -> UInt256? {
        guard price != .zero, liquidity != 0 else { return nil }
        if amountIn == .zero { return price }
        let scaled = UInt256(liquidity) << 96
        guard zeroForOne else {
            guard let (step, _) = UInt256.mulDiv(amountIn, TickMath.one, UInt256(liquidity)) else {
                return nil
            }
            return price.adding(step).flatMap(bounded)
        }
        if let denominator = amountIn.multiplied(by: price)?.adding(scaled) {
            return UInt256.mulDivUp(scaled, price, denominator).flatMap(bounded)
        }
        // The contract's way out where the exact denominator exceeds 256 bits.
        return scaled.divided(by: price)?.adding(amountIn).flatMap { scaled.dividedUp(by: $0) }
    }

    /// The price after an amount went out; it falls for token1.
    ///
    /// nil where the contract reverts: a price or liquidity of 0, more than the liquidity has, a
    /// price above 160 bits.
    ///
    /// Source: `getNextSqrtPriceFromOutput`.
    public static func price(
        _ price: UInt256,
        liquidity: UInt128,
        amountOut: UInt256,
        zeroForOne: Bool
    ) -> UInt256? {
        guard price != .zero, liquidity != 0 else { return nil }
        if amountOut == .zero { return price }
        if zeroForOne {
            let step = UInt256.mulDivUp(amountOut, TickMath.one, UInt256(liquidity))
            guard let next = step.flatMap({ price.subtracting($0) }), next != .zero else {
                return nil
            }
            return next
        }
        let scaled = UInt256(liquidity) << 96
        guard let product = amountOut.multiplied(by: price),
            let denominator = scaled.subtracting(product), denominator != .zero
        else { return nil }
        return UInt256.mulDivUp(scaled, price, denominator).flatMap(bounded)
    }

    /// `liquidity * 2^96 * distance` in 512 bits.
    private static func scaled(
        _ liquidity: UInt128,
        _ distance: UInt256
    ) -> (high: UInt256, low: UInt256) {
        let (high, low) = UInt256(liquidity).multipliedFullWidth(by: distance)
        return (
            UInt256(
                w0: low.w2 >> 32 | low.w3 << 32,
                w1: low.w3 >> 32 | high.w0 << 32,
                w2: high.w0 >> 32 | high.w1 << 32,
                w3: high.w1 >> 32
            ),
            UInt256(
                w0: 0,
                w1: low.w0 << 32,
                w2: low.w0 >> 32 | low.w1 << 32,
                w3: low.w1 >> 32 | low.w2 << 32
            )
        )
    }

    /// nil for a price above 160 bits.
    private static func bounded(_ price: UInt256) -> UInt256? {
        price.leadingZeroBitCount >= 96 ? price : nil
    }
}
