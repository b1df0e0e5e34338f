package import DexCore
package import Ethereum
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
            "payAmount": amount(plan.amount, plan.paid),
            "receiveAmount": amount(plan.amount, plan.arriving),
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

    package static let allowances = Fields<AllowancesState> {
        Field("account", "The account", \.owner)
        Field("spender", "The transfer contract", \.spender)
        Field("block", "The latest block", \.block)
        Field("allowances", "Of the transfer contract", list: own, \.rows)
        Field("others", "What other spenders may move, none of it zero", list: grant, \.others)
        Field(
            "permit2",
            "[What Permit2 lets spenders move](money.md#allowances), none of it zero or expired",
            list: permit2,
            \.permit2
        )
    }

    static let own = Fields<BalanceState.Row> {
        Field("token", "The token", \.token)
            .shown(0, "TOKEN") { row, _ in .init(name(row.token), .bold) }
        Field("allowance", "Null if it could not be read") { $0.token.amount($0.allowance) }
            .shown(1, "ALLOWANCE", .point) { row, screen in
                row.allowance.map { allowance in
                    .init(
                        NumberText.listAllowance(allowance, row.token, screen),
                        NumberText.isUnlimited(allowance)
                            ? .yellow : allowance == .zero ? .dim : nil
                    )
                } ?? .init(UnknownText.word, .yellow)
            }
        Field("balance", "Null if it could not be read", \.amount)
            .shown(2, "BALANCE", .point, dropOrder: 1) { row, screen in
                row.balance.map {
                    .init(NumberText.listValue($0, row.token.decimals, screen), .dim)
                } ?? .init(UnknownText.word, .yellow)
            }
    }

    /// `ZRX`, or `ZRX (base units)` where its decimals are unknown.
    private static func name(_ token: Token) -> String {
        let symbol = PlainText.name(token.symbol)
        return token.decimals == nil ? "\(symbol) (base units)" : symbol
    }

    static let grant = Fields<TokenGrant> {
        Field("token", "The token", \.token)
            .shown(0, "TOKEN") { grant, _ in .init(name(grant.token), .bold) }
        Field("allowance", "Null if it could not be read") { $0.token.amount($0.allowance) }
            .shown(1, "ALLOWANCE", .right) { grant, _ in GrantText.cell(grant) }
        Field("spender", "Who may move it", \.spender)
            .shown(2, "SPENDER", minimumWidth: 8) { grant, _ in
                .init(
                    grant.name.map { TerminalText.clean($0) } ?? grant.spender.checksummed,
                    grant.name == nil ? .yellow : nil
                )
            }
        Field("spenderName", "The name by which you know it, or null", \.name)
    }

    static let permit2 = Fields<TokenGrant> {
        grant
        Field(
            "expires",
            "The last second at which it can be used; null if it could not be read",
            as: .time,
            \.permit2?.expiration
        )
        .shown(3, "UNTIL", dropOrder: 1) { grant, screen in
            grant.permit2.map { GrantText.end($0, screen) } ?? ""
        }
        Field("isUsable", "False: the token lets Permit2 move nothing now; null: unknown") {
            $0.permit2?.isUsable
        }
        Field("permit2Allowance", "What the token lets Permit2 move; or null") {
            $0.token.amount($0.permit2?.tokenAllowance)
        }
    }

    /// An allowance of any kind, for CSV.
    package enum Allowed: Sendable {
        case own(BalanceState.Row, spender: Address)
        case other(TokenGrant)
    }

    /// The columns of all kinds.
    package static let allowed = Fields<Allowed> {
        Field("token", "The token", \.token).csv(0, "token", "symbol").csv(3, "address", "address")
            .sorted("token") { ListComparison.tokens($0.token, $1.token) }
        Field("allowance", "What may be moved") { $0.token.amount($0.allowance) }
            .csv(1, "allowance", "value").csv(9, "allowance_raw", "raw")
            .sorted("allowance") { $0.wholeAllowance > $1.wholeAllowance }
        Field("balance", "Of the account") { $0.token.amount($0.balance) }
            .csv(2, "balance", "value")
        Field("spender", "Who may move it", \.spender).csv(4, "spender")
        Field("spenderName", "The spender's name", \.spenderName).csv(5, "spender_name")
        Field("by", "`permit2` for an allowance inside Permit2") {
            ExactText($0.grant?.permit2 == nil ? "token" : "permit2")
        }
        .csv(6, "by")
        Field("expires", "Of Permit2", as: .time, \.grant?.permit2?.expiration)
            .csv(7, "expires", isTime: true)
        Field("usable", "Of Permit2") { $0.grant?.permit2?.isUsable }.csv(8, "usable")
    }

    /// All allowances as one list, in the order of the screen: each row names its spender.
    package static func all(_ state: AllowancesState) -> [Allowed] {
        state.rows.map { .own($0, spender: state.spender) }
            + (state.others + state.permit2).map { .other($0) }
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

    package static let read = Fields<ContractReadState> {
        call.of(\.call)
        Field("caller", "Who seems to call, or null", \.caller)
        Field("block", "The latest block", \.block)
        Field("returned", "What the contract returned", as: .bytes) {
            ExactText(Hex.encode($0.returned))
        }
        Field(
            json: "values",
            "The same by its types; null without result types",
            Shape.list(value.shape).orNull
        ) { $0.values.map { value($0) } ?? .null }
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
        var object = call(plan.call).objectValue ?? JSONObject()
        object["account"] = JSONFormat.address(plan.account)
        object["coinSent"] = JSONFormat.ether(plan.value, plan.gas.coin)
        object["effects"] = CallEffectJSON.list(plan.review)
        object["changes"] = ChangesJSON.object(plan.simulation, plan.gas.coin)
        object["differs"] = ChangesJSON.differs(plan.differences)
        object["unread"] = .bool(plan.review.isBlind)
        object["extraBytes"] = JSONFormat.integer(UInt64(plan.review.effects.extraBytes))
        object["block"] = JSONFormat.integer(plan.block)
        object["returned"] = .string(Hex.encode(plan.returned))
        object["values"] = plan.values.map { value($0) } ?? .null
        object["gas"] = TradeJSON.gas(plan.gas)
        object["total"] = JSONFormat.ether(plan.total, plan.gas.coin)
        object["steps"] = TradeJSON.steps(plan.steps)
        return .object(object)
    }

    static let call = Fields<ContractCall> {
        Field("contract", "What is called", \.address)
        Field("token", "If it is a known token, or null", \.token)
        Field("function", "What is called of it", \.function)
        Field("arguments", "What it is given", list: value, \.arguments)
        Field("data", "The call data", as: .bytes) { ExactText(Hex.encode($0.data)) }
    }

    static let value = Fields<ContractValue>(named: "contractValue", "A value of a contract") {
        Field("name", "Its name, or null", \.name)
        Field("type", "Its type in Solidity", \.type)
        Field(
            json: "value",
            "Numbers as decimal texts, bytes in hexadecimal, arrays and tuples as arrays",
            .any
        ) { json($0.value) }
    }

    /// Numbers are always decimal texts, so that a script reads them in one way.
    private static func json(_ value: ABIValue) -> JSONValue {
        switch value {
        case .uint, .int, .address, .fixedBytes, .bytes: .string(ABIText.format(value))
        case .bool(let flag): .bool(flag)
        case .string(let text): JSONFormat.text(text)
        case .array(let values), .tuple(let values): .array(values.map { json($0) })
        }
    }
}

