public import Ethereum

/// The price of a v3 pool, and how far its oracle may reach back.
///
/// Source: UniswapV3Pool's `slot0()`.
public struct PoolSlot: Hashable, Sendable {
    /// `sqrtPriceX96`.
    public let sqrtPrice: UInt256
    public let tick: Int32
    /// `observationCardinality`: how many observations the oracle keeps; 1 in a new pool.
    public let observations: UInt16
}
