public import Ethereum

/// What a swap with one v3 pool moves, and the pool's price after it.
public struct SwapResult: Hashable, Sendable {
    /// What the pool takes, with the fee, in base units; less than an exact amount if `isDry`.
    public let amountIn: UInt256
    /// What the pool gives, in base units; less than an exact amount if `isDry`.
    public let amountOut: UInt256
    /// `sqrtPriceX96` after.
    public let sqrtPrice: UInt256
    public let tick: Int32
    public let liquidity: UInt128
    /// How many initialised ticks were crossed.
    public let ticksCrossed: Int
    /// The price is at its bound: the pool has no more to give in this direction.
    public let isDry: Bool
}
