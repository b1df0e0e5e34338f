import DexSigning
import Ethereum
package import StrictJSON
import ZeroEx

/// The journal's form of bounds: every number is exact text.
extension PlanBounds {
    package var record: JSONValue {
        var object = JSONObject()
        object["account"] = .string(account.checksummed)
        object["chainId"] = .number(String(chainID))
        object["pays"] = Self.json(limits.pays)
        object["receives"] = Self.json(limits.receives)
        object["fees"] = Self.json(limits.fees)
        object["gas"] = Self.number(limits.gas.rawValue)
        object["contracts"] = .array(contracts.sorted().map { .string($0.checksummed) })
        object["allowances"] = .array(
            allowances.sorted {
                ($0.key.token, $0.key.spender) < ($1.key.token, $1.key.spender)
            }.map { key, amount in
                [
                    "token": .string(key.token.checksummed),
                    "spender": .string(key.spender.checksummed), "amount": Self.number(amount),
                ]
            }
        )
        object["terms"] = terms.json
        return .object(object)
    }

    /// nil for anything that `record` does not write.
    package init?(record: JSONValue) {
        guard let account = Self.address(record["account"]),
            let chainID = record["chainId"]?.numberText.flatMap({ UInt64($0) }),
            let terms = PlanTerms(record["terms"]),
            let gas = Self.number(record["gas"]),
            let contracts = record["contracts"]?.arrayValue?.map({ Self.address($0) }),
            let allowances = record["allowances"]?.arrayValue,
            let pays = Self.amount(record["pays"]),
            let receives = Self.amount(record["receives"]),
            let fees = Self.amount(record["fees"])
        else { return nil }
        self.init(
            account: account,
            chainID: chainID,
            limits: Limits(pays: pays, receives: receives, fees: fees, gas: Wei(gas)),
            terms: terms
        )
        for contract in contracts {
            guard let contract else { return nil }
            self.contracts.insert(contract)
        }
        for entry in allowances {
            guard let token = Self.address(entry["token"]),
                let spender = Self.address(entry["spender"]),
                let amount = Self.number(entry["amount"])
            else { return nil }
            self.allowances[TokenSpender(token: token, spender: spender)] = amount
        }
    }

    private static func json(_ amount: Limits.Amount?) -> JSONValue {
        amount.map { ["token": .string($0.token.checksummed), "amount": number($0.raw)] } ?? .null
    }

    /// `.some(nil)` for null, nil for unreadable JSON.
    private static func amount(_ json: JSONValue?) -> Limits.Amount?? {
        guard let json else { return nil }
        if json.isNull { return .some(nil) }
        guard let token = address(json["token"]), let raw = number(json["amount"]) else {
            return nil
        }
        return .some(Limits.Amount(token: token, raw: raw))
    }

    fileprivate static func number(_ value: UInt256) -> JSONValue { .string(value.description) }

    fileprivate static func number(_ json: JSONValue?) -> UInt256? {
        json?.stringValue.flatMap { UInt256(decimal: $0) }
    }

    fileprivate static func address(_ json: JSONValue?) -> Address? {
        json?.stringValue.flatMap(Address.init(ifValid:))
    }
}

extension PlanTerms {
    fileprivate var json: JSONValue {
        switch self {
        case .trade(let pair, let venue, let size, let within):
            let (name, amount): (String, UInt256) =
                switch size {
                case .base(let amount): ("base", amount)
                case .spend(let amount): ("spend", amount)
                }
            return [
                "kind": "trade", "pair": pair.json, "venue": .string(venue.rawValue),
                "size": .string(name), "amount": PlanBounds.number(amount),
                "pay": PlanBounds.number(within.pay),
                "minimumReceive": PlanBounds.number(within.minimumReceive),
                "maximumFee": PlanBounds.number(within.maximumFee),
                "cost": PlanBounds.number(within.cost),
                "worstQuote": PlanBounds.number(within.worst.quote),
                "worstBase": PlanBounds.number(within.worst.base),
            ]
        case .order(let pair, let makerAmount, let takerAmount, let expiry):
            return [
                "kind": "order", "pair": pair.json, "makerAmount": PlanBounds.number(makerAmount),
                "takerAmount": PlanBounds.number(takerAmount),
                "expiry": .number(String(expiry)),
            ]
        case .cancel(let orders):
            return ["kind": "cancel", "orders": .array(orders.map { .string($0.hex) })]
        }
    }

    fileprivate init?(_ json: JSONValue?) {
        guard let json else { return nil }
        switch json["kind"]?.stringValue {
        case "trade":
            guard let pair = PairTerms(json["pair"]),
                let venue = json["venue"]?.stringValue.flatMap(Venue.init(rawValue:)),
                let amount = PlanBounds.number(json["amount"]),
                let pay = PlanBounds.number(json["pay"]),
                let minimum = PlanBounds.number(json["minimumReceive"]),
                let fee = PlanBounds.number(json["maximumFee"]),
                let cost = PlanBounds.number(json["cost"]),
                let quote = PlanBounds.number(json["worstQuote"]),
                let base = PlanBounds.number(json["worstBase"]),
                let worst = Price(quote: quote, base: base)
            else { return nil }
            let size: MarketSize
            switch json["size"]?.stringValue {
            case "base": size = .base(amount)
            case "spend": size = .spend(amount)
            default: return nil
            }
            self = .trade(
                pair,
                venue: venue,
                size,
                within: MarketPlanner.Confirmed(
                    pay: pay,
                    minimumReceive: minimum,
                    maximumFee: fee,
                    cost: cost,
                    worst: worst
                )
            )
        case "order":
            guard let pair = PairTerms(json["pair"]),
                let maker = PlanBounds.number(json["makerAmount"]),
                let taker = PlanBounds.number(json["takerAmount"]),
                let expiry = json["expiry"]?.numberText.flatMap({ UInt64($0) })
            else { return nil }
            self = .order(pair, makerAmount: maker, takerAmount: taker, expiry: expiry)
        case "cancel":
            guard let list = json["orders"]?.arrayValue else { return nil }
            // nil: no hash, so no record of ours
            let orders = list.compactMap { $0.stringValue.flatMap { try? OrderHash(hex: $0) } }
            guard orders.count == list.count, !orders.isEmpty else { return nil }
            self = .cancel(orders)
        default: return nil
        }
    }
}

extension PairTerms {
    fileprivate var json: JSONValue {
        [
            "base": .string(base.checksummed), "quote": .string(quote.checksummed),
            "baseDecimals": baseDecimals.map { .integer($0) } ?? .null,
            "quoteDecimals": quoteDecimals.map { .integer($0) } ?? .null,
        ]
    }

    fileprivate init?(_ json: JSONValue?) {
        guard let json, let base = PlanBounds.address(json["base"]),
            let quote = PlanBounds.address(json["quote"])
        else { return nil }
        self.init(
            base: base,
            quote: quote,
            baseDecimals: json["baseDecimals"]?.numberText.flatMap { UInt8($0) },
            quoteDecimals: json["quoteDecimals"]?.numberText.flatMap { UInt8($0) }
        )
    }
}
