import Ethereum
package import ZeroEx

/// The pairs and limits of a relay.
package struct RelayConfiguration: Sendable {
    package var contracts: ExchangeContracts
    /// The pairs that it carries, with their bounds.
    package var pairs: [RelayTokenPair]
    /// Pairs that are not listed are carried too, without bounds of their own.
    package var carriesAnyPair = false
    package var fees: FeeSchedule
    /// false: POST /order is answered with code 102.
    package var acceptsOrders: Bool
    /// Requests an hour from one address; nil is no limit and no X-RateLimit headers.
    package var requestsPerHour: Int?
    /// The maximum number of orders; a further one is answered with code 103.
    package var maximumOrders: Int
    /// The maximum number of one maker's orders through posts.
    package var maximumOrdersOfMaker: Int
    /// The maximum number of orders whose funds are read on chain at once.
    package var auditChunk: Int

    /// What the relay asks of orders and clients beyond the rules of the protocol.
    package var limits = RelayLimits()
    /// What the operator decided about single orders, makers and pairs.
    package var moderation = Moderation()

    package init(
        contracts: ExchangeContracts,
        pairs: [RelayTokenPair],
        fees: FeeSchedule = .free,
        acceptsOrders: Bool = true,
        requestsPerHour: Int? = nil,
        maximumOrders: Int = 100_000,
        maximumOrdersOfMaker: Int = 5_000,
        auditChunk: Int = 500
    ) {
        self.contracts = contracts
        self.pairs = pairs
        self.fees = fees
        self.acceptsOrders = acceptsOrders
        self.requestsPerHour = requestsPerHour
        self.maximumOrders = maximumOrders
        self.maximumOrdersOfMaker = maximumOrdersOfMaker
        self.auditChunk = auditChunk
    }

    /// The maximum body size of a request; an order is about 1,000 bytes.
    static let maximumBodyBytes = 16 * 1024
    /// The maximum nesting of a body; an order needs 2.
    static let maximumBodyDepth = 8

    /// The sides of the pair of these tokens, the maker token's first.
    ///
    /// nil if the pair is not carried.
    func sides(
        of direction: PairDirection
    ) -> (maker: RelayTokenPair.Side, taker: RelayTokenPair.Side)? {
        for pair in pairs {
            switch (pair.tokenA.token, pair.tokenB.token) {
            case (direction.makerToken, direction.takerToken): return (pair.tokenA, pair.tokenB)
            case (direction.takerToken, direction.makerToken): return (pair.tokenB, pair.tokenA)
            default: continue
            }
        }
        guard carriesAnyPair, direction.makerToken != direction.takerToken else { return nil }
        func unbounded(_ token: Address) -> RelayTokenPair.Side {
            RelayTokenPair.Side(token: token, minimum: nil, maximum: nil, precision: nil)
        }
        return (unbounded(direction.makerToken), unbounded(direction.takerToken))
    }
}
