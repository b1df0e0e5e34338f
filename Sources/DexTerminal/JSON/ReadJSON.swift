package import DexCore
import Ethereum
package import StrictJSON
import ZeroEx

/// `data` of the reading commands.
package enum ReadJSON {
    // MARK: orderbook

    /// Both sides are laid out at once: a large book is millions of digits.
    package static func orderbook(_ state: OrderbookState) async -> JSONValue {
        async let asks = rows(state.asks, state.pair, feeToken: state.feeToken)
        let bids = await rows(state.bids, state.pair, feeToken: state.feeToken)
        return [
            "base": JSONForms.token(state.pair.base),
            "quote": JSONForms.token(state.pair.quote),
            "block": JSONForms.integer(state.block),
            "timestamp": JSONForms.integer(state.timestamp),
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
        ]
    }

    /// QUOTE per fee token, where that is none of the pair.
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
        let amounts = JSONForms.Amounts(pair.base)
        let fees = feeToken.map { JSONForms.Amounts($0) }
        // A checksum is a hash, and makers have many orders.
        var makers: [Address: JSONValue] = [:]
        return .array(
            rows.map { row in
                let maker = makers[row.maker] ?? JSONForms.address(row.maker)
                makers[row.maker] = maker
                return [
                    "price": price(row.price, pair),
                    "amount": amounts.json(row.amount),
                    "fillable": amounts.json(row.fillable),
                    "takerFee": row.takerFee == .zero
                        ? .null : fees?.json(row.takerFee) ?? .null,
                    "orderHash": JSONForms.hash(row.orderHash),
                    "maker": maker,
                    "expires": JSONForms.integer(row.expires),
                    "flags": flags(row.flags),
                ]
            }
        )
    }

    static func flags(_ flags: [OrderFlag]) -> JSONValue {
        .array(flags.map { .string($0.rawValue) })
    }

    static func dropped(_ dropped: [OrderbookState.Dropped]) -> JSONValue {
        .array(
            dropped.map { order in
                [
                    "orderHash": order.orderHash.map { JSONForms.hash($0) } ?? .null,
                    "code": .string(order.code),
                    "reason": JSONForms.text(order.reason),
                    "count": .integer(order.count),
                ]
            }
        )
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
            "base": JSONForms.token(state.pair.base),
            "quote": JSONForms.token(state.pair.quote),
            "block": JSONForms.integer(state.block),
            "bid": price(state.bid, state.pair),
            "ask": price(state.ask, state.pair),
            "mid": price(state.mid, state.pair),
        ]
        guard let quote = state.quote, var data = prices.objectValue else { return prices }
        data["side"] = .string(quote.side.rawValue)
        data["amount"] = JSONForms.amount(quote.amount, state.pair.base)
        data["fillable"] = JSONForms.amount(quote.fillable, state.pair.base)
        data["total"] = JSONForms.amount(quote.total, state.pair.quote)
        data["average"] = price(quote.average, state.pair)
        data["worst"] = price(quote.worst, state.pair)
        data["impact"] = percent(quote.impactBasisPoints)
        data["fees"] = JSONForms.amount(quote.fees)
        data["feeValue"] = quote.feeValue.map { JSONForms.amount($0, state.pair.quote) } ?? .null
        data["orders"] = .integer(quote.orders)
        return .object(data)
    }

    package static func pairs(_ state: PairsState) -> JSONValue {
        [
            "relay": JSONForms.text(state.relay),
            "pairs": .array(
                state.rows.map { row in
                    [
                        "pair": JSONForms.text(row.pair.name),
                        "base": JSONForms.token(row.pair.base),
                        "quote": JSONForms.token(row.pair.quote),
                        "known": .bool(row.isKnown),
                    ]
                }
            ),
        ]
    }

    package static func tokens(_ state: TokensState) -> JSONValue {
        [
            "network": .string(state.network),
            "tokens": .array(
                state.rows.map { row in
                    var token = JSONForms.token(row.token).objectValue ?? JSONObject()
                    token["logoURI"] = JSONForms.text(row.token.logoURI)
                    token["warnings"] = .array(row.warnings.map { JSONForms.text($0) })
                    return .object(token)
                }
            ),
        ]
    }

    package static func balance(_ state: BalanceState) -> JSONValue {
        let unit = state.worth?.unit
        func worth(_ raw: UInt256?) -> JSONValue {
            guard let raw, let unit else { return .null }
            return MoneyJSON.amount(raw, unit)
        }
        let ether: JSONValue = [
            "token": ["symbol": "ETH", "name": "Ether", "address": .null, "decimals": 18],
            "balance": JSONForms.ether(state.ether),
            "allowance": .null,
            "value": worth(state.worth?.ether),
        ]
        let rows: [JSONValue] = state.rows.map { row in
            [
                "token": JSONForms.token(row.amount.token),
                "balance": JSONForms.amount(row.amount),
                "allowance": row.allowance.map { JSONForms.amount($0, row.amount.token) } ?? .null,
                "value": worth(state.worth?.tokens[row.amount.token.address]),
            ]
        }
        return [
            "owner": JSONForms.address(state.owner),
            "block": JSONForms.integer(state.block),
            "balances": .array([ether] + rows),
            "value": worth(state.worth?.total),
        ]
    }

    // MARK: orders, order, status

    package static func orders(_ state: OrdersState) -> JSONValue {
        [
            "block": JSONForms.integer(state.block),
            "timestamp": JSONForms.integer(state.timestamp),
            "orders": .array(state.rows.map { order($0) }),
            "dropped": dropped(state.dropped),
        ]
    }

    package static func order(_ row: OrdersState.Row) -> JSONValue {
        [
            "orderHash": JSONForms.hash(row.order.hash),
            "status": .string(row.standing.rawValue),
            "side": .string(row.side.rawValue),
            "pair": JSONForms.text(row.pair.name),
            "price": price(row.price, row.pair),
            "maker": JSONForms.address(row.order.maker),
            "taker": row.order.taker == .zero ? .null : JSONForms.address(row.order.taker),
            "gives": JSONForms.amount(row.maker),
            "wants": JSONForms.amount(row.taker),
            "filled": JSONForms.amount(row.state.filled, row.taker.token),
            "cancelled": JSONForms.amount(row.state.cancelled, row.taker.token),
            "remaining": JSONForms.amount(row.state.remaining, row.taker.token),
            "fillable": JSONForms.amount(row.fillable, row.taker.token),
            "expires": JSONForms.integer(row.order.expiry),
            "flags": flags(row.flags),
            "own": .bool(row.isOwn),
            "onRelay": .bool(row.isOnRelay),
            "order": wire(row.wire),
        ]
    }

    /// The relay's wire form as JSON inside JSON; null where it cannot be read back.
    static func wire(_ text: String) -> JSONValue {
        (try? JSONParser.parse(text: text)) ?? .null
    }

    package static func status(_ state: StatusState) -> JSONValue {
        switch state {
        case .transaction(let status): transaction(status)
        case .order(let row, let block, let fills):
            [
                "kind": "order",
                "status": .string(row.standing.rawValue),
                "hash": JSONForms.hash(row.order.hash),
                "block": JSONForms.integer(block),
                "confirmations": .null,
                "fills": .array(
                    fills.map { fill($0, row.maker.token, row.taker.token, feeToken: nil) }
                ),
                "order": order(row),
            ]
        }
    }

    static func transaction(_ status: TransactionStatus) -> JSONValue {
        [
            "kind": "transaction",
            "status": .string(status.status.rawValue),
            "hash": JSONForms.hash(status.hash),
            "replaces": status.replaces.map { JSONForms.hash($0) } ?? .null,
            "successor": status.successor.map { JSONForms.hash($0) } ?? .null,
            "block": JSONForms.integer(status.block),
            "confirmations": JSONForms.integer(status.confirmations),
            "from": status.from.map { JSONForms.address($0) } ?? .null,
            "to": status.to.map { JSONForms.address($0) } ?? .null,
            "gasUsed": JSONForms.integer(status.gasUsed),
            "cost": status.cost.map { JSONForms.ether($0) } ?? .null,
            "fills": .array(
                status.fills.map {
                    fill($0.event, $0.makerToken, $0.takerToken, feeToken: $0.feeToken)
                }
            ),
            "cancels": .array(
                status.cancels.map { cancel in
                    [
                        "orderHash": JSONForms.hash(cancel.orderHash),
                        "maker": JSONForms.address(cancel.maker),
                    ]
                }
            ),
            "pairCancels": .array(
                status.pairCancels.map { cancel in
                    [
                        "maker": JSONForms.address(cancel.maker),
                        "makerToken": JSONForms.address(cancel.makerToken.address),
                        "takerToken": JSONForms.address(cancel.takerToken.address),
                        "saltBelow": .string(cancel.minimumSalt.description),
                    ]
                }
            ),
            "skipped": .array(
                status.skipped.map { hash, reason in
                    ["orderHash": JSONForms.hash(hash), "reason": .string(reason.rawValue)]
                }
            ),
        ]
    }

    /// A fill as the taker sees it.
    private static func fill(
        _ event: FillEvent,
        _ makerToken: Token,
        _ takerToken: Token,
        feeToken: Token?
    ) -> JSONValue {
        [
            "orderHash": JSONForms.hash(event.orderHash),
            "received": JSONForms.amount(event.makerAmount, makerToken),
            "paid": JSONForms.amount(event.takerAmount, takerToken),
            "fees": feeToken.map { JSONForms.amount(event.takerFee, $0) }
                ?? ["raw": .string(event.takerFee.description), "value": .null],
            "maker": JSONForms.address(event.maker),
            "taker": JSONForms.address(event.taker),
        ]
    }
}
