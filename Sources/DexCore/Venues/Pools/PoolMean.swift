import Ethereum
package import Uniswap
package import ZeroEx

/// The mean prices of the last minutes, weighted by time, as the oracles of v3 pools keep them.
///
/// The price of one block hardly moves them, and one that is moved back within its block not at all.
package struct PoolMean: BookPrices, Sendable {
    package let pair: Pair
    /// What a sale gets at the best of the pools' means, with that pool's fee.
    package let bid: Price?
    /// What a purchase costs at the best of the pools' means, with that pool's fee.
    package let ask: Price?
    package var mid: Price? { PriceModel.mid(bid, ask) }
    /// The pools whose oracles they are, the deepest first.
    package let pools: [PoolID]

    /// How far back it reaches.
    package static let seconds: UInt32 = 300

    /// - Parameters:
    ///   - ticks: of token1 per token0, from `Oracle.meanTick`; the deepest pool first.
    ///   - base: the pair's base as the pools have it.
    /// - Returns: nil without a price.
    init?(_ ticks: [(pool: PoolID, tick: Int32)], base: Address, pair: Pair) {
        var (bids, asks): ([Price], [Price]) = ([], [])
        for (pool, tick) in ticks {
            let isBase0 = pool.token0 == base
            let fee = pool.kind.fee
            guard let low = Oracle.bid(tick, fee: fee).flatMap({ Price($0, isBase0: isBase0) }),
                let high = Oracle.ask(tick, fee: fee).flatMap({ Price($0, isBase0: isBase0) })
            else { continue }
            bids.append(isBase0 ? low : high)
            asks.append(isBase0 ? high : low)
        }
        guard let bid = bids.max(), let ask = asks.min() else { return nil }
        (self.pair, self.bid, self.ask) = (pair, bid, ask)
        pools = ticks.map(\.pool)
    }

    /// Such as `v3:0.05%`.
    package var sources: [String] { pools.map(\.kind.name) }
}

extension Price {
    /// A price of token0 in token1 as one of the pair, rounded to 120 bits, with which sums of
    /// prices do not overflow.
    fileprivate init?(_ ratio: PriceRatio, isBase0: Bool) {
        let bits =
            256
            - min(
                ratio.numerator.leadingZeroBitCount,
                ratio.denominator.leadingZeroBitCount
            )
        let shift = max(0, bits - 120)
        let (numerator, denominator) = (ratio.numerator >> shift, ratio.denominator >> shift)
        guard numerator > .zero, denominator > .zero else { return nil }
        self.init(
            quote: isBase0 ? numerator : denominator,
            base: isBase0 ? denominator : numerator
        )
    }
}
