import Ethereum

/// What a pool of either kind gives at one block: amounts for amounts, and its prices.
public enum PoolDepth: Hashable, Sendable {
    case v2(PairState)
    case v3(PoolState)

    /// In millionths of what is sold.
    public var fee: UInt32 {
        switch self {
        case .v2: PoolKind.v2.fee
        case .v3(let state): state.fee
        }
    }

    /// The greatest tick whose price is not above the pool's; nil for a pair without reserves.
    public var tick: Int32? {
        switch self {
        case .v2(let state): state.tick
        case .v3(let state): state.tick
        }
    }

    /// The amounts of a trade with this pool.
    ///
    /// - Parameter zeroForOne: token0 is sold.
    /// - Throws: `PoolError`; `.dry` also for an exact amount in that moves the price to its bound,
    ///   which the contracts answer with what the pool had.
    public func quote(
        _ amount: PoolAmount,
        zeroForOne: Bool
    ) throws(PoolError) -> PoolQuote {
        switch self {
        case .v2(let state):
            let swap = try state.swap(amount, zeroForOne: zeroForOne)
            return PoolQuote(
                amountIn: swap.amountIn,
                amountOut: swap.amountOut,
                ticksCrossed: 0,
                after: .v2(swap.after)
            )
        case .v3(let state):
            let swap = try state.swap(amount, zeroForOne: zeroForOne)
            guard !swap.isDry else { throw .dry }
            return PoolQuote(
                amountIn: swap.amountIn,
                amountOut: swap.amountOut,
                ticksCrossed: swap.ticksCrossed,
                after: .v3(state.after(swap))
            )
        }
    }

    /// The price that a vanishing amount moves around, without fee, rounded down; nil for a pair
    /// without reserves.
    public var marginalPrice: PriceRatio? { price(over: 1, under: 1, roundsUp: false) }

    /// What the first base unit of token0 gets, with the fee, rounded down; nil for a pair without
    /// reserves.
    public var bid: PriceRatio? {
        price(over: SwapStep.million - fee, under: SwapStep.million, roundsUp: false)
    }

    /// What the first base unit of token0 costs, with the fee, rounded up; nil for a pair without
    /// reserves.
    public var ask: PriceRatio? {
        price(over: SwapStep.million, under: SwapStep.million - fee, roundsUp: true)
    }

    private func price(over: UInt32, under: UInt32, roundsUp: Bool) -> PriceRatio? {
        switch self {
        case .v2(let state):
            guard state.reserve0 != .zero, state.reserve1 != .zero else { return nil }
            return PriceRatio(
                // Of 112 and 20 bits.
                state.reserve1 * UInt256(UInt64(over)),
                state.reserve0 * UInt256(UInt64(under))
            )
        case .v3(let state):
            return PriceRatio(
                sqrtPrice: state.sqrtPrice,
                over: over,
                under: under,
                roundsUp: roundsUp
            )
        }
    }
}
