import Ethereum
package import Uniswap
import ZeroEx

/// A pool as seen from a pair: which of its tokens is base.
struct PoolOrientation {
    /// token0 is base.
    let isBaseFirst: Bool

    init(_ pool: PoolID, base: Address) { isBaseFirst = pool.token0 == base }

    /// The pool's price without its fee, quote per base; nil for a pair without reserves.
    func marginalPrice(of depth: PoolDepth) -> Price? {
        depth.marginalPrice.flatMap(price)
    }

    /// A price of token0 in token1 as quote per base; nil for a price of 0 upside down.
    func price(_ ratio: PriceRatio) -> Price? {
        isBaseFirst
            ? Price(quote: ratio.numerator, base: ratio.denominator)
            : Price(quote: ratio.denominator, base: ratio.numerator)
    }

    /// What a trade of a side moves that changes the pool's price by so many ticks.
    ///
    /// - Parameter ticks: of a hundredth of a percent.
    /// - Returns: base units; nil where the ticks were not read, or the way gives nothing.
    func amounts(
        _ side: TradeSide,
        of depth: PoolDepth,
        ticks: Int32
    ) -> (base: UInt256, quote: UInt256)? {
        guard let tick = depth.tick else { return nil }
        let zeroForOne = (side == .sell) == isBaseFirst
        let target = zeroForOne ? tick - ticks : tick + ticks + 1
        // nil: not read
        guard let moved = try? depth.amounts(to: target, zeroForOne: zeroForOne) else { return nil }
        return side == .buy
            ? (moved.amountOut, moved.amountIn) : (moved.amountIn, moved.amountOut)
    }
}

extension PoolKind {
    /// Such as `v3:0.05%`.
    package var name: String {
        let version = self == .v2 ? "v2" : "v3"
        return "\(version):\(DecimalText.format(UInt256(UInt64(fee)), decimals: 4))%"
    }
}
