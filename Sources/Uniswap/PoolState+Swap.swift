public import Ethereum

extension PoolState {
    /// A swap, exactly as the pool carries it out; it stops at the price bound, as the pool does.
    ///
    /// - Parameters:
    ///   - amount: below 2^255, not 0.
    ///   - zeroForOne: token0 is sold, and the price falls.
    ///   - limit: the `sqrtPriceX96` where it stops at the latest; nil is none.
    /// - Throws: `PoolError.zeroAmount`, `.overflow`, `.priceLimit`, `.missingWord` or `.malformed`.
    ///
    /// Source: UniswapV3Pool's `swap`.
    public func swap(
        _ amount: PoolAmount,
        zeroForOne: Bool,
        limit: UInt256? = nil
    ) throws(PoolError) -> SwapResult {
        switch amount {
        case .exactIn(let whole), .exactOut(let whole):
            guard whole != .zero else { throw .zeroAmount }
            guard whole.leadingZeroBitCount > 0 else { throw .overflow }
        }
        let bound = zeroForOne ? TickMath.minimumPrice + 1 : TickMath.maximumPrice - 1
        let limit = limit ?? bound
        guard zeroForOne ? limit < sqrtPrice && limit >= bound : limit > sqrtPrice && limit <= bound
        else { throw .priceLimit }
        var walk = SwapWalk(self, amount, zeroForOne: zeroForOne)
        while !walk.isDone, walk.sqrtPrice != limit { try walk.advance(to: limit) }
        return walk.result(bound: bound)
    }
}

/// A swap on its way from tick to tick.
private struct SwapWalk {
    private let state: PoolState
    private let zeroForOne: Bool
    private let isExactIn: Bool
    /// What is left of the exact amount.
    private var rest: UInt256
    private let whole: UInt256
    /// The sum of the other amount.
    private var other = UInt256.zero
    private(set) var sqrtPrice: UInt256
    private var tick: Int32
    private var liquidity: UInt128
    private var ticksCrossed = 0
    /// How many initialised ticks are at or below the tick.
    private var below: Int

    init(_ state: PoolState, _ amount: PoolAmount, zeroForOne: Bool) {
        self.state = state
        self.zeroForOne = zeroForOne
        switch amount {
        case .exactIn(let amount): (isExactIn, whole) = (true, amount)
        case .exactOut(let amount): (isExactIn, whole) = (false, amount)
        }
        rest = whole
        (sqrtPrice, tick, liquidity) = (state.sqrtPrice, state.tick, state.liquidity)
        var (low, high) = (0, state.ticks.count)
        while low < high {
            let middle = (low + high) / 2
            if state.ticks[middle].tick <= tick { low = middle + 1 } else { high = middle }
        }
        below = low
    }

    var isDone: Bool { rest == .zero }

    func result(bound: UInt256) -> SwapResult {
        let moved = whole &- rest
        return SwapResult(
            amountIn: isExactIn ? moved : other,
            amountOut: isExactIn ? other : moved,
            sqrtPrice: sqrtPrice,
            tick: tick,
            liquidity: liquidity,
            ticksCrossed: ticksCrossed,
            isDry: sqrtPrice == bound
        )
    }

    /// One step: to the next tick of the bitmap's word, to the word's edge, or to the limit.
    mutating func advance(to limit: UInt256) throws(PoolError) {
        let (next, initialised) = try nextTick()
        guard let nextPrice = TickMath.price(next) else { throw .malformed }
        let target = zeroForOne ? max(nextPrice, limit) : min(nextPrice, limit)
        guard
            let step = SwapStep(
                from: sqrtPrice,
                to: target,
                liquidity: liquidity,
                rest: isExactIn ? .exactIn(rest) : .exactOut(rest),
                fee: state.fee
            ), let paid = step.amountIn.adding(step.fee),
            let left = rest.subtracting(isExactIn ? paid : step.amountOut),
            let sum = other.adding(isExactIn ? step.amountOut : paid)
        else { throw .malformed }
        // The contract's sums are signed.
        guard sum.leadingZeroBitCount > 0 else { throw .overflow }
        (rest, other) = (left, sum)
        if step.price == nextPrice {
            if let initialised { try cross(initialised) }
            tick = zeroForOne ? next - 1 : next
        } else if step.price != sqrtPrice {
            guard let own = TickMath.tick(step.price) else { throw .malformed }
            tick = own
        }
        sqrtPrice = step.price
    }

    /// The next initialised tick in the word of the bitmap, or the word's last tick without one.
    ///
    /// The stop at the edge of a word changes the rounding, so that the walk must not jump over
    /// empty words.
    private func nextTick() throws(PoolError) -> (tick: Int32, initialised: InitialisedTick?) {
        let spacing = state.tickSpacing
        let index = TickBitmap.index(of: tick, spacing: spacing) + (zeroForOne ? 0 : 1)
        let word = Int16(clamping: index >> 8)
        guard state.words.contains(word) else { throw .missingWord(word) }
        let edge = (zeroForOne ? index & ~255 : index | 255) * spacing
        let ticks = state.ticks
        if zeroForOne, below > 0, ticks[below - 1].tick >= edge {
            return (ticks[below - 1].tick, ticks[below - 1])
        }
        if !zeroForOne, below < ticks.count, ticks[below].tick <= edge {
            return (ticks[below].tick, ticks[below])
        }
        let range = TickMath.ticks
        return (min(max(edge, range.lowerBound), range.upperBound), nil)
    }

    private mutating func cross(_ initialised: InitialisedTick) throws(PoolError) {
        let net = initialised.liquidityNet
        let grows = (net < 0) == zeroForOne
        let (sum, overflow) =
            grows
            ? liquidity.addingReportingOverflow(net.magnitude)
            : liquidity.subtractingReportingOverflow(net.magnitude)
        guard !overflow else { throw .malformed }
        liquidity = sum
        ticksCrossed += 1
        below += zeroForOne ? -1 : 1
    }
}
