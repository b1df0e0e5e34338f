package import DexCore
import DexStore
import Ethereum
package import StrictJSON

/// `data` of `tx list`, `tx speedup`, `tx cancel` and `resume`.
package enum LifeJSON {
    package static func transactions(_ state: TransactionsState) -> JSONValue {
        [
            "block": JSONFormat.integer(state.block),
            "transactions": .list(state.rows) { row in
                [
                    "hash": JSONFormat.hash(row.hash),
                    "account": JSONFormat.address(row.account),
                    "nonce": JSONFormat.integer(row.nonce),
                    "purpose": JSONFormat.text(row.purpose),
                    "amount": row.subject.flatMap { CallJSON.amount($0) } ?? .null,
                    "allowance": .bool(row.subject?.isAllowance == true),
                    "to": row.subject?.recipient.map { JSONFormat.address($0) } ?? .null,
                    "toName": JSONFormat.text(row.recipientName),
                    "status": .string(row.stage.word),
                    "settled": .bool(!row.isUnsettled),
                    "created": JSONFormat.integer(row.created),
                    "block": JSONFormat.integer(row.block),
                    "takenFrom": JSONFormat.integer(row.reorgedFromBlock),
                    "waitsForNonce": JSONFormat.integer(row.waitsFor?.nonce),
                    "successor": row.successor.map { JSONFormat.hash($0) } ?? .null,
                    "predecessor": row.predecessor.map { JSONFormat.hash($0) } ?? .null,
                    "maxFeePerGas": row.price.map { .string($0.description) } ?? .null,
                ]
            },
        ]
    }

    package static func plan(_ plan: ReplacementPlan) -> JSONValue {
        ["plan": planObject(plan), "transactions": [], "outcome": .null]
    }

    package static func outcome(_ outcome: ReplacementOutcome) -> JSONValue {
        [
            "plan": planObject(outcome.plan),
            "transactions": TradeJSON.transactions(outcome.transactions),
            "outcome": outcome.mined.map { ReadJSON.transaction($0) } ?? .null,
        ]
    }

    private static func planObject(_ plan: ReplacementPlan) -> JSONValue {
        [
            "account": JSONFormat.address(plan.account),
            "replaces": JSONFormat.hash(plan.hash),
            "purpose": JSONFormat.text(plan.purpose),
            "nonce": JSONFormat.integer(plan.nonce),
            "count": .integer(UInt64(clamping: plan.count)),
            "replacedMaxFeePerGas": .string(plan.replacedPrice.description),
            "value": JSONFormat.ether(plan.value, plan.gas.coin),
            "block": JSONFormat.integer(plan.block),
            "gas": TradeJSON.gas(plan.gas),
            "total": JSONFormat.ether(plan.total, plan.gas.coin),
            "steps": TradeJSON.steps(plan.steps),
        ]
    }

    package static func resume(_ state: ResumeState) -> JSONValue {
        [
            "items": .list(state.items) { item in
                [
                    "kind": .string(item.kind.rawValue),
                    "account": JSONFormat.address(item.account),
                    "hash": item.hash.map { .string($0.description) } ?? .null,
                    "nonce": JSONFormat.integer(item.nonce),
                    "purpose": JSONFormat.text(item.purpose),
                    "created": JSONFormat.integer(item.created),
                    "was": .string(item.was?.stored ?? "open"),
                    "status": .string(item.status.word),
                    "action": item.action.map { .string($0.rawValue) } ?? .null,
                    "done": item.done.map { .string($0) } ?? .null,
                    "inFlight": .bool(item.isInFlight),
                    "notes": .array(item.notes.map { JSONFormat.text($0) }),
                    "outcome": item.outcome.map { ReadJSON.transaction($0) } ?? .null,
                ]
            }
        ]
    }
}
