public import Ethereum

/// A Uniswap v2 pair at one block.
///
/// Source: `getReserves()`, which the pair's formulas use, not its balances.
public struct PairState: Hashable, Sendable {
    /// In base units, below 2^112.
    public let reserve0: UInt256
    public let reserve1: UInt256

    /// nil for a reserve of 2^112 or more.
    public init?(reserve0: UInt256, reserve1: UInt256) {
        guard max(reserve0, reserve1) <= PairMath.maximumReserve else { return nil }
        self.reserve0 = reserve0
        self.reserve1 = reserve1
    }

    /// The amounts of a trade, and the reserves after it.
    ///
    /// An exact amount out gives that amount; the contracts may give a little more, since what is
    /// paid is rounded up.
    ///
    /// - Parameter zeroForOne: token0 is sold.
    /// - Throws: `PoolError.zeroAmount`, `.overflow`, `.dry` or `.noOutput`.
    public func swap(
        _ amount: PoolAmount,
        zeroForOne: Bool
    ) throws(PoolError) -> (amountIn: UInt256, amountOut: UInt256, after: PairState) {
        let (reserveIn, reserveOut) = zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0)
        let (amountIn, amountOut): (UInt256, UInt256)
        switch amount {
        case .exactIn(let sold), .exactOut(let sold):
            guard sold != .zero else { throw .zeroAmount }
        }
        guard reserveIn != .zero, reserveOut != .zero else { throw .dry }
        switch amount {
        case .exactIn(let sold):
            // More than the pair can hold; the formula does not overflow below it.
            guard let sum = reserveIn.adding(sold), sum <= PairMath.maximumReserve else {
                throw .overflow
            }
            let out = PairMath.amountOut(sold, reserveIn: reserveIn, reserveOut: reserveOut)
            guard let out else { throw .noOutput }
            (amountIn, amountOut) = (sold, out)
        case .exactOut(let bought):
            guard bought < reserveOut else { throw .dry }
            let cost = PairMath.amountIn(bought, reserveIn: reserveIn, reserveOut: reserveOut)
            guard let cost else { throw .overflow }
            (amountIn, amountOut) = (cost, bought)
        }
        guard let more = reserveIn.adding(amountIn), let less = reserveOut.subtracting(amountOut),
            let after = zeroForOne
                ? PairState(reserve0: more, reserve1: less)
                : PairState(reserve0: less, reserve1: more)
        else { throw .overflow }
        return (amountIn, amountOut, after)
    }
}
