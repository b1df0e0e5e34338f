import Ethereum
package import StrictJSON
package import ZeroEx

/// What an agent asked `dex mcp` to plan, in the words of the commands.
package enum AgentRequest: Hashable, Sendable {
    /// - Parameter slippage: in hundredths of a percent; nil is the settings' own.
    case market(MarketRequest, slippage: UInt64?)
    case limit(LimitRequest)
    case cancel([OrderHash])

    /// The journal's form.
    package var record: JSONValue {
        var object = JSONObject()
        switch self {
        case .market(let request, let slippage):
            object["kind"] = "market"
            object["side"] = .string(request.side.rawValue)
            object["pair"] = .string(request.pair)
            object["amount"] = .string(request.amount)
            object["spends"] = .bool(request.spends)
            object["limitPrice"] = request.limitPrice.map { .string($0) } ?? .null
            object["via"] = request.via.map { .string($0.rawValue) } ?? .null
            object["slippage"] = slippage.map { .number(String($0)) } ?? .null
        case .limit(let request):
            object["kind"] = "limit"
            object["side"] = .string(request.side.rawValue)
            object["pair"] = .string(request.pair)
            object["amount"] = .string(request.amount)
            object["price"] = .string(request.price)
        case .cancel(let orders):
            object["kind"] = "cancel"
            object["orders"] = .array(orders.map { .string($0.hex) })
        }
        return .object(object)
    }

    /// nil for anything that `record` does not write.
    ///
    /// The end of a limit order is in the plan's bounds.
    package init?(record: JSONValue) {
        let side = record["side"]?.stringValue.flatMap(TradeSide.init(rawValue:))
        let text = { (key: String) in record[key]?.stringValue }
        switch text("kind") {
        case "market":
            guard let side, let pair = text("pair"), let amount = text("amount"),
                let spends = record["spends"]?.boolValue
            else { return nil }
            let request = MarketRequest(
                side: side,
                pair: pair,
                amount: amount,
                spends: spends,
                limitPrice: text("limitPrice"),
                via: text("via").flatMap(VenueChoice.init(rawValue:))
            )
            let slippage = record["slippage"]?.numberText.flatMap { UInt64($0) }
            self = .market(request, slippage: slippage)
        case "limit":
            guard let side, let pair = text("pair"), let amount = text("amount"),
                let price = text("price")
            else { return nil }
            self = .limit(LimitRequest(side: side, pair: pair, amount: amount, price: price))
        case "cancel":
            guard let list = record["orders"]?.arrayValue else { return nil }
            // nil: no hash, so no request of ours
            let orders = list.compactMap { $0.stringValue.flatMap { try? OrderHash(hex: $0) } }
            guard orders.count == list.count, !orders.isEmpty else { return nil }
            self = .cancel(orders)
        default: return nil
        }
    }
}