extension AllowancesState {
    /// Sorts each part and leaves the first rows of all of them together.
    ///
    /// - Returns: the number of rows beyond the limit.
    package mutating func select(_ selection: ListSelection<MoneyJSON.Allowed>) -> Int {
        let spender = spender
        var left = selection.apply(to: &rows) { .own($0, spender: spender) }
        var rest = selection.after(rows.count)
        left += rest.apply(to: &others) { .other($0) }
        rest = rest.after(others.count)
        left += rest.apply(to: &permit2) { .other($0) }
        return left
    }
}

extension MoneyJSON.Allowed {
    /// The allowance in units of 10^-18, so that tokens of other decimals compare; saturates.
    ///
    /// What could not be read is the most.
    fileprivate var wholeAllowance: UInt256 {
        guard let allowance else { return .max }
        let scale = Ratio.power(UInt(token.decimals ?? 0)) ?? .max
        return UInt256.mulDiv(
            allowance,
            Ratio.power(18) ?? .max,
            max(1, scale)
        )?.quotient ?? .max
    }

    /// nil for the transfer contract's.
    fileprivate var grant: TokenGrant? {
        if case .other(let grant) = self { grant } else { nil }
    }

    fileprivate var token: Token {
        switch self {
        case .own(let row, _): row.token
        case .other(let grant): grant.token
        }
    }

    fileprivate var allowance: UInt256? {
        switch self {
        case .own(let row, _): row.allowance
        case .other(let grant): grant.allowance
        }
    }

    fileprivate var balance: UInt256? {
        if case .own(let row, _) = self { row.balance } else { nil }
    }

    fileprivate var spender: Address {
        switch self {
        case .own(_, let spender): spender
        case .other(let grant): grant.spender
        }
    }

    fileprivate var spenderName: String? {
        if case .other(let grant) = self { grant.name } else { "the transfer contract" }
    }
}
