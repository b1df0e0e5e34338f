import Ethereum
package import StrictJSON
import ZeroEx

/// A line of the audit log.
///
/// A signature has two: `authorized` with its effects before the key is asked, then `signed` or
/// `failed` with the same id. A forbidden request has one, `refused`; an allowance revoked on chain
/// has one, `released`.
package struct AuditLine: Sendable {
    package enum Event: String, Sendable {
        case authorized
        case signed
        case failed
        case refused
        case released
    }

    package let id: String
    /// Seconds since 1970.
    package let time: UInt64
    package let event: Event
    package let json: JSONValue
}

extension AuditLine {
    // MARK: Making

    /// A line for a request: authorized or refused.
    init(
        _ event: Event,
        id: String,
        time: UInt64,
        request: SigningRequest,
        effects: SigningEffects,
        holder: KeyPlace,
        policy: Policy,
        decision: JSONValue
    ) {
        var object = Self.head(event, id: id, time: time)
        object["account"] = .string(request.account.checksummed)
        object["network"] = .string(request.scope.network)
        object["chainId"] = .number(String(request.scope.chainID))
        object["kind"] = .string(request.kind)
        object["purpose"] = .string(request.terms.purpose)
        object["key"] = .string(holder.rawValue)
        object["digest"] = .string(request.digest.hex)
        switch request.content {
        case .transaction(let transaction):
            object["nonce"] = .number(String(transaction.nonce))
            object["to"] = transaction.to.map { .string($0.checksummed) } ?? .null
            object["value"] = .string(transaction.value.description)
            object["dataBytes"] = .number(String(transaction.data.count))
            object["maxFee"] = .string(effects.maximumFee?.description ?? "0")
        case .order(let draft):
            object["hash"] = .string(request.scope.exchangeProtocol.hash(of: draft).hex)
            object["to"] = .string(draft.exchange.checksummed)
            object["taker"] = .string(draft.taker.checksummed)
            object["receives"] = .string(draft.takerAmount.description)
            object["expires"] = .string(draft.expiry.description)
            object["chains"] = request.holdsOnEveryChain ? "all" : "one"
            if effects.fee > .zero { object["fee"] = .string(effects.fee.description) }
        case .message(let bytes): object["bytes"] = .number(String(bytes.count))
        case .permit(let permit):
            object["to"] = .string(permit.contract.checksummed)
            object["spender"] = .string(permit.spender.checksummed)
            // Not the account's nonce: another permit may be used besides this one.
            object["permitNonce"] = .string(permit.nonce.description)
            object["expires"] = .string(permit.deadline.description)
        case .typedData(let data):
            object["to"] = data.domain.verifyingContract.map { .string($0.checksummed) } ?? .null
            // Names are identifiers, so no line break and no text of a message gets in.
            object["type"] = .string(data.primaryType)
            if let expiry = effects.expiry { object["expires"] = .string(expiry.description) }
        }
        if let function = effects.function { object["function"] = .string(function) }
        object["paid"] = .array(
            effects.paid.sorted { $0.key.text < $1.key.text }.map { asset, amount in
                ["token": .string(asset.text), "amount": .string(amount.description)]
            }
        )
        object["received"] = .array(
            effects.received.sorted().map { .string($0.checksummed) }
        )
        if !effects.approvals.isEmpty {
            object["approvals"] = .array(
                effects.approvals.map { Self.json($0) }
            )
        }
        if !effects.recipients.isEmpty {
            object["recipients"] = .array(
                effects.recipients.sorted().map { .string($0.checksummed) }
            )
        }
        if let slippage = request.terms.slippage {
            object["slippage"] = .string(DecimalText.format(UInt256(slippage), decimals: 2))
        }
        if let fired = request.terms.firedGuard { object["guard"] = .string(fired.hex) }
        if let origin = request.terms.origin {
            object["origin"] = .string(origin.word)
            object["plan"] = .string(PlanOrigin.text(origin.plan))
        }
        object["policy"] = .string(policy.source)
        object[event == .refused ? "refusedBy" : "rules"] = decision
        self.init(id: id, time: time, event: event, json: .object(object))
    }

    private static func json(_ approval: SigningEffects.Approval) -> JSONValue {
        var object = JSONObject()
        object["token"] = .string(approval.token.checksummed)
        object["spender"] = .string(approval.spender.checksummed)
        object["amount"] = .string(approval.amount.description)
        if let expires = approval.expires { object["expires"] = .string(expires.description) }
        object["by"] = .string(approval.kind.rawValue)
        return .object(object)
    }

    init(signed hash: String, id: String, time: UInt64) {
        var object = Self.head(.signed, id: id, time: time)
        object["hash"] = .string(hash)
        self.init(id: id, time: time, event: .signed, json: .object(object))
    }

    /// For a key that did not sign, or signed something else.
    init(failed code: String, id: String, time: UInt64) {
        var object = Self.head(.failed, id: id, time: time)
        object["code"] = .string(code)
        self.init(id: id, time: time, event: .failed, json: .object(object))
    }

    init(_ revocation: Revocation, id: String, time: UInt64) {
        var object = Self.head(.released, id: id, time: time)
        for (key, value) in revocation.members { object[key] = value }
        self.init(id: id, time: time, event: .released, json: .object(object))
    }

    private static func head(_ event: Event, id: String, time: UInt64) -> JSONObject {
        var object = JSONObject()
        object["time"] = .number(String(time))
        object["id"] = .string(id)
        object["event"] = .string(event.rawValue)
        return object
    }

