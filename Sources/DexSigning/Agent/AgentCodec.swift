import Ethereum
import StrictJSON
import ZeroEx

/// Signing requests to an agent as JSON, complete so that the agent sees all that it signs.
enum AgentCodec {
    /// Of questions and answers; an agent refuses those of another version.
    static let version = 5

    static func content(_ content: SigningRequest.Content) -> JSONValue {
        switch content {
        case .transaction(let transaction): ["transaction": self.transaction(transaction)]
        case .order(let draft): ["order": order(draft)]
        case .message(let bytes): ["message": .string(Hex.encode(bytes))]
        case .permit(let permit): ["permit": self.permit(permit)]
        case .typedData(let data): ["typedData": data.json]
        }
    }

    /// nil for anything that `content` does not write.
    static func content(_ json: JSONValue?) -> SigningRequest.Content? {
        guard let object = json?.objectValue, object.members.count == 1,
            let member = object.members.first
        else { return nil }
        switch member.key {
        case "transaction": return transaction(member.value).map { .transaction($0) }
        case "order": return order(member.value).map { .order($0) }
        case "message":
            guard let bytes = bytes(member.value) else { return nil }
            return .message(bytes)
        case "permit": return permit(member.value).map { .permit($0) }
        case "typedData":
            let data = try? TypedData(json: member.value)  // nil: no typed data
            return data.map { .typedData($0) }
        default: return nil
        }
    }

    private static func transaction(_ transaction: Transaction) -> JSONValue {
        let (type, price, tip): (String, Wei, Wei) =
            switch transaction.fee {
            case .legacy(let price): ("legacy", price, .zero)
            case .accessList(let price): ("accessList", price, .zero)
            case .dynamic(let maximum, let priority): ("dynamic", maximum, priority)
            }
        let chainID = transaction.chainID.map { UInt256($0) }
        var object = JSONObject()
        object["type"] = .string(type)
        object["price"] = number(price.rawValue)
        object["tip"] = number(tip.rawValue)
        object["chainId"] = number(chainID ?? .zero)
        object["nonce"] = number(UInt256(transaction.nonce))
        object["gas"] = number(UInt256(transaction.gasLimit))
        object["to"] = transaction.to.map { .string($0.checksummed) } ?? .null
        object["value"] = number(transaction.value.rawValue)
        object["data"] = .string(Hex.encode(transaction.data))
        object["accessList"] = .array(
            transaction.accessList.map { entry in
                let keys: [JSONValue] = entry.storageKeys.map { .string($0.hex) }
                return ["address": .string(entry.address.checksummed), "keys": .array(keys)]
            }
        )
        return .object(object)
    }

    private static func transaction(_ json: JSONValue) -> Transaction? {
        guard let price = number(json["price"]).map({ Wei($0) }),
            let tip = number(json["tip"]).map({ Wei($0) }),
            let chainID = number(json["chainId"])?.uint64,
            let nonce = number(json["nonce"])?.uint64, let gas = number(json["gas"])?.uint64,
            let to = json["to"], let value = number(json["value"]),
            let data = bytes(json["data"]),
            let list = json["accessList"]?.arrayValue
        else { return nil }
        let fee: Transaction.Fee
        switch json["type"]?.stringValue {
        case "legacy": fee = .legacy(gasPrice: price)
        case "accessList": fee = .accessList(gasPrice: price)
        case "dynamic": fee = .dynamic(maxFeePerGas: price, maxPriorityFeePerGas: tip)
        default: return nil
        }
        let receiver = address(to)
        guard to.isNull || receiver != nil else { return nil }
        var entries: [AccessListEntry] = []
        for entry in list {
            guard let place = address(entry["address"]), let keys = entry["keys"]?.arrayValue
            else { return nil }
            let words = keys.compactMap { $0.stringValue.flatMap(Bytes32.init(ifHex:)) }
            guard words.count == keys.count else { return nil }
            entries.append(AccessListEntry(address: place, storageKeys: words))
        }
        return Transaction(
            chainID: chainID,
            nonce: nonce,
            fee: fee,
            gasLimit: gas,
            to: receiver,
            value: Wei(value),
            data: data,
            accessList: entries
        )
    }

    // MARK: Orders

    private static func order(_ draft: OrderDraft) -> JSONValue {
        [
            "exchange": .string(draft.exchange.checksummed),
            "maker": .string(draft.maker.checksummed), "taker": .string(draft.taker.checksummed),
            "makerToken": .string(draft.makerToken.checksummed),
            "takerToken": .string(draft.takerToken.checksummed),
            "makerAmount": number(draft.makerAmount), "takerAmount": number(draft.takerAmount),
            "expiry": number(draft.expiry), "salt": number(draft.salt),
            "feeRecipient": .string(draft.fees.recipient.checksummed),
            "makerFee": number(draft.fees.makerFee), "takerFee": number(draft.fees.takerFee),
            "sender": .string(draft.fees.sender.checksummed),
        ]
    }

