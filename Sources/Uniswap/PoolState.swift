public import Ethereum

/// A Uniswap v3 pool at one block: its price, its liquidity, and the ticks that were read.
///
/// Source: `slot0()`, `liquidity()`, `tickBitmap(int16)` and `ticks(int24)`, all at one block.
public struct PoolState: Hashable, Sendable {
    /// `sqrtPriceX96`: the square root of the price of token0 in token1, in base units, times 2^96.
    public let sqrtPrice: UInt256
    /// The tick of the price; one less after a swap that ended on a tick while the price fell.
    public let tick: Int32
    /// In range at the price; 0 in a gap.
    public let liquidity: UInt128
    /// In millionths of what is sold, below one million.
    public let fee: UInt32
    public let tickSpacing: Int32
    /// The words of the tick bitmap that were read.
    public let words: ClosedRange<Int16>
    /// The initialised ticks in those words, ascending.
    public let ticks: [InitialisedTick]

    /// - Parameters:
    ///   - tick: of `slot0()`; it must be that of the price.
    ///   - words: around the price; words beyond the lowest and the highest tick may be among them.
    ///   - ticks: all initialised ticks of these words, ascending.
    /// - Throws: `PoolError.notInitialised` for a price of 0, `.malformed` for what no genuine pool
    ///   has.
    public init(
        sqrtPrice: UInt256,
        tick: Int32,
        liquidity: UInt128,
        fee: UInt32,
        tickSpacing: Int32,
        words: ClosedRange<Int16>,
        ticks: [InitialisedTick]
    ) throws(PoolError) {
        guard sqrtPrice != .zero else { throw .notInitialised }
        guard fee < SwapStep.million, TickBitmap.spacings.contains(tickSpacing),
            Self.agree(sqrtPrice, tick)
        else { throw .malformed }
        var last: Int32?
        for initialised in ticks {
            let own = initialised.tick
            guard TickMath.ticks.contains(own), own % tickSpacing == 0,
                words.contains(TickBitmap.word(of: own, spacing: tickSpacing)),
                last.map({ $0 < own }) ?? true
            else { throw .malformed }
            last = own
        }
        self.sqrtPrice = sqrtPrice
        self.tick = tick
        self.liquidity = liquidity
        self.fee = fee
        self.tickSpacing = tickSpacing
        self.words = words
        self.ticks = ticks
    }

    /// This state with another price.
    private init(_ state: PoolState, after swap: SwapResult) {
        (sqrtPrice, tick, liquidity) = (swap.sqrtPrice, swap.tick, swap.liquidity)
        (fee, tickSpacing, words, ticks) = (state.fee, state.tickSpacing, state.words, state.ticks)
    }

    /// The state that a swap with this pool left.
    public func after(_ swap: SwapResult) -> PoolState { PoolState(self, after: swap) }

    /// Whether a tick is that of a price, or one less at the very price of a tick.
    static func agree(_ sqrtPrice: UInt256, _ tick: Int32) -> Bool {
        guard let own = TickMath.tick(sqrtPrice) else { return false }
        return tick == own || tick == own - 1 && TickMath.price(own) == sqrtPrice
    }
}