    /// 16 hexadecimal digits, unique among the lines.
    static func newID() -> String {
        var generator = SystemRandomNumberGenerator()
        return Hex.digits(generator.next())
    }

    // MARK: Reading

    /// Reads a written line; nil for anything else.
    package init?(_ json: JSONValue) {
        guard let id = json["id"]?.stringValue,
            let time = json["time"]?.numberText.flatMap({ UInt64($0) }),
            let event = json["event"]?.stringValue.flatMap(Event.init)
        else { return nil }
        if event == .authorized, Self.spending(json) == nil { return nil }
        if event == .released, Revocation(json) == nil { return nil }
        self.init(id: id, time: time, event: event, json: json)
    }

    /// The payments that an authorized line allows; nil for any other line.
    var spending: Spending? {
        event == .authorized ? Self.spending(json) : nil
    }

    /// The signed number of the guard that an authorized line lets fire; nil without one.
    var firedGuard: String? {
        event == .authorized ? json["guard"]?.stringValue : nil
    }

    /// An agent asked for it, and no person said yes.
    var isOfAgent: Bool {
        event == .authorized && json["origin"]?.stringValue == PlanOrigin.mcp
    }

    /// It authorizes what a plan of `dex mcp` is for: more than an approval.
    func carriesOut(_ plan: UInt64) -> Bool {
        let purposes = ["approve", "reset-allowance"]
        return event == .authorized
            && json["plan"]?.stringValue.flatMap(PlanOrigin.plan) == plan
            && !purposes.contains(json["purpose"]?.stringValue ?? "")
    }

    /// The allowance that a released line gives back; nil for any other line.
    var revocation: Revocation? {
        event == .released ? Revocation(json) : nil
    }

    private static func spending(_ json: JSONValue) -> Spending? {
        guard let time = json["time"]?.numberText.flatMap({ UInt64($0) }),
            let chainID = json["chainId"]?.numberText.flatMap({ UInt64($0) }),
            let account = json["account"]?.stringValue, let paid = paid(json["paid"]),
            let approvals = approvals(json["approvals"], of: json["kind"]),
            let gas = json["maxFee"].map({ AgentCodec.number($0) }) ?? .zero
        else { return nil }
        let isOrder = json["kind"] == "order"
        var expiry: UInt256?
        var fee = UInt256.zero
        // Of typed data an order and a transfer have an end of their own; each allowance has its
        // own.
        let mayExpire = json["kind"] == "typed-data" && json["expires"] != nil
        if isOrder || json["kind"] == "permit" || mayExpire {
            guard let read = AgentCodec.number(json["expires"]) else { return nil }
            expiry = read
            if let text = json["fee"] {
                guard let amount = AgentCodec.number(text) else { return nil }
                fee = amount
            }
        }
        // A line of an earlier version does not say whether its order names a chain.
        let isEverywhere = isOrder && json["chains"] != "one"
        return Spending(
            time: time,
            chainID: isEverywhere ? nil : chainID,
            home: chainID,
            account: Address(ifValid: account),
            nonce: json["nonce"]?.numberText.flatMap { UInt64($0) },
            slot: json["nonce"]?.numberText.map { SigningRequest.slot(account, nonce: $0) },
            function: json["function"]?.stringValue,
            paid: paid,
            approvals: approvals,
            expiry: expiry,
            fee: fee,
            gas: gas
        )
    }

    private static func paid(_ json: JSONValue?) -> [Asset: UInt256]? {
        guard let list = json?.arrayValue else { return nil }
        var paid: [Asset: UInt256] = [:]
        for entry in list {
            guard let asset = entry["token"]?.stringValue.flatMap(Asset.init),
                let amount = AgentCodec.number(entry["amount"])
            else { return nil }
            paid[asset] = amount
        }
        return paid
    }

    /// Empty if the line has none.
    ///
    /// A line of an earlier version does not say who can draw an allowance: of typed data anyone is
    /// taken.
    private static func approvals(
        _ json: JSONValue?,
        of content: JSONValue?
    ) -> [SigningEffects.Approval]? {
        guard let json else { return [] }
        guard let list = json.arrayValue else { return nil }
        let approvals = list.compactMap { entry -> SigningEffects.Approval? in
            guard let token = AgentCodec.address(entry["token"]),
                let spender = AgentCodec.address(entry["spender"]),
                let amount = AgentCodec.number(entry["amount"])
            else { return nil }
            let expires = AgentCodec.number(entry["expires"])
            guard expires != nil || entry["expires"] == nil else { return nil }
            let earlier = content == "typed-data" ? "grant" : "allowance"
            guard let by = entry["by"].map(\.stringValue) ?? earlier,
                let kind = SigningEffects.Approval.Kind(rawValue: by)
            else { return nil }
            return SigningEffects.Approval(
                token: token,
                spender: spender,
                amount: amount,
                expires: expires,
                kind: kind
            )
        }
        return approvals.count == list.count ? approvals : nil
    }

    /// Its allowances, order or transfer may count after its day, or it ends those of other lines.
    func mayOutlive(_ since: UInt64) -> Bool {
        if event == .failed || event == .released || firedGuard != nil { return true }
        guard let spending else { return false }
        return spending.approvals.contains { $0.amount > .zero }
            || spending.expiry.map { $0 > UInt256(since) } == true
    }
}
