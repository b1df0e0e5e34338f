package import DexCore
import Ethereum
package import StrictJSON

/// `data` of `send`, `wrap`, `unwrap`, `allowance`, `call` and `transact`.
package enum MoneyJSON {
    // MARK: send, wrap, unwrap

    package static func plan(_ plan: TransferPlan) -> JSONValue {
        ["plan": planObject(plan), "transactions": [], "outcome": .null]
    }

    package static func outcome(_ outcome: TransferOutcome) -> JSONValue {
        [
            "plan": planObject(outcome.plan),
            "transactions": TradeJSON.transactions(outcome.transactions),
            "outcome": [
                "received": outcome.received.map { amount($0, outcome.plan.arriving) } ?? .null
            ],
        ]
    }

    private static func planObject(_ plan: TransferPlan) -> JSONValue {
        [
            "account": JSONFormat.address(plan.account),
            "recipient": JSONFormat.address(plan.recipient),
            "recipientName": plan.recipientName.map { .string($0) } ?? .null,
            "pay": amount(plan.amount, plan.paid),
            "receive": amount(plan.amount, plan.arriving),
            "balance": amount(plan.balance, plan.paid),
            "block": JSONFormat.integer(plan.block),
            "gas": TradeJSON.gas(plan.gas),
            "total": JSONFormat.ether(plan.total, plan.gas.coin),
            "steps": TradeJSON.steps(plan.steps),
        ]
    }

    static func amount(_ raw: UInt256, _ asset: Currency) -> JSONValue {
        switch asset {
        case .coin(let coin): JSONFormat.ether(Wei(raw), coin)
        case .token(let token): JSONFormat.amount(raw, token)
        }
    }

    // MARK: allowance

    package static func allowances(_ state: AllowancesState) -> JSONValue {
        [
            "owner": JSONFormat.address(state.owner),
            "spender": JSONFormat.address(state.spender),
            "block": JSONFormat.integer(state.block),
            "allowances": .list(state.rows) { .object(own($0)) },
            "others": .list(state.others) { .object(grant($0)) },
            "permit2": .list(state.permit2) { .object(grant($0)) },
        ]
    }

    /// The same as one list for CSV, in the order of the screen: each row names its spender.
    package static func allowanceRows(_ state: AllowancesState) -> [JSONValue] {
        let first = state.rows.map { row in
            var object = own(row)
            object["spender"] = JSONFormat.address(state.spender)
            object["spenderName"] = .string("the transfer contract")
            object["by"] = "token"
            return JSONValue.object(object)
        }
        let others = (state.others + state.permit2).map { row in
            var object = grant(row)
            object["by"] = row.permit2 == nil ? "token" : "permit2"
            return JSONValue.object(object)
        }
        return first + others
    }

    private static func own(_ row: BalanceState.Row) -> JSONObject {
        var object = JSONObject()
        object["token"] = JSONFormat.token(row.token)
        object["allowance"] = row.allowance.map { JSONFormat.amount($0, row.token) } ?? .null
        object["balance"] = row.amount.map { JSONFormat.amount($0) } ?? .null
        return object
    }

    private static func grant(_ grant: TokenGrant) -> JSONObject {
        var object = JSONObject()
        object["token"] = JSONFormat.token(grant.token)
        object["allowance"] =
            grant.allowance.map { JSONFormat.amount($0, grant.token) } ?? .null
        object["spender"] = JSONFormat.address(grant.spender)
        object["spenderName"] = JSONFormat.text(grant.name)
        if let terms = grant.permit2 {
            object["expires"] = terms.expiration.map { JSONFormat.integer($0) } ?? .null
            object["usable"] = terms.isUsable.map { .bool($0) } ?? .null
            object["permit2Allowance"] =
                terms.tokenAllowance.map { JSONFormat.amount($0, grant.token) } ?? .null
        }
        return object
    }

    package static func plan(_ plan: RevocationPlan) -> JSONValue {
        ["plan": planObject(plan), "transactions": [], "allowances": []]
    }

    package static func outcome(_ outcome: RevocationOutcome) -> JSONValue {
        [
            "plan": planObject(outcome.plan),
            "transactions": TradeJSON.transactions(outcome.transactions),
            "allowances": .list(Array(zip(outcome.plan.grants, outcome.allowances))) { grant, now in
                [
                    "token": JSONFormat.token(grant.token),
                    "spender": JSONFormat.address(grant.spender),
                    "allowance": now.map { JSONFormat.amount($0, grant.token) } ?? .null,
                    "by": grant.permit2 == nil ? "token" : "permit2",
                ]
            },
        ]
    }

    private static func planObject(_ plan: RevocationPlan) -> JSONValue {
        [
            "account": JSONFormat.address(plan.account),
            "revocations": .list(plan.grants) { grant in
                [
                    "token": JSONFormat.token(grant.token),
                    "spender": JSONFormat.address(grant.spender),
                    "spenderName": JSONFormat.text(grant.name),
                    "current": grant.allowance.map { JSONFormat.amount($0, grant.token) } ?? .null,
                    "by": grant.permit2 == nil ? "token" : "permit2",
                ]
            },
            "block": JSONFormat.integer(plan.block),
            "gas": plan.gas.map { TradeJSON.gas($0) } ?? .null,
            "steps": TradeJSON.steps(plan.steps),
        ]
    }

    package static func plan(_ plan: AllowancePlan) -> JSONValue {
        ["plan": planObject(plan), "transactions": [], "allowance": .null]
    }

    package static func outcome(_ outcome: AllowanceOutcome) -> JSONValue {
        [
            "plan": planObject(outcome.plan),
            "transactions": TradeJSON.transactions(outcome.transactions),
            "allowance": outcome.allowance.map { JSONFormat.amount($0, outcome.plan.token) }
                ?? .null,
        ]
    }

    private static func planObject(_ plan: AllowancePlan) -> JSONValue {
        [
            "account": JSONFormat.address(plan.account),
            "token": JSONFormat.token(plan.token),
            "spender": JSONFormat.address(plan.spender),
            "current": JSONFormat.amount(plan.current, plan.token),
            "amount": JSONFormat.amount(plan.amount, plan.token),
            "block": JSONFormat.integer(plan.block),
            "gas": plan.gas.map { TradeJSON.gas($0) } ?? .null,
            "steps": TradeJSON.steps(plan.steps),
        ]
    }

    // MARK: call, transact

    package static func read(_ state: ContractReadState) -> JSONValue {
        var object = call(state.call)
        object["caller"] = state.caller.map { JSONFormat.address($0) } ?? .null
        object["block"] = JSONFormat.integer(state.block)
        object["returned"] = .string(Hex.encode(state.returned))
        object["values"] = state.values.map { values($0) } ?? .null
        return .object(object)
    }

    package static func plan(_ plan: TransactPlan) -> JSONValue {
        ["plan": planObject(plan), "transactions": [], "events": []]
    }

    package static func outcome(_ outcome: TransactOutcome) -> JSONValue {
        [
            "plan": planObject(outcome.plan),
            "transactions": TradeJSON.transactions(outcome.transactions),
            "events": .list(outcome.events) { event in
                [
                    "contract": JSONFormat.address(event.contract),
                    "topics": .array(event.topics.map { .string(Hex.encode($0.bytes)) }),
                    "data": .string(Hex.encode(event.data)),
                    "words": JSONFormat.text(event.words),
                ]
            },
        ]
    }

    private static func planObject(_ plan: TransactPlan) -> JSONValue {
        var object = call(plan.call)
        object["account"] = JSONFormat.address(plan.account)
        object["value"] = JSONFormat.ether(plan.value, plan.gas.coin)
        object["effects"] = CallEffectJSON.list(plan.review)
        object["unread"] = .bool(plan.review.isBlind)
        object["extraBytes"] = JSONFormat.integer(UInt64(plan.review.effects.extraBytes))
        object["block"] = JSONFormat.integer(plan.block)
        object["returned"] = .string(Hex.encode(plan.returned))
        object["values"] = plan.values.map { values($0) } ?? .null
        object["gas"] = TradeJSON.gas(plan.gas)
        object["total"] = JSONFormat.ether(plan.total, plan.gas.coin)
        object["steps"] = TradeJSON.steps(plan.steps)
        return .object(object)
    }

    private static func call(_ call: ContractCall) -> JSONObject {
        var object = JSONObject()
        object["contract"] = JSONFormat.address(call.address)
        object["token"] = call.token.map { JSONFormat.token($0) } ?? .null
        object["function"] = JSONFormat.text(call.function)
        object["arguments"] = values(call.arguments)
        object["data"] = .string(Hex.encode(call.data))
        return object
    }

    private static func values(_ values: [ContractValue]) -> JSONValue {
        .list(values) {
            [
                "name": JSONFormat.text($0.name),
                "type": JSONFormat.text($0.type),
                "value": value($0.value),
            ]
        }
    }

    /// Numbers are always decimal texts, so that a script reads them in one way.
    private static func value(_ value: ABIValue) -> JSONValue {
        switch value {
        case .uint, .int, .address, .fixedBytes, .bytes: .string(ABIText.format(value))
        case .bool(let flag): .bool(flag)
        case .string(let text): JSONFormat.text(text)
        case .array(let values), .tuple(let values): .array(values.map { self.value($0) })
        }
    }
}
