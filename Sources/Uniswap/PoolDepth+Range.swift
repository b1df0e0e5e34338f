public import Ethereum

extension PoolDepth {
    /// What a trade moves that takes the pool's marginal price to a tick.
    ///
    /// Exact for v3. A pair's trade is the greatest that leaves its price on this side of the tick.
    ///
    /// - Parameters:
    ///   - tick: of token1 per token0; the price without the fee.
    ///   - zeroForOne: token0 is sold, and the price falls.
    /// - Returns: base units, both above 0; nil where the price is beyond the tick already, or where
    ///   the way gives nothing.
    /// - Throws: `PoolError.missingWord` where the ticks of the way were not read, and what a pool
    ///   throws that no genuine one is.
    public func amounts(
        to tick: Int32,
        zeroForOne: Bool
    ) throws(PoolError) -> (amountIn: UInt256, amountOut: UInt256)? {
        guard let price = TickMath.price(tick) else { return nil }
        switch self {
        case .v2(let state): return state.amounts(to: price, zeroForOne: zeroForOne)
        case .v3(let state):
            let limit =
                zeroForOne
                ? max(price, TickMath.minimumPrice + 1) : min(price, TickMath.maximumPrice - 1)
            guard zeroForOne ? limit < state.sqrtPrice : limit > state.sqrtPrice else {
                return nil
            }
            // More than any pool takes on its way to a price.
            let swap = try state.swap(
                .exactIn(UInt256(1) << 254),
                zeroForOne: zeroForOne,
                limit: limit
            )
            guard swap.amountIn != .zero, swap.amountOut != .zero else { return nil }
            return (swap.amountIn, swap.amountOut)
        }
    }
}

extension PairState {
    /// The greatest tick whose price is not above the pair's; nil without reserves.
    var tick: Int32? {
        guard reserve0 != .zero, reserve1 != .zero else { return nil }
        var low = TickMath.ticks.lowerBound
        var high = TickMath.ticks.upperBound
        while low < high {
            let middle = low + (high - low + 1) / 2
            guard let price = TickMath.price(middle).flatMap({ PriceRatio(sqrtPrice: $0) }) else {
                return nil
            }
            if isBefore(price, zeroForOne: true) { low = middle } else { high = middle - 1 }
        }
        return low
    }

    fileprivate func amounts(
        to sqrtPrice: UInt256,
        zeroForOne: Bool
    ) -> (amountIn: UInt256, amountOut: UInt256)? {
        guard let price = PriceRatio(sqrtPrice: sqrtPrice) else { return nil }
        // The amount in has at most 112 bits, as the reserve that it goes to.
        var low = UInt256.zero
        var high = PairMath.maximumReserve &- (zeroForOne ? reserve0 : reserve1)
        var found: (amountIn: UInt256, amountOut: UInt256)?
        while low < high {
            let middle = low &+ (high &- low &+ 1) >> 1
            // nil: too little to give anything, or too much for the pair
            let swap = try? swap(.exactIn(middle), zeroForOne: zeroForOne)
            if let swap {
                guard swap.after.isBefore(price, zeroForOne: zeroForOne) else {
                    high = middle &- 1
                    continue
                }
                found = (swap.amountIn, swap.amountOut)
            }
            low = middle
        }
        return found
    }

    /// Whether the pair's price has not passed another one on its way.
    private func isBefore(_ price: PriceRatio, zeroForOne: Bool) -> Bool {
        let own = reserve1.multipliedFullWidth(by: price.denominator)
        let other = reserve0.multipliedFullWidth(by: price.numerator)
        return zeroForOne
            ? (own.high, own.low) >= (other.high, other.low)
            : (own.high, own.low) <= (other.high, other.low)
    }
}
