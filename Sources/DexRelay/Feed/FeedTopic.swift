import Ethereum

/// What a subscription follows.
enum FeedTopic: Hashable, Sendable {
    /// Both sides of a pair: the channel `orderbook` of API v0.
    case pair(MarketKey)
    /// The orders with these tokens, nil is any: the channel `orders` of API v4.
    case orders(makerToken: Address?, takerToken: Address?)
}

/// A sequence of messages that all its subscribers get alike: a pair in v0, a direction in v4.
struct FeedStreamKey: Hashable, Sendable {
    let market: MarketKey
    /// nil for both.
    let direction: PairDirection?

    /// The stream with the orders of a market's direction.
    init(_ market: MarketKey, _ direction: PairDirection) {
        self.market = market
        switch RelayInterface(market.version) {
        case .v0: self.direction = nil
        case .v4: self.direction = direction
        }
    }

    /// The topics that get the stream's messages.
    var topics: [FeedTopic] {
        guard let direction else { return [.pair(market)] }
        let (maker, taker) = (direction.makerToken, direction.takerToken)
        return [
            .orders(makerToken: maker, takerToken: taker),
            .orders(makerToken: maker, takerToken: nil),
            .orders(makerToken: nil, takerToken: taker),
            .orders(makerToken: nil, takerToken: nil),
        ]
    }
}
