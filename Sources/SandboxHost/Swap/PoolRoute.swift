import Ethereum

/// The pools that a trade goes through, one after the other.
struct PoolRoute: Hashable, Sendable {
    struct Hop: Hashable, Sendable {
        var pool: ConstantPool
        let sell: Address
        let buy: Address
    }

    private(set) var hops: [Hop]

    /// A direct pool, else two pools by way of the wrapped coin.
    ///
    /// Empty if a token is only wrapped or unwrapped; nil if there is no way.
    init?(from sell: Address, to buy: Address, _ pools: [ConstantPool]) {
        func hop(_ sell: Address, _ buy: Address) -> Hop? {
            pools.first { $0.joins(sell, buy) }.map { Hop(pool: $0, sell: sell, buy: buy) }
        }
        let middle = SwapContracts.wrapped
        if sell == buy {
            hops = []
        } else if let direct = hop(sell, buy) {
            hops = [direct]
        } else if sell != middle, buy != middle, let first = hop(sell, middle),
            let second = hop(middle, buy)
        {
            hops = [first, second]
        } else {
            return nil
        }
    }

    private init(hops: [Hop]) {
        self.hops = hops
    }

    /// The whole way back, at the same pools.
    var reversed: PoolRoute {
        PoolRoute(hops: hops.reversed().map { Hop(pool: $0.pool, sell: $0.buy, buy: $0.sell) })
    }

    /// What comes out of the last pool; nil where one of them would revert.
    func output(of input: UInt256) -> UInt256? {
        trade(input)?.output
    }

    /// The output of a trade, and the route after it.
    func trade(_ input: UInt256) -> (output: UInt256, after: PoolRoute)? {
        var after = self
        var amount = input
        for index in hops.indices {
            let hop = hops[index]
            guard let output = hop.pool.output(of: amount, selling: hop.sell) else { return nil }
            after.hops[index].pool = hop.pool.after(selling: hop.sell, amount, for: output)
            amount = output
        }
        return (amount, after)
    }

    /// The least input that brings at least an output; nil if the pools do not hold that much.
    func input(for output: UInt256) -> UInt256? {
        var amount = output
        for hop in hops.reversed() {
            guard let input = hop.pool.input(for: amount, selling: hop.sell) else { return nil }
            amount = input
        }
        return amount
    }
}
