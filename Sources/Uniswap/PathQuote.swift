public import Ethereum

/// What a trade along a path moves, pool by pool.
public struct PathQuote: Hashable, Sendable {
    /// In the order of the trade, at least one; the amount out of one is the amount in of the next.
    public let pools: [PoolQuote]

    public var amountIn: UInt256 { pools.first?.amountIn ?? .zero }
    public var amountOut: UInt256 { pools.last?.amountOut ?? .zero }
}
