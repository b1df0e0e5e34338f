public import Ethereum

/// What a trade with one pool moves, and the pool after it.
public struct PoolQuote: Hashable, Sendable {
    /// In base units, with the pool's fee.
    public let amountIn: UInt256
    public let amountOut: UInt256
    /// How many initialised ticks the trade crosses, each of which costs gas; 0 in v2.
    public let ticksCrossed: Int
    public let after: PoolDepth
}
