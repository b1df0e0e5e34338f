import Ethereum
import StrictJSON
import ZeroEx

/// What the relay says of itself in `/relay.json`, and of its pairs in `/markets.json`.
struct RelayDescription: Sendable {
    let markets: [RelayMarket]
    let operations: RelayOperations

    /// More pairs are left out of `/markets.json`.
    static let maximumMarkets = 500

    var relay: JSONValue {
        var object = JSONObject()
        object["name"] = .string(operations.name)
        object["url"] = operations.publicURL.map { .string($0) }
        object["network"] = operations.network.map { .string($0) }
        object["chainId"] = operations.chainID.map { .integer($0) }
        object["version"] = .string(operations.version)
        object["apis"] = .array(markets.map(api))
        object["tokens"] = .array(
            operations.tokens().sorted { $0.key < $1.key }.map { address, token in
                [
                    "address": .string(address.lowercaseHex),
                    "symbol": .string(token.symbol),
                    "decimals": .integer(token.decimals),
                ]
            }
        )
        return .object(object)
    }

    private func api(_ market: RelayMarket) -> JSONValue {
        let interface = RelayInterface(market.version)
        let configuration = market.intake.configuration
        return [
            "api": .string(interface.name),
            "protocol": .string(market.version.rawValue),
            "paths": .array(interface.paths.map { .string($0) }),
            "webSocket": .string(interface.webSocketPath),
            "exchange": .string(configuration.contracts.exchange.lowercaseHex),
            "acceptsOrders": .bool(configuration.acceptsOrders),
        ]
    }

    /// Every pair with its best prices for a taker.
    var pairs: JSONValue {
        var list: [JSONValue] = []
        for market in markets {
            let listed = market.intake.configuration.pairs
                .map { (base: $0.tokenA.token, quote: $0.tokenB.token) }
            // Pairs that the configuration allows without naming them, or that it named once.
            let known = Set(listed.map { MarketKey(version: market.version, pair: direction($0)) })
            let others = market.intake.book.statistics.orders.keys.filter { !known.contains($0) }
                .map { (base: $0.pair.makerToken, quote: $0.pair.takerToken) }
                .sorted { ($0.base, $0.quote) < ($1.base, $1.quote) }
            for pair in listed + others where list.count < Self.maximumMarkets {
                list.append(json(pair.base, pair.quote, market))
            }
        }
        return ["markets": .array(list)]
    }

    private func direction(_ pair: (base: Address, quote: Address)) -> PairDirection {
        PairDirection(makerToken: pair.base, takerToken: pair.quote)
    }

    private func json(_ base: Address, _ quote: Address, _ market: RelayMarket) -> JSONValue {
        let interface = RelayInterface(market.version)
        let asks = PairDirection(makerToken: base, takerToken: quote)
        let bids = PairDirection(makerToken: quote, takerToken: base)
        let visibility = SortedListings.Visibility(
            horizon: market.intake.horizon,
            onlyRead: market.version == .v4
        )
        var object = JSONObject()
        object["api"] = .string(interface.name)
        object["base"] = .string(base.lowercaseHex)
        object["quote"] = .string(quote.lowercaseHex)
        for (name, direction) in [("bids", bids), ("asks", asks)] {
            let side = market.intake.book.read { $0.side(direction) }
            let page = side.page(visibility) { 0..<min(1, $0) }
            object[name] = .integer(page.total)
            guard let best = page.listings.first?.entry else { continue }
            let paid = interface.rules.ranking.paid(for: best.order)
            let given = best.order.makerAmount
            object[name == "bids" ? "bestBid" : "bestAsk"] = [
                "baseAmount": .string((name == "bids" ? paid : given).description),
                "quoteAmount": .string((name == "bids" ? given : paid).description),
            ]
        }
        return .object(object)
    }
}
