package import DexCore
import Ethereum
package import StrictJSON
import ZeroEx

/// `data` of what is told of the past: own orders, and trades.
package enum HistoryJSON {
    /// `dex orders --mine`: an order as `dex orders` has it, with `signed`, `relay`, `inDoubt` and
    /// `events`.
    package static func ownOrders(_ state: OwnOrdersState) -> JSONValue {
        [
            "account": JSONForms.address(state.account),
            "block": JSONForms.integer(state.block),
            "timestamp": JSONForms.integer(state.timestamp),
            "orders": .array(state.rows.map { ownOrder($0) }),
            "dropped": ReadJSON.dropped(state.dropped),
        ]
    }

    /// `dex history`.
    package static func history(_ state: HistoryState) -> JSONValue {
        [
            "account": JSONForms.address(state.account),
            "block": JSONForms.integer(state.block),
            "since": JSONForms.integer(state.since),
            "trades": .array(state.rows.map { trade($0) }),
            "positions": .array(state.positions.map { position($0) }),
            "otherGas": JSONForms.ether(state.otherGas),
        ]
    }

    /// `dex history rebuild`.
    package static func rebuild(_ rebuild: TradeKeeper.Rebuild) -> JSONValue {
        [
            "fromBlock": JSONForms.integer(rebuild.blocks.lowerBound),
            "toBlock": JSONForms.integer(rebuild.blocks.upperBound),
            "before": .integer(UInt64(rebuild.before)),
            "after": .integer(UInt64(rebuild.after)),
            "added": .integer(UInt64(rebuild.added)),
            "removed": .integer(UInt64(rebuild.removed)),
        ]
    }

    private static func trade(_ row: HistoryState.Row) -> JSONValue {
        let quote = row.pair.quote
        let profit: JSONValue =
            row.profit.map { profit in
                [
                    "average": signed(profit.average, quote),
                    "fifo": signed(profit.fifo, quote),
                    "uncovered": JSONForms.amount(profit.uncovered, row.pair.base),
                ]
            } ?? .null
        return [
            "kind": .string(row.kind.rawValue),
            "role": .string(row.role.rawValue),
            "side": .string(row.side.rawValue),
            "pair": JSONForms.text(row.pair.name),
            "base": JSONForms.amount(row.base, row.pair.base),
            "quote": JSONForms.amount(row.quote, quote),
            "price": row.price.map { ReadJSON.price($0, row.pair) } ?? .null,
            "effectivePrice": row.effectivePrice.map { ReadJSON.price($0, row.pair) } ?? .null,
            "fee": row.feeToken.map { JSONForms.amount(row.fee, $0) } ?? .null,
            "gas": row.gas.map { JSONForms.ether($0) } ?? .null,
            "profit": profit,
            "orderHash": JSONForms.hash(row.orderHash),
            "counterparty": row.counterparty.map { JSONForms.address($0) } ?? .null,
            "transaction": JSONForms.hash(row.transaction),
            "block": JSONForms.integer(row.block),
            "logIndex": JSONForms.integer(row.logIndex),
            "time": JSONForms.integer(row.time),
        ]
    }

    private static func position(_ position: HistoryState.Position) -> JSONValue {
        let (base, quote) = (position.pair.base, position.pair.quote)
        func afterGas(_ profit: SignedAmount) -> JSONValue {
            position.afterGas(profit).map { signed($0, quote) } ?? .null
        }
        return [
            "pair": JSONForms.text(position.pair.name),
            "fills": .integer(UInt64(position.fills)),
            "bought": JSONForms.amount(position.bought, base),
            "cost": JSONForms.amount(position.cost, quote),
            "sold": JSONForms.amount(position.sold, base),
            "proceeds": JSONForms.amount(position.proceeds, quote),
            "held": JSONForms.amount(position.held, base),
            "average": [
                "cost": JSONForms.amount(position.heldAverageCost, quote),
                "profit": signed(position.averageProfit, quote),
                "profitAfterGas": afterGas(position.averageProfit),
            ],
            "fifo": [
                "cost": JSONForms.amount(position.heldFIFOCost, quote),
                "profit": signed(position.fifoProfit, quote),
                "profitAfterGas": afterGas(position.fifoProfit),
            ],
            "uncovered": JSONForms.amount(position.uncovered, base),
            "fees": position.fees.count == 1
                ? JSONForms.amount(position.fees.first) : .null,
            "feesByToken": .array(position.fees.map { JSONForms.amount($0) }),
            "gas": JSONForms.ether(position.gas),
        ]
    }

    /// An amount whose `raw` and `value` have a minus sign where it is below zero.
    private static func signed(_ amount: SignedAmount, _ token: Token) -> JSONValue {
        let value = JSONForms.amount(amount.magnitude, token)
        guard amount.isNegative, var object = value.objectValue else { return value }
        object["raw"] = .string("-\(amount.magnitude)")
        if let text = object["value"]?.stringValue { object["value"] = .string("-" + text) }
        return .object(object)
    }

    /// `dex why`.
    package static func why(_ state: WhyState) -> JSONValue {
        [
            "orderHash": JSONForms.hash(state.row.order.hash),
            "fillable": .bool(state.isFillable),
            "reason": .string(state.reason.rawValue),
            "sentence": JSONForms.text(state.sentence),
            "remedy": state.remedy.map { JSONForms.text($0) } ?? .null,
            "block": JSONForms.integer(state.block),
            "order": ReadJSON.order(state.row),
        ]
    }

    private static func ownOrder(_ row: OwnOrdersState.Row) -> JSONValue {
        var object = ReadJSON.order(row.order).objectValue ?? JSONObject()
        object["signed"] = JSONForms.integer(row.signed)
        object["relay"] = row.relay.map { JSONForms.text($0) } ?? .null
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
            taker = JSONForms.address(account)
        case .cancel: kind = "cancel"
        }
        return [
            "kind": .string(kind),
            "gives": JSONForms.amount(event.makerAmount, order.maker.token),
            "wants": JSONForms.amount(event.takerAmount, order.taker.token),
            "taker": taker,
            "transaction": JSONForms.hash(event.transaction),
            "block": JSONForms.integer(event.block),
            "time": JSONForms.integer(event.time),
        ]
    }
}
