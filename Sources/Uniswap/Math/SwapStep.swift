public import Ethereum

/// A swap between two prices over which the liquidity does not change.
///
/// Source: SwapMath's `computeSwapStep` of Uniswap v3.
public struct SwapStep: Hashable, Sendable {
    /// `sqrtPriceX96`: the target, or the price where the amount was used up.
    public let price: UInt256
    /// Without the fee, in base units.
    public let amountIn: UInt256
    public let amountOut: UInt256
    /// What is paid besides `amountIn`, in the same token.
    public let fee: UInt256

    /// - Parameters:
    ///   - price: `sqrtPriceX96` before.
    ///   - target: the price at which the step ends at the latest; if it is not above `price`, token0
    ///     is sold.
    ///   - rest: the part of the amount that is left.
    ///   - fee: in millionths of what is paid, below one million.
    /// - Returns: nil where the contract reverts, which no state of a genuine pool leads to.
    public init?(
        from price: UInt256,
        to target: UInt256,
        liquidity: UInt128,
        rest: PoolAmount,
        fee: UInt32
    ) {
        guard fee < Self.million else { return nil }
        let zeroForOne = price >= target
        let kept = UInt256(UInt64(Self.million - fee))
        func amount(_ end: UInt256, sold: Bool) -> UInt256? {
            zeroForOne == sold
                ? SqrtPriceMath.amount0(price, end, liquidity: liquidity, roundsUp: sold)
                : SqrtPriceMath.amount1(price, end, liquidity: liquidity, roundsUp: sold)
        }
        func charge(_ paid: UInt256) -> UInt256? {
            UInt256.mulDivUp(UInt256(UInt64(fee)), paid, kept)
        }

        switch rest {
        case .exactIn(let rest):
            guard let whole = amount(target, sold: true) else { return nil }
            // What is left without the fee is enough: compared before the division, which rounds
            // down, as the whole is a whole number.
            let million = UInt256(UInt64(Self.million))
            let left = kept.multipliedFullWidth(by: rest)
            if left >= million.multipliedFullWidth(by: whole) {
                guard let out = amount(target, sold: false), let fee = charge(whole) else {
                    return nil
                }
                (self.price, amountIn, amountOut, self.fee) = (target, whole, out, fee)
                return
            }
            guard left.high < million,
                let end = SqrtPriceMath.price(
                    price,
                    liquidity: liquidity,
                    amountIn: million.dividingFullWidth(left).quotient,
                    zeroForOne: zeroForOne
                ), let paid = amount(end, sold: true), let out = amount(end, sold: false),
                // The contract's test is the price: rounding may reach the target all the same.
                let fee = end == target ? charge(paid) : rest.subtracting(paid)
            else { return nil }
            (self.price, amountIn, amountOut, self.fee) = (end, paid, out, fee)
        case .exactOut(let rest):
            guard let whole = amount(target, sold: false) else { return nil }
            if rest >= whole {
                guard let paid = amount(target, sold: true), let fee = charge(paid) else {
                    return nil
                }
                (self.price, amountIn, amountOut, self.fee) = (target, paid, whole, fee)
                return
            }
            guard
                let end = SqrtPriceMath.price(
                    price,
                    liquidity: liquidity,
                    amountOut: rest,
                    zeroForOne: zeroForOne
                ), let paid = amount(end, sold: true), let out = amount(end, sold: false),
                let fee = charge(paid)
            else { return nil }
            (self.price, amountIn, self.fee) = (end, paid, fee)
            amountOut = min(out, rest)
        }
    }

    /// What a fee counts in.
    static let million: UInt32 = 1_000_000
}
