package import DexCore
import Ethereum
package import StrictJSON

/// `data` of `tx list`, `tx speedup`, `tx cancel` and `resume`.
package enum LifeJSON {
    package static func transactions(_ state: TransactionsState) -> JSONValue {
        [
            "block": JSONForms.integer(state.block),
            "transactions": .array(
                state.rows.map { row in
                    [
                        "hash": JSONForms.hash(row.hash),
                        "account": JSONForms.address(row.account),
                        "nonce": JSONForms.integer(row.nonce),
                        "purpose": JSONForms.text(row.purpose),
                        "status": .string(row.status),
                        "settled": .bool(!row.isUnsettled),
                        "created": JSONForms.integer(row.created),
                        "block": JSONForms.integer(row.block),
                        "takenFrom": JSONForms.integer(row.takenFrom),
                        "waitsForNonce": JSONForms.integer(row.waitsFor),
                        "successor": row.successor.map { JSONForms.hash($0) } ?? .null,
                        "predecessor": row.predecessor.map { JSONForms.hash($0) } ?? .null,
                        "maxFeePerGas": row.price.map { .string($0.description) } ?? .null,
                    ]
                }
            ),
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
            "account": JSONForms.address(plan.account),
            "replaces": JSONForms.hash(plan.hash),
            "purpose": JSONForms.text(plan.purpose),
            "nonce": JSONForms.integer(plan.nonce),
            "count": .integer(UInt64(clamping: plan.count)),
            "replacedMaxFeePerGas": .string(plan.replacedPrice.description),
            "value": JSONForms.ether(plan.value),
            "block": JSONForms.integer(plan.block),
            "gas": TradeJSON.gas(plan.gas),
            "total": JSONForms.ether(plan.total),
            "steps": TradeJSON.steps(plan.steps),
        ]
    }

    package static func resume(_ state: ResumeState) -> JSONValue {
        [
            "items": .array(
                state.items.map { item in
                    [
                        "kind": .string(item.kind.rawValue),
                        "account": JSONForms.address(item.account),
                        "hash": item.hash.map { .string($0.description) } ?? .null,
                        "nonce": JSONForms.integer(item.nonce),
                        "purpose": JSONForms.text(item.purpose),
                        "created": JSONForms.integer(item.created),
                        "was": .string(item.was),
                        "status": .string(item.status),
                        "action": item.action.map { .string($0.rawValue) } ?? .null,
                        "done": item.done.map { .string($0) } ?? .null,
                        "inFlight": .bool(item.isInFlight),
                        "notes": .array(item.notes.map { JSONForms.text($0) }),
                        "outcome": item.outcome.map { ReadJSON.transaction($0) } ?? .null,
                    ]
                }
            )
        ]
    }
}
