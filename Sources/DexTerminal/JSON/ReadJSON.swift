package import DexCore
import DexStore
import Ethereum
package import StrictJSON
import ZeroEx

/// `data` of the reading commands.
package enum ReadJSON {
    // MARK: orderbook

    /// Both sides are encoded concurrently: a large book has millions of digits.
    package static func orderbook(_ state: OrderbookState) async -> JSONValue {
        async let asks = rows(state.asks, state.pair, feeToken: state.feeToken)
        let bids = await rows(state.bids, state.pair, feeToken: state.feeToken)
        return [
            "base": JSONFormat.token(state.pair.base),
            "quote": JSONFormat.token(state.pair.quote),
            "block": JSONFormat.integer(state.block),
            "timestamp": JSONFormat.integer(state.timestamp),
            "raw": .bool(state.isRaw),
            "bid": price(state.bid, state.pair),
            "ask": price(state.ask, state.pair),
            "mid": price(state.mid, state.pair),
            "bids": bids,
            "asks": await asks,
            "bidCount": .integer(state.bidCount),
            "askCount": .integer(state.askCount),
            "received": .integer(state.received),
            "verified": .integer(state.verified),
            "dropped": dropped(state.dropped),
            "feeRate": feeRate(state.feeRate, state),
            "relays": RelayJSON.answers(state.relays),
            "source": RelayJSON.source(state.source),
            "venue": .string(Venue.book.rawValue),
            "nodes": .null,
        ]
    }

    /// The rows of a book's `asks` and `bids`, each with its `side`: the maker's.
    package static func sided(_ book: JSONValue) -> [JSONValue] {
        [("asks", TradeSide.sell), ("bids", .buy)].flatMap { key, side in
            (book[key]?.arrayValue ?? []).map { row in
                var object = row.objectValue ?? JSONObject()
                object["side"] = .string(side.rawValue)
                return .object(object)
            }
        }
    }

    /// QUOTE per fee token; null for a token of the pair.
    private static func feeRate(_ rate: FeeRate?, _ state: OrderbookState) -> JSONValue {
        guard let rate, let token = state.feeToken else { return .null }
        return price(rate.price, Pair(base: token, quote: state.pair.quote))
    }

    @concurrent
    private static func rows(
        _ rows: [OrderbookState.Row],
        _ pair: Pair,
        feeToken: Token?
    ) async -> JSONValue {
        let amounts = JSONFormat.Amounts(pair.base)
        let fees = feeToken.map { JSONFormat.Amounts($0) }
        // A checksum takes a hash, and makers have many orders.
        var makers: [Address: JSONValue] = [:]
        return .list(rows) { row in
            let maker = makers[row.maker] ?? JSONFormat.address(row.maker)
            makers[row.maker] = maker
            return [
                "price": price(row.price, pair),
                "amount": amounts.json(row.amount),
                "fillable": amounts.json(row.fillable),
                "takerFee": row.takerFee == .zero
                    ? .null : fees?.json(row.takerFee) ?? .null,
                "orderHash": JSONFormat.hash(row.orderHash),
                "maker": maker,
                "expires": JSONFormat.integer(row.expires),
                "flags": flags(row.flags),
                // Of a raw book nothing is known.
                "takeable": row.flags.contains(.unverified) ? .null : .bool(row.isTakeable),
                "relays": RelayJSON.names(row.relays),
            ]
        }
    }

    static func flags(_ flags: [OrderFlag]) -> JSONValue {
        .array(flags.map { .string($0.rawValue) })
    }

    static func dropped(_ dropped: [OrderbookState.Dropped]) -> JSONValue {
        .list(dropped) { order in
            [
                "orderHash": order.orderHash.map { JSONFormat.hash($0) } ?? .null,
                "code": .string(order.reason.code),
                "reason": JSONFormat.text(order.reason.words),
                "count": .integer(order.count),
            ]
        }
    }

    /// QUOTE per BASE in human units as a decimal text, half up at 18 significant digits.
    static func price(_ price: Price?, _ pair: Pair) -> JSONValue {
        price.map {
            .string(Ratio($0, base: pair.base, quote: pair.quote).text(significant: 18))
        } ?? .null
    }

    /// Hundredths of a percent as a decimal percentage: `"0.83"`.
    static func percent(_ basisPoints: UInt64) -> JSONValue {
        .string(String(NumberText.percent(basisPoints: basisPoints).dropLast()))
    }

    // MARK: price, pairs, tokens, balance

    package static func price(_ state: PriceState) -> JSONValue {
        let prices: JSONValue = [
            "base": JSONFormat.token(state.pair.base),
            "quote": JSONFormat.token(state.pair.quote),
            "block": JSONFormat.integer(state.block),
            "bid": price(state.bid, state.pair),
            "ask": price(state.ask, state.pair),
            "mid": price(state.mid, state.pair),
            "trend": state.trend.map { MarketJSON.chart($0) } ?? .null,
            "pools": state.pools.map { PoolJSON.sources($0) } ?? .null,
            "nodes": JSONFormat.integer(state.pools?.nodes),
        ]
        guard var data = prices.objectValue else { return prices }
        if !state.offers.isEmpty {
            data["venues"] = .list(state.offers) { offer in
                [
                    "venue": .string(offer.venue.rawValue),
                    "average": price(offer.average, state.pair),
                    "worst": price(offer.worst, state.pair),
                    "total": offer.total.map { JSONFormat.amount($0, state.pair.quote) } ?? .null,
                    "gas": JSONFormat.integer(offer.gas),
                    "reason": JSONFormat.text(offer.reason),
                ]
            }
        }
        guard let quote = state.quote else { return .object(data) }
        data["side"] = .string(quote.side.rawValue)
        data["amount"] = JSONFormat.amount(quote.amount, state.pair.base)
        data["fillable"] = JSONFormat.amount(quote.fillable, state.pair.base)
        data["total"] = JSONFormat.amount(quote.total, state.pair.quote)
        data["average"] = price(quote.average, state.pair)
        data["worst"] = price(quote.worst, state.pair)
        data["impact"] = percent(quote.impactBasisPoints)
        data["fees"] = JSONFormat.amount(quote.fees)
        data["feeValue"] = quote.feeValue.map { JSONFormat.amount($0, state.pair.quote) } ?? .null
        data["orders"] = .integer(quote.orders)
        return .object(data)
    }

    package static func pairs(_ state: PairsState) -> JSONValue {
        [
            "relay": JSONFormat.text(state.relay),
            "source": .string(state.source.rawValue),
            "pairs": .list(state.rows) { row in
                [
                    "pair": JSONFormat.text(row.pair.name),
                    "base": JSONFormat.token(row.pair.base),
                    "quote": JSONFormat.token(row.pair.quote),
                    "known": .bool(row.isKnown),
                    "bid": price(row.book?.bid, row.pair),
                    "ask": price(row.book?.ask, row.pair),
                    "spread": row.book?.spreadBasisPoints.map { percent($0) } ?? .null,
                    "bidDepth": row.book.map { JSONFormat.amount($0.bidDepth, row.pair.quote) }
                        ?? .null,
                    "askDepth": row.book.map { JSONFormat.amount($0.askDepth, row.pair.quote) }
                        ?? .null,
                    "volume": row.volume.map { MarketJSON.volume($0, row.pair) } ?? .null,
                ]
            },
        ]
    }

    package static func tokens(_ state: TokensState) -> JSONValue {
        [
            "network": .string(state.network),
            "tokens": .list(state.rows) { row in
                var token = JSONFormat.token(row.token).objectValue ?? JSONObject()
                token["logoURI"] = JSONFormat.text(row.token.logoURI)
                token["warnings"] = .array(row.warnings.map { JSONFormat.text($0) })
                return .object(token)
            },
        ]
    }

    package static func balance(_ state: BalanceState) -> JSONValue {
        let unit = state.worth?.unit
        func worth(_ raw: UInt256?) -> JSONValue {
            guard let raw, let unit else { return .null }
            return MoneyJSON.amount(raw, unit)
        }
        let ether: JSONValue = [
            "token": [
                "symbol": .string(state.coin.text),
                "name": .string(Token.nativeCoin(state.coin).name),
                "address": .null, "decimals": 18,
            ],
            "balance": JSONFormat.ether(state.ether, state.coin),
            "allowance": .null,
            "value": worth(state.worth?.ether),
        ]
        let rows: [JSONValue] = state.rows.map { row in
            [
                "token": JSONFormat.token(row.token),
                "balance": row.amount.map { JSONFormat.amount($0) } ?? .null,
                "allowance": row.allowance.map { JSONFormat.amount($0, row.token) } ?? .null,
                "value": worth(state.worth?.tokens[row.token.address]),
            ]
        }
        return [
            "owner": JSONFormat.address(state.owner),
            "block": JSONFormat.integer(state.block),
            "balances": .array([ether] + rows),
            "value": worth(state.worth?.total),
            "knownValue": worth(state.worth?.known),
            "positions": .list(state.positions) { HistoryJSON.position($0, state.coin) },
            "discovered": state.discovered.map { discovered($0) } ?? .null,
        ]
    }

    private static func discovered(_ found: DiscoveredTokens) -> JSONValue {
        [
            "fromBlock": JSONFormat.integer(found.blocks.lowerBound),
            "toBlock": JSONFormat.integer(found.blocks.upperBound),
            "contracts": .integer(found.contracts),
            "isCut": .bool(found.isCut),
            "tokens": .list(found.rows) { row in
                [
                    "token": JSONFormat.token(row.token),
                    "balance": row.amount.map { JSONFormat.amount($0) } ?? .null,
                    "isSpam": .bool(row.isSpam),
                    "marks": .list(row.marks) { .string($0.rawValue) },
                    "imitates": row.imitates.map { JSONFormat.token($0) } ?? .null,
                ]
            },
        ]
    }

    // MARK: orders, order, status

    package static func orders(_ state: OrdersState) -> JSONValue {
        [
            "block": JSONFormat.integer(state.block),
            "timestamp": JSONFormat.integer(state.timestamp),
            "orders": .array(state.rows.map { order($0) }),
            "dropped": dropped(state.dropped),
        ]
    }

    package static func order(_ row: OrdersState.Row) -> JSONValue {
        [
            "orderHash": JSONFormat.hash(row.order.hash),
            "status": .string(row.standing.rawValue),
            "side": .string(row.side.rawValue),
            "pair": JSONFormat.text(row.pair.name),
            "price": price(row.price, row.pair),
            "maker": JSONFormat.address(row.order.maker),
            "taker": row.order.taker == .zero ? .null : JSONFormat.address(row.order.taker),
            "gives": JSONFormat.amount(row.maker),
            "wants": JSONFormat.amount(row.taker),
            "filled": JSONFormat.amount(row.state.filled, row.taker.token),
            "cancelled": JSONFormat.amount(row.state.cancelled, row.taker.token),
            "remaining": JSONFormat.amount(row.state.remaining, row.taker.token),
            "fillable": row.knownFillable.map { JSONFormat.amount($0, row.taker.token) } ?? .null,
            "expires": JSONFormat.integer(row.order.expiry),
            "flags": flags(row.flags),
            "own": .bool(row.isOwn),
            "onRelay": .bool(row.isOnRelay),
            "relays": RelayJSON.names(row.relays),
            "order": wire(row.wire),
        ]
    }

    /// The relay's wire form as nested JSON; null if it is unreadable.
    static func wire(_ text: String) -> JSONValue {
        (try? JSONParser.parse(text: text)) ?? .null  // not JSON
    }

    package static func status(_ state: StatusState) -> JSONValue {
        switch state {
        case .transaction(let status): transaction(status)
        case .order(let row, let block, let fills):
            [
                "kind": "order",
                "status": .string(row.standing.rawValue),
                "hash": JSONFormat.hash(row.order.hash),
                "block": JSONFormat.integer(block),
                "confirmations": .null,
                "fills": .array(
                    fills.map { fill($0, row.maker.token, row.taker.token, feeToken: nil) }
                ),
                "order": order(row),
            ]
        }
    }

    static func transaction(_ status: TransactionStatus) -> JSONValue {
        let outcome: JSONValue = [
            "kind": "transaction",
            "status": .string(status.stage.statusWord),
            "hash": JSONFormat.hash(status.hash),
            "replaces": status.replaces.map { JSONFormat.hash($0) } ?? .null,
            "successor": status.successor.map { JSONFormat.hash($0) } ?? .null,
            "nonceTaker": status.nonceTaker.map { taker in
                [
                    "hash": JSONFormat.hash(taker.hash),
                    "block": JSONFormat.integer(taker.block),
                    "to": taker.to.map { JSONFormat.address($0) } ?? .null,
                    "value": JSONFormat.ether(taker.value, status.coin),
                    "function": taker.function.map { .string($0) } ?? .null,
                    "succeeded": taker.succeeded.map { .bool($0) } ?? .null,
                    "own": .bool(taker.isOwn),
                ]
            } ?? .null,
            "block": JSONFormat.integer(status.block),
            "confirmations": JSONFormat.integer(status.confirmations),
            "from": status.from.map { JSONFormat.address($0) } ?? .null,
            "to": status.to.map { JSONFormat.address($0) } ?? .null,
            "gasUsed": JSONFormat.integer(status.gasUsed),
            "cost": status.cost.map { JSONFormat.ether($0, status.coin) } ?? .null,
            "fills": .list(status.fills) {
                fill($0.event, $0.makerToken, $0.takerToken, feeToken: $0.feeToken)
            },
            "cancels": .list(status.cancels) { cancel in
                [
                    "orderHash": JSONFormat.hash(cancel.orderHash),
                    "maker": JSONFormat.address(cancel.maker),
                ]
            },
            "pairCancels": .list(status.pairCancels) { cancel in
                [
                    "maker": JSONFormat.address(cancel.maker),
                    "makerToken": JSONFormat.address(cancel.makerToken.address),
                    "takerToken": JSONFormat.address(cancel.takerToken.address),
                    "saltBelow": .string(cancel.minimumSalt.description),
                ]
            },
            "skipped": .list(status.skipped) { hash, reason in
                ["orderHash": JSONFormat.hash(hash), "reason": .string(reason.rawValue)]
            },
        ]
        var object = outcome.objectValue ?? JSONObject()
        for (key, value) in CallJSON.details(status.details, status.coin) { object[key] = value }
        return .object(object)
    }

    /// A fill from the taker's side.
    private static func fill(
        _ event: FillEvent,
        _ makerToken: Token,
        _ takerToken: Token,
        feeToken: Token?
    ) -> JSONValue {
        [
            "orderHash": JSONFormat.hash(event.orderHash),
            "received": JSONFormat.amount(event.makerAmount, makerToken),
            "paid": JSONFormat.amount(event.takerAmount, takerToken),
            "fees": feeToken.map { JSONFormat.amount(event.takerFee, $0) }
                ?? ["raw": .string(event.takerFee.description), "value": .null],
            "maker": JSONFormat.address(event.maker),
            "taker": JSONFormat.address(event.taker),
        ]
    }
}
