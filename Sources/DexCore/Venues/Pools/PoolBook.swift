import DexSigning
package import Ethereum
package import Uniswap
package import ZeroEx

/// The pools of a pair as a book: what they sell and buy up to each price, at one block.
///
/// Nobody has signed these prices: they are what one node says of its chain.
package struct PoolBook: BookPrices, Sendable {
    /// With decimals from the chain if the map has none.
    package let pair: Pair
    package let block: Block
    /// Each pool that exists and was read whole.
    package let pools: [PoolID: PoolDepth]
    /// Of these pools.
    package let addresses: [PoolID: Address]
    /// What the pools buy base for, the highest price first.
    package let bids: [Level]
    /// What the pools sell base for, the lowest price first.
    package let asks: [Level]

    /// What one pool trades between two prices of the ladder.
    package struct Level: Sendable {
        package let pool: PoolID
        /// Base units, above 0.
        package let base: UInt256
        /// Base units, above 0; with the pool's fee.
        package let quote: UInt256
        /// Their ratio: the mean price of this level.
        package let price: Price
    }

    /// How far the ladder's prices are from the best one, in ticks of a hundredth of a percent.
    static let steps: [Int32] = [
        1, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 400, 500, 600, 700, 800,
    ]

    /// - Parameters:
    ///   - tokens: base and quote as the pools have them: the wrapped token for the chain's coin.
    init(
        pair: Pair,
        tokens: (base: Address, quote: Address),
        _ depths: PoolDepths,
        addresses: [PoolID: Address] = [:],
        at block: Block
    ) {
        self.pair = pair
        self.block = block
        pools = depths.pools
        self.addresses = addresses
        bids = Self.levels(.sell, base: tokens.base, depths.pools)
        asks = Self.levels(.buy, base: tokens.base, depths.pools)
    }

    package var bid: Price? { depth(.sell).best }
    package var ask: Price? { depth(.buy).best }
    package var mid: Price? { PriceModel.mid(bid, ask) }

    /// The pools, those with the lowest fee first.
    package var ordered: [PoolID] {
        pools.keys.sorted { ($0.kind.fee, $0.kind.name) < ($1.kind.fee, $1.kind.name) }
    }

    /// What a trade of a side takes: asks to buy, bids to sell.
    package func levels(for side: TradeSide) -> [Level] { side == .buy ? asks : bids }

    /// A side's levels as those of any book.
    package func depth(_ side: TradeSide) -> BookDepth {
        BookDepth(
            side: side,
            levels: levels(for: side).map { level in
                BookDepth.Level(
                    price: level.price,
                    base: level.base,
                    offered: side == .buy ? level.base : level.quote
                )
            }
        )
    }

    // MARK: Ladder

    private static func levels(
        _ side: TradeSide,
        base: Address,
        _ pools: [PoolID: PoolDepth]
    ) -> [Level] {
        let levels = pools.flatMap { pool, depth in
            Self.levels(side, pool, depth, PoolOrientation(pool, base: base))
        }
        return levels.sorted { left, right in
            if left.price != right.price {
                return side == .buy ? left.price < right.price : left.price > right.price
            }
            return left.pool.kind.fee < right.pool.kind.fee
        }
    }

    /// The levels of one pool, the best first: as far as its ticks were read.
    private static func levels(
        _ side: TradeSide,
        _ pool: PoolID,
        _ depth: PoolDepth,
        _ orientation: PoolOrientation
    ) -> [Level] {
        var levels: [Level] = []
        var before = (base: UInt256.zero, quote: UInt256.zero)
        for step in steps {
            // nil: the ticks there were not read
            guard let moved = orientation.amounts(side, of: depth, ticks: step) else { break }
            guard moved.base > before.base, moved.quote > before.quote else { continue }
            let (base, quote) = (moved.base - before.base, moved.quote - before.quote)
            if let price = Price(quote: quote, base: base) {
                levels.append(Level(pool: pool, base: base, quote: quote, price: price))
            }
            before = moved
        }
        return levels
    }
}