    private static func order(_ json: JSONValue) -> OrderDraft? {
        guard let exchange = address(json["exchange"]), let maker = address(json["maker"]),
            let taker = address(json["taker"]), let makerToken = address(json["makerToken"]),
            let takerToken = address(json["takerToken"]),
            let makerAmount = number(json["makerAmount"]),
            let takerAmount = number(json["takerAmount"]), let expiry = number(json["expiry"]),
            let salt = number(json["salt"]), let recipient = address(json["feeRecipient"]),
            let makerFee = number(json["makerFee"]), let takerFee = number(json["takerFee"]),
            let sender = address(json["sender"])
        else { return nil }
        return OrderDraft(
            exchange: exchange,
            maker: maker,
            taker: taker,
            makerToken: makerToken,
            takerToken: takerToken,
            makerAmount: makerAmount,
            takerAmount: takerAmount,
            expiry: expiry,
            salt: salt,
            fees: OrderFees(
                recipient: recipient,
                makerFee: makerFee,
                takerFee: takerFee,
                sender: sender
            )
        )
    }

    // MARK: Permits

    private static func permit(_ permit: SwapPermit) -> JSONValue {
        [
            "chainId": number(UInt256(permit.chainID)),
            "contract": .string(permit.contract.checksummed),
            "token": .string(permit.token.checksummed), "amount": number(permit.amount),
            "spender": .string(permit.spender.checksummed), "nonce": number(permit.nonce),
            "deadline": number(permit.deadline),
        ]
    }

    private static func permit(_ json: JSONValue) -> SwapPermit? {
        guard let chainID = number(json["chainId"])?.uint64,
            let contract = address(json["contract"]), let token = address(json["token"]),
            let amount = number(json["amount"]), let spender = address(json["spender"]),
            let nonce = number(json["nonce"]), let deadline = number(json["deadline"])
        else { return nil }
        return SwapPermit(
            chainID: chainID,
            contract: contract,
            token: token,
            amount: amount,
            spender: spender,
            nonce: nonce,
            deadline: deadline
        )
    }

    // MARK: Values

    static func number(_ value: UInt256) -> JSONValue {
        .string(value.description)
    }

    static func number(_ json: JSONValue?) -> UInt256? {
        json?.stringValue.flatMap { UInt256(decimal: $0) }
    }

    private static func bytes(_ json: JSONValue?) -> [UInt8]? {
        json?.stringValue.flatMap(Hex.bytes)
    }

    static func address(_ json: JSONValue?) -> Address? {
        json?.stringValue.flatMap(Address.init(ifValid:))
    }

    static func addresses(_ addresses: Set<Address>) -> JSONValue {
        .array(addresses.sorted().map { .string($0.checksummed) })
    }

    static func addresses(_ json: JSONValue?) -> Set<Address>? {
        guard let list = json?.arrayValue else { return nil }
        let addresses = list.compactMap { address($0) }
        return addresses.count == list.count ? Set(addresses) : nil
    }

    static func signature(_ signature: Signature) -> JSONValue {
        .string(Hex.encode(signature.r.bytes + signature.s.bytes + [signature.yParity]))
    }

    static func signature(_ json: JSONValue?) -> Signature? {
        guard let bytes = bytes(json), bytes.count == 65,
            let r = Bytes32(bytes: bytes[..<32]), let s = Bytes32(bytes: bytes[32..<64])
        else { return nil }
        return Signature(r: r, s: s, yParity: bytes[64])
    }

    // MARK: Refusals

    private static let kinds: [(String, SigningError.Kind)] = [
        ("refused", .refused), ("configuration", .configuration), ("key", .key),
    ]

    static func error(_ error: SigningError) -> JSONValue {
        let reported = error.words
        let kind = kinds.first { $0.1 == reported.kind }?.0 ?? "key"
        return [
            "error": [
                "kind": .string(kind), "code": .string(reported.code),
                "message": .string(reported.message),
                "hint": reported.hint.map { .string($0) } ?? .null,
            ]
        ]
    }

    static func error(_ json: JSONValue?) -> SigningError? {
        guard let json, let code = json["code"]?.stringValue,
            let message = json["message"]?.stringValue,
            let kind = kinds.first(where: { $0.0 == json["kind"]?.stringValue })?.1
        else { return nil }
        return .reported(
            SigningError.Reported(kind, code, message, hint: json["hint"]?.stringValue)
        )
    }
}
