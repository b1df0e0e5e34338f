import Ethereum
import StrictJSON
import ZeroEx

/// Plans as JSON for the journal: what was agreed to, in base units.
enum PlanRecord {
    static func json(_ plan: TradePlan) -> String {
        let legs = plan.legs.map { leg -> JSONValue in
            [
                "orderHash": .string(leg.orderHash.hex),
                "pay": .string(leg.pay.description),
                "receive": .string(leg.receive.description),
                "fee": .string(leg.fee.description),
                "spare": .bool(leg.isBackup),
            ]
        }
        let value: JSONValue = [
            "side": .string(plan.side.rawValue),
            "base": .string(plan.pair.base.address.lowercaseHex),
            "quote": .string(plan.pair.quote.address.lowercaseHex),
            "block": .integer(plan.block),
            "orders": .array(legs),
            "maximumPay": .string(plan.maximumPay.description),
            "expectedReceive": .string(plan.expectedReceive.description),
            "minimumReceive": .string(plan.minimumReceive.description),
            "gas": gas(plan.gas),
        ]
        return value.text
    }

    static func json(orders: [OrderHash], gas plan: GasPlan) -> String {
        let value: JSONValue = [
            "orders": .array(orders.map { .string($0.hex) }),
            "gas": gas(plan),
        ]
        return value.text
    }

    static func json(_ plan: LimitPlan) -> String {
        let value: JSONValue = [
            "orderHash": .string(plan.orderHash.hex),
            "makerToken": .string(plan.draft.makerToken.lowercaseHex),
            "takerToken": .string(plan.draft.takerToken.lowercaseHex),
            "makerAmount": .string(plan.draft.makerAmount.description),
            "takerAmount": .string(plan.draft.takerAmount.description),
        ]
        return value.text
    }

    static func json(_ plan: TransferPlan) -> String {
        let value: JSONValue = [
            "token": plan.paid.token.map { .string($0.address.lowercaseHex) } ?? .null,
            "amount": .string(plan.amount.description),
            "recipient": .string(plan.recipient.lowercaseHex),
            "gas": gas(plan.gas),
        ]
        return value.text
    }

    static func json(_ plan: AllowancePlan) -> String {
        let value: JSONValue = [
            "token": .string(plan.token.address.lowercaseHex),
            "spender": .string(plan.spender.lowercaseHex),
            "amount": .string(plan.amount.description),
            "gas": plan.gas.map { gas($0) } ?? .null,
        ]
        return value.text
    }

    static func json(_ plan: TransactPlan) -> String {
        let value: JSONValue = [
            "contract": .string(plan.call.address.lowercaseHex),
            "function": .string(plan.call.function),
            "data": .string(Hex.encode(plan.call.data)),
            "value": .string(plan.value.description),
            "gas": gas(plan.gas),
        ]
        return value.text
    }

    static func json(_ plan: ReplacementPlan) -> String {
        let value: JSONValue = [
            "replaces": .string(plan.hash.hex),
            "nonce": .integer(plan.nonce),
            "value": .string(plan.value.description),
            "gas": gas(plan.gas),
        ]
        return value.text
    }

    private static func gas(_ plan: GasPlan) -> JSONValue {
        [
            "limit": .integer(plan.limit),
            "maxFeePerGas": .string(plan.maxFeePerGas.description),
            "maxCost": .string(plan.maxCost.description),
        ]
    }
}
