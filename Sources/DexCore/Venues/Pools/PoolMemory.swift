import Uniswap

/// What a venue's price has found out for the quote that follows it.
actor PoolMemory {
    /// The pools whose address the factory has confirmed.
    private(set) var checked: Set<PoolID> = []
    private var kept: (trade: PoolRequest, route: PoolRoute, time: UInt64)?

    /// Seconds after which a price is read again before it becomes a quote.
    private static let longestAge: UInt64 = 5

    func check(_ pools: Set<PoolID>) { checked.formUnion(pools) }

    func keep(_ route: PoolRoute, for trade: PoolRequest, at time: UInt64) {
        kept = (trade, route, time)
    }

    /// The route of the same trade, once; nil if there is none that is young enough.
    func take(_ trade: PoolRequest, at time: UInt64) -> PoolRoute? {
        guard let kept, kept.trade == trade, time >= kept.time,
            time - kept.time <= Self.longestAge
        else { return nil }
        self.kept = nil
        return kept.route
    }
}
