import DexStore
package import Ethereum
package import Uniswap

extension MarketSync {
    /// Seconds of the volumes that screens show.
    package static let volumeSpan: UInt64 = 86_400

    /// How much of a token each pool traded, in base units; pools that the factory does not have are
    /// left out.
    ///
    /// What one transaction sells to a pool and buys back counts once (`VolumePerTransaction`).
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
}
