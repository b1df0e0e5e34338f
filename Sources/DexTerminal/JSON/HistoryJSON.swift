package import DexCore
import Ethereum
package import StrictJSON
import ZeroEx

/// `data` of past events: own orders, and trades.
package enum HistoryJSON {
    /// `dex orders --mine`: an order as `dex orders` has it, with `signed`, `relay`, `inDoubt` and
    /// `events`.
    package static func ownOrders(_ state: OwnOrdersState) -> JSONValue {
        [
            "account": JSONFormat.address(state.account),
            "block": JSONFormat.integer(state.block),
            "timestamp": JSONFormat.integer(state.timestamp),
            "orders": .array(state.rows.map { ownOrder($0) }),
            "dropped": ReadJSON.dropped(state.dropped),
        ]
    }

    package static func history(_ state: HistoryState) -> JSONValue {
        [
            "account": JSONFormat.address(state.account),
            "block": JSONFormat.integer(state.block),
            "since": JSONFormat.integer(state.since),
            "trades": .array(state.rows.map { trade($0, state.coin) }),
            "positions": .array(state.positions.map { position($0, state.coin) }),
            "otherGas": state.otherGas.map { JSONFormat.ether($0, state.coin) } ?? .null,
        ]
    }

    package static func rebuild(_ rebuild: TradeSync.Rebuild) -> JSONValue {
        [
            "fromBlock": JSONFormat.integer(rebuild.blocks.lowerBound),
            "toBlock": JSONFormat.integer(rebuild.blocks.upperBound),
            "before": .integer(UInt64(rebuild.before)),
            "after": .integer(UInt64(rebuild.after)),
            "added": .integer(UInt64(rebuild.added)),
            "removed": .integer(UInt64(rebuild.removed)),
        ]
    }

    private static func trade(_ row: HistoryState.Row, _ coin: CoinSymbol) -> JSONValue {
        let quote = row.pair.quote
        let profit: JSONValue =
            row.profit.map { profit in
                [
                    "average": row.hasCost ? signed(profit.average, quote) : .null,
                    "fifo": row.hasCost ? signed(profit.fifo, quote) : .null,
                    "uncovered": JSONFormat.amount(profit.uncovered, row.pair.base),
                ]
            } ?? .null
        return [
            "kind": .string(row.kind.rawValue),
            "role": .string(row.role.rawValue),
            "side": .string(row.side.rawValue),
            "pair": JSONFormat.text(row.pair.name),
            "base": JSONFormat.amount(row.base, row.pair.base),
            "quote": JSONFormat.amount(row.quote, quote),
            "price": row.price.map { ReadJSON.price($0, row.pair) } ?? .null,
            "effectivePrice": row.effectivePrice.map { ReadJSON.price($0, row.pair) } ?? .null,
            "fee": row.feeToken.map { JSONFormat.amount(row.fee, $0) } ?? .null,
            "gas": row.gas.map { JSONFormat.ether($0, coin) } ?? .null,
            "profit": profit,
            "orderHash": JSONFormat.hash(row.orderHash),
            "counterparty": row.counterparty.map { JSONFormat.address($0) } ?? .null,
            "transaction": JSONFormat.hash(row.transaction),
            "block": JSONFormat.integer(row.block),
            "logIndex": JSONFormat.integer(row.logIndex),
            "time": JSONFormat.integer(row.time),
            "tag": JSONFormat.text(row.tag),
            "arrival": row.arrivalSource.map { .string($0) } ?? .null,
        ]
    }

    static func position(
        _ position: HistoryState.Position,
        _ coin: CoinSymbol
    ) -> JSONValue {
        let (base, quote) = (position.pair.base, position.pair.quote)
        func profit(_ profit: SignedAmount) -> JSONValue {
            position.hasCost ? signed(profit, quote) : .null
        }
        func afterGas(_ profit: SignedAmount) -> JSONValue {
            position.hasCost ? position.afterGas(profit).map { signed($0, quote) } ?? .null : .null
        }
        return [
            "pair": JSONFormat.text(position.pair.name),
            "fills": .integer(UInt64(position.fills)),
            "unprovenFills": .integer(UInt64(position.unproven)),
            "bought": JSONFormat.amount(position.bought, base),
            "cost": JSONFormat.amount(position.cost, quote),
            "sold": JSONFormat.amount(position.sold, base),
            "proceeds": JSONFormat.amount(position.proceeds, quote),
            "held": JSONFormat.amount(position.held, base),
            "average": [
                "cost": JSONFormat.amount(position.heldAverageCost, quote),
                "profit": profit(position.averageProfit),
                "profitAfterGas": afterGas(position.averageProfit),
            ],
            "fifo": [
                "cost": JSONFormat.amount(position.heldFIFOCost, quote),
                "profit": profit(position.fifoProfit),
                "profitAfterGas": afterGas(position.fifoProfit),
            ],
            "unrealised": position.unrealised.map { unrealised($0, position.pair) } ?? .null,
            "uncovered": JSONFormat.amount(position.uncovered, base),
            "fees": position.fees.count == 1
                ? JSONFormat.amount(position.fees.first) : .null,
            "feesByToken": .array(position.fees.map { JSONFormat.amount($0) }),
            "gas": position.gas.map { JSONFormat.ether($0, coin) } ?? .null,
        ]
    }

    private static func unrealised(_ profit: UnrealisedProfit, _ pair: Pair) -> JSONValue {
        [
            "mid": ReadJSON.price(profit.mid, pair),
            "value": JSONFormat.amount(profit.value, pair.quote),
            "average": signed(profit.average, pair.quote),
            "fifo": signed(profit.fifo, pair.quote),
            "dollars": profit.dollars.map { coin in
                [
                    "value": JSONFormat.amount(coin.value, coin.token),
                    "average": signed(coin.average, coin.token),
                    "fifo": signed(coin.fifo, coin.token),
                ]
            } ?? .null,
        ]
    }

    /// An amount whose `raw` and `value` have a minus sign if it is below zero.
    private static func signed(_ amount: SignedAmount, _ token: Token) -> JSONValue {
        let value = JSONFormat.amount(amount.magnitude, token)
        guard amount.isNegative, var object = value.objectValue else { return value }
        object["raw"] = .string("-\(amount.magnitude)")
        if let text = object["value"]?.stringValue { object["value"] = .string("-" + text) }
        return .object(object)
    }

    package static func why(_ state: WhyState) -> JSONValue {
        [
            "orderHash": JSONFormat.hash(state.row.order.hash),
            "fillable": .bool(state.isFillable),
            "reason": .string(state.reason.rawValue),
            "sentence": JSONFormat.text(state.sentence),
            "remedy": state.remedy.map { JSONFormat.text($0) } ?? .null,
            "block": JSONFormat.integer(state.block),
            "order": ReadJSON.order(state.row),
        ]
    }

    private static func ownOrder(_ row: OwnOrdersState.Row) -> JSONValue {
        var object = ReadJSON.order(row.order).objectValue ?? JSONObject()
        object["signed"] = JSONFormat.integer(row.signed)
        object["relay"] = row.relay.map { JSONFormat.text($0) } ?? .null
        object["inDoubt"] = .bool(row.isInDoubt)
        object["events"] = .array(row.events.map { event($0, of: row.order) })
        return .object(object)
    }

    private static func event(_ event: OwnOrderEvent, of order: OrdersState.Row) -> JSONValue {
        let kind: String
        var taker = JSONValue.null
        switch event.kind {
        case .fill(let account, _):
            kind = "fill"
            taker = JSONFormat.address(account)
        case .cancel: kind = "cancel"
        }
        return [
            "kind": .string(kind),
            "gives": JSONFormat.amount(event.makerAmount, order.maker.token),
            "wants": JSONFormat.amount(event.takerAmount, order.taker.token),
            "taker": taker,
            "transaction": JSONFormat.hash(event.transaction),
            "block": JSONFormat.integer(event.block),
            "time": JSONFormat.integer(event.time),
        ]
    }
}

extension HistoryState.Row {
    /// Where the amount that arrived comes from: `balances` or `exchange`; nil if nothing arrived.
    var arrivalSource: String? {
        guard kind == .fill, role != .own else { return nil }
        return isUnproven ? "exchange" : "balances"
    }
}
