package import DexCore
import Ethereum
package import StrictJSON
import ZeroEx

/// `data` of `broadcast` and `tx export`, and what `--no-send` adds to that of other commands.
package enum BroadcastJSON {
    package static func plan(_ plan: BroadcastPlan) -> JSONValue {
        ["plan": planObject(plan), "transactions": [], "outcome": .null]
    }

    package static func outcome(_ outcome: BroadcastOutcome) -> JSONValue {
        [
            "plan": planObject(outcome.plan),
            "transactions": TradeJSON.transactions(outcome.transactions),
            "outcome": outcome.mined.map { ReadJSON.transaction($0) } ?? .null,
        ]
    }

    /// What was signed and not sent.
    ///
    /// - Parameter path: the file that has it.
    package static func held(_ file: SignedFile, path: String) -> JSONValue {
        [
            "file": JSONFormat.text(path),
            "chainId": JSONFormat.integer(file.chainID),
            "account": JSONFormat.address(file.from),
            "nonce": JSONFormat.integer(file.nonce),
            "hash": JSONFormat.hash(file.hash),
            "purpose": JSONFormat.text(file.purpose),
            "gasLimit": JSONFormat.integer(file.gasLimit),
            "maxFeePerGas": .string(file.maxFeePerGas.description),
            "signedAt": JSONFormat.integer(file.madeAt),
            "validUntil": JSONFormat.integer(file.validUntil),
        ]
    }

    /// The `data` of a command that signed and did not send.
    package static func held(_ file: SignedFile, path: String, in plan: JSONValue) -> JSONValue {
        var data = plan.objectValue ?? JSONObject()
        data["signed"] = held(file, path: path)
        return .object(data)
    }

    package static func plan(_ plan: OrderBroadcastPlan) -> JSONValue {
        ["plan": planObject(plan), "transactions": [], "outcome": .null]
    }

    package static func outcome(_ outcome: OrderBroadcastOutcome) -> JSONValue {
        [
            "plan": planObject(outcome.plan),
            "transactions": [],
            "outcome": [
                "orderHash": JSONFormat.hash(outcome.plan.row.order.hash),
                "posted": .bool(
                    outcome.plan.isPosted || outcome.postings.contains(where: \.isPosted)
                ),
                "postings": RelayJSON.postings(outcome.postings),
            ],
        ]
    }

    private static func planObject(_ plan: OrderBroadcastPlan) -> JSONValue {
        [
            "orderState": ReadJSON.order(plan.row),
            "block": JSONFormat.integer(plan.block),
            "relays": .list(plan.relays) { JSONFormat.text($0) },
            "having": .list(plan.having) { JSONFormat.text($0) },
        ]
    }

    private static func planObject(_ plan: BroadcastPlan) -> JSONValue {
        [
            "account": JSONFormat.address(plan.account),
            "hash": JSONFormat.hash(plan.hash),
            "nonce": JSONFormat.integer(plan.nonce),
            "place": .string(word(plan.place)),
            "purpose": .string(plan.purpose.rawValue),
            "to": JSONFormat.address(plan.to),
            "function": JSONFormat.text(plan.function),
            "coinSent": JSONFormat.ether(plan.value, plan.coin),
            "payAmounts": .list(plan.pays) { MoneyJSON.amount($0.amount, $0.currency) },
            "receiveTokens": .list(plan.receives) { JSONFormat.token($0) },
            "approvals": .list(plan.approvals) {
                [
                    "amount": JSONFormat.amount($0.amount, $0.token),
                    "spender": JSONFormat.address($0.spender),
                ]
            },
            "recipients": .list(plan.recipients) { JSONFormat.address($0) },
            "gasLimit": JSONFormat.integer(plan.gasLimit),
            "maxFeePerGas": .string(plan.maxFeePerGas.description),
            "maxPriorityFeePerGas": plan.maxPriorityFeePerGas.map { .string($0.description) }
                ?? .null,
            "maxCost": JSONFormat.ether(plan.maxCost, plan.coin),
            "changes": ChangesJSON.object(plan.simulation, plan.coin),
            "differs": ChangesJSON.differs(plan.differences),
            "total": JSONFormat.ether(plan.total, plan.coin),
            "block": JSONFormat.integer(plan.block),
            "signedAt": JSONFormat.integer(plan.madeAt),
            "validUntil": JSONFormat.integer(plan.validUntil),
        ]
    }

    private static func word(_ place: BroadcastPlan.Place) -> String {
        switch place {
        case .new: "new"
        case .pooled: "pooled"
        case .mined: "mined"
        }
    }
}
