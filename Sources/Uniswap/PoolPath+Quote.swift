import Ethereum

extension PoolPath {
    /// The amounts of a trade along this path: an exact amount in from the first pool on, an exact
    /// amount out from the last one back.
    ///
    /// - Parameter depths: the states of the path's pools, all at one block.
    /// - Throws: `PoolError`; `.repeatedPool` for a path through a pool twice.
    public func quote(
        _ amount: PoolAmount,
        _ depths: [PoolID: PoolDepth]
    ) throws(PoolError) -> PathQuote {
        guard Set(pools).count == pools.count else { throw .repeatedPool }
        var quotes: [PoolQuote] = []
        switch amount {
        case .exactIn(var sold):
            for index in pools.indices {
                let quote = try quote(.exactIn(sold), at: index, depths)
                sold = quote.amountOut
                quotes.append(quote)
            }
        case .exactOut(var bought):
            for index in pools.indices.reversed() {
                let quote = try quote(.exactOut(bought), at: index, depths)
                bought = quote.amountIn
                quotes.append(quote)
            }
            quotes.reverse()
        }
        return PathQuote(pools: quotes)
    }

    private func quote(
        _ amount: PoolAmount,
        at index: Int,
        _ depths: [PoolID: PoolDepth]
    ) throws(PoolError) -> PoolQuote {
        let pool = pools[index]
        guard let depth = depths[pool] else { throw .unknownPool(pool) }
        return try depth.quote(amount, zeroForOne: pool.token0 == tokens[index])
    }
}
