package import Ethereum
package import Uniswap
package import ZeroEx

/// The pools of a pair: `dex pool`.
package struct PoolListState: Sendable {
    package struct Row: Sendable {
        package let pool: PoolID
        package let address: Address
        /// Without the pool's fee.
        package let price: Price?
        /// What sales of BASE that move the price down by 1 % give and get; nil if the pool's
        /// ticks were not read.
        package let sell: Depth?
        /// What purchases of BASE that move the price up by 1 % get and cost.
        package let buy: Depth?
        /// L around the price; of a pair, that of a v3 pool with its reserves at all prices.
        package let liquidity: UInt128
        /// What a v2 pair holds; nil for a v3 pool.
        package let reserves: Depth?
        package let oracle: Oracle
        /// Base units of QUOTE that it traded in the last 24 hours; nil if that was not read.
        package var volume: UInt256?
    }

    /// Amounts in base units of the pair's tokens.
    package struct Depth: Hashable, Sendable {
        package let base: UInt256
        package let quote: UInt256
    }

    /// How far back a pool can say its mean price.
    package enum Oracle: Hashable, Sendable {
        /// A v2 pair keeps sums only: a mean takes two readings of one's own.
        case none
        /// A v3 pool.
        ///
        /// - Parameters:
        ///   - seconds: the longest of `PoolListModel.spans` that it answers; 0 if none.
        ///   - observations: how many it keeps.
        case reaches(seconds: UInt32, observations: UInt16)
    }

    package let pair: Pair
    package let block: Block
    /// Halfway between the best prices of all pools; nil without both.
    package let mid: Price?
    /// How many nodes must agree on what is shown.
    package let nodes: UInt64
    /// The deepest first.
    package var rows: [Row]
    /// Figures that could not be read; sentences.
    package var warnings: [String] = []
}

extension PoolListState {
    /// A pool's part of all volume of these pools in QUOTE, in hundredths of a percent.
    ///
    /// nil if a pool's volume was not read, or nothing was traded.
    package func share(of row: Row) -> UInt64? {
        var all = UInt256.zero
        for row in rows {
            guard let volume = row.volume else { return nil }
            all = all.addingSaturating(volume)
        }
        guard all != .zero, let own = row.volume else { return nil }
        return UInt256.mulDiv(own, 10_000, all).map { $0.quotient.w0 }
    }
}
