public import Ethereum

/// The amounts of a trade with one Uniswap v2 pair, in base units; its fee is 0.3 % of what is sold.
///
/// Source: UniswapV2Library and UniswapV2Pair's `swap`.
public enum PairMath {
    /// The largest reserve: 2^112 - 1.
    public static let maximumReserve = UInt256(UInt128(1) << 112 - 1)

    /// What an amount buys: `floor(997 * in * reserveOut / (1000 * reserveIn + 997 * in))`.
    ///
    /// nil where the contracts revert: nothing sold or bought, an empty reserve, more than 256 bits.
    ///
    /// Source: UniswapV2Library's `getAmountOut`.
    public static func amountOut(
        _ amountIn: UInt256,
        reserveIn: UInt256,
        reserveOut: UInt256
    ) -> UInt256? {
        guard amountIn != .zero, reserveIn != .zero, reserveOut != .zero,
            let sold = amountIn.multiplied(by: 997),
            let numerator = sold.multiplied(by: reserveOut),
            let denominator = reserveIn.multiplied(by: 1_000)?.adding(sold),
            let bought = numerator.divided(by: denominator),
            bought != .zero
        else { return nil }
        return bought
    }

    /// What an amount costs:
    /// `floor(1000 * reserveIn * out / (997 * (reserveOut - out))) + 1`.
    ///
    /// nil where the contracts revert: nothing bought, an empty reserve, all of the reserve or more,
    /// more than 256 bits.
    ///
    /// Source: UniswapV2Library's `getAmountIn`.
    public static func amountIn(
        _ amountOut: UInt256,
        reserveIn: UInt256,
        reserveOut: UInt256
    ) -> UInt256? {
        guard amountOut != .zero, reserveIn != .zero,
            let rest = reserveOut.subtracting(amountOut), rest != .zero,
            let numerator = reserveIn.multiplied(by: amountOut)?.multiplied(by: 1_000),
            let denominator = rest.multiplied(by: 997),
            let quotient = numerator.divided(by: denominator)
        else { return nil }
        return quotient.adding(1)
    }
}
