import DexStore
package import Ethereum
package import Uniswap

extension MarketSync {
    /// Seconds of the volumes that screens show.
    package static let volumeSpan: UInt64 = 86_400

    /// How much of a token each pool traded, in base units; pools that the factory does not have are
    /// left out.
    ///
    /// What one transaction sells to a pool and buys back counts once (`Uniswap.PoolTrade.volume`).
    /// Blocks that were read once are kept, so the next question reads only the new ones.
    ///
    /// - Parameters:
    ///   - token: one of each pool's two tokens.
    /// - Throws: as `plan` and `read`.
    package func volumes(
        of pools: [PoolID],
        in token: Address,
        from start: MarketStart = .span(volumeSpan)
    ) async throws(DexError) -> [PoolID: UInt256] {
        let plan = try await plan(from: start, pools: pools, withExchange: false)
        let reading = try await read(plan)
        var volumes: [PoolID: UInt256] = [:]
        for (contract, pool) in plan.sources.pools {
            volumes[pool] =
                VolumePerTransaction(
                    (reading.pools[contract] ?? []).map { trade in
                        let isSold = (trade.sellsToken0 ? pool.token0 : pool.token1) == token
                        return (trade.transaction, isSold, isSold ? trade.sold : trade.bought)
                    }
                ).sum
        }
        return volumes
    }

    /// How much of a token one pool traded, in base units; nil for a pool that the factory does not
    /// have.
    ///
    /// - Throws: as `volumes`.
    package func volume(
        of pool: PoolID,
        in token: Address,
        from start: MarketStart = .span(volumeSpan)
    ) async throws(DexError) -> UInt256? {
        try await volumes(of: [pool], in: token, from: start)[pool]
    }
}

/// The volume of a token over transactions: per transaction the greater of what pools got and what
/// they gave of it.
///
/// A path passes on what it bought, and a swap forth and back moves the same tokens twice.
struct VolumePerTransaction {
    /// Base units; the most that 256 bits hold if it is more.
    let sum: UInt256

    /// - Parameter parts: of each trade its transaction, whether the token was sold, and how much.
    init(_ parts: some Sequence<(TransactionHash, isSold: Bool, amount: UInt256)>) {
        var sums: [TransactionHash: (sold: UInt256, bought: UInt256)] = [:]
        for (transaction, isSold, amount) in parts {
            var sum = sums[transaction] ?? (0, 0)
            if isSold {
                sum.sold = sum.sold.addingSaturating(amount)
            } else {
                sum.bought = sum.bought.addingSaturating(amount)
            }
            sums[transaction] = sum
        }
        sum = sums.values.reduce(.zero) { $0.addingSaturating(max($1.sold, $1.bought)) }
    }
}
