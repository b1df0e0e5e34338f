import Ethereum
import StrictJSON

/// The positional parameters of a request, read strictly, with geth's error messages.
struct RPCParameters: Sendable {
    let values: [JSONValue]

    /// Rejects more parameters than a method takes.
    func limit(_ count: Int) throws(NodeError) {
        guard values.count <= count else {
            throw .invalidParameters("too many arguments, want at most \(count)")
        }
    }

    /// A parameter that may be absent or null.
    func optional(_ index: Int) -> JSONValue? {
        guard index < values.count, !values[index].isNull else { return nil }
        return values[index]
    }

    /// A required parameter.
    func value(_ index: Int) throws(NodeError) -> JSONValue {
        guard let value = optional(index) else {
            throw .invalidParameters("missing value for required argument \(index)")
        }
        return value
    }

    func text(_ index: Int) throws(NodeError) -> String {
        guard let text = try value(index).stringValue else {
            throw .invalidParameters("invalid argument \(index): json: cannot unmarshal non-string")
        }
        return text
    }

    func address(_ index: Int) throws(NodeError) -> Address {
        try Self.address(try value(index), "argument \(index)")
    }

    func word(_ index: Int) throws(NodeError) -> Bytes32 {
        try Self.word(try value(index), "argument \(index)")
    }

    func bytes(_ index: Int) throws(NodeError) -> [UInt8] {
        try Self.bytes(try value(index), "argument \(index)")
    }

    /// A quantity of at most 64 bits.
    func quantity(_ index: Int) throws(NodeError) -> UInt64 {
        try Self.quantity64(try value(index), "argument \(index)")
    }

    // MARK: Values

    static func address(_ json: JSONValue, _ name: @autoclosure () -> String) throws(NodeError)
        -> Address
    {
        guard let text = json.stringValue, let address = Address(ifHex: text) else {
            throw .invalidParameters(
                "invalid \(name()): hex string of 40 digits wanted for common.Address"
            )
        }
        return address
    }

    static func word(_ json: JSONValue, _ name: @autoclosure () -> String) throws(NodeError)
        -> Bytes32
    {
        guard let text = json.stringValue, let word = Bytes32(ifHex: text) else {
            throw .invalidParameters(
                "invalid \(name()): hex string of 64 digits wanted for common.Hash"
            )
        }
        return word
    }

    static func bytes(_ json: JSONValue, _ name: @autoclosure () -> String) throws(NodeError)
        -> [UInt8]
    {
        guard let text = json.stringValue, let bytes = Hex.bytes(text) else {
            throw .invalidParameters("invalid \(name()): cannot unmarshal invalid hex string")
        }
        return bytes
    }

    static func quantity(_ json: JSONValue, _ name: @autoclosure () -> String) throws(NodeError)
        -> UInt256
    {
        guard let text = json.stringValue, let number = UInt256(quantity: text) else {
            throw .invalidParameters("invalid \(name()): cannot unmarshal invalid hex number")
        }
        guard text.utf8.count == 3 || !text.hasPrefix("0x0") else {
            throw .invalidParameters("invalid \(name()): hex number with leading zero digits")
        }
        return number
    }

    static func quantity64(_ json: JSONValue, _ name: @autoclosure () -> String) throws(NodeError)
        -> UInt64
    {
        guard let number = try quantity(json, name()).uint64 else {
            throw .invalidParameters("invalid \(name()): hex number > 64 bits")
        }
        return number
    }

    /// A quantity, or a plain JSON number, which test methods accept.
    static func looseQuantity(_ json: JSONValue, _ name: String) throws(NodeError) -> UInt64 {
        if let text = json.numberText {
            guard let number = UInt64(text) else {
                throw .invalidParameters("invalid \(name): a whole number is wanted")
            }
            return number
        }
        return try quantity64(json, name)
    }

    /// The call of eth_call and eth_estimateGas.
    ///
    /// Nonces are only checked for their form, and without a price nothing is paid, as in geth.
    func call(_ index: Int) throws(NodeError) -> CallMessage {
        guard case .object(let object) = try value(index) else {
            throw .invalidParameters("invalid argument \(index): an object is wanted")
        }
        var from: Address?
        var to: Address?
        var data: [UInt8]?
        var value = UInt256.zero
        var gas: UInt64?
        var accessList: [AccessListEntry] = []
        var authorizations: [Transaction.Authorization] = []
        var prices: [String: Wei] = [:]
        for member in object.members where !member.value.isNull {
            func name() -> String { "argument \(index) field \(member.key)" }
            switch member.key {
            case "from": from = try Self.address(member.value, name())
            case "to": to = try Self.address(member.value, name())
            case "data", "input":
                let bytes = try Self.bytes(member.value, name())
                guard data == nil || data == bytes else {
                    throw .refused(
                        #"both "data" and "input" are set and not equal. Please use "input" to "#
                            + "pass transaction call data"
                    )
                }
                data = bytes
            case "value": value = try Self.quantity(member.value, name())
            case "gas": gas = try Self.quantity64(member.value, name())
            case "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas":
                prices[member.key] = Wei(try Self.quantity(member.value, name()))
            case "nonce", "chainId": _ = try Self.quantity(member.value, name())
            case "type":
                let type = try Self.quantity(member.value, name())
                guard type <= 2 || type == 4 else { throw SandboxChain.refusal(ofType: type) }
            // What such a call does without them is not what was asked.
            case "blobVersionedHashes", "blobs", "maxFeePerBlobGas":
                throw SandboxChain.refusal(ofType: 3)
            case "authorizationList":
                authorizations = try Self.authorizations(member.value, name())
            case "accessList": accessList = try Self.accessList(member.value, name())
            default: break
            }
        }
        guard authorizations.isEmpty || to != nil else {
            throw .refused("EIP-7702 transaction cannot be used to create contract")
        }
        return CallMessage(
            from: from,
            to: to,
            data: data ?? [],
            value: Wei(value),
            gas: gas,
            accessList: accessList,
            fee: try Self.fee(prices),
            authorizations: authorizations
        )
    }

    private static func fee(_ prices: [String: Wei]) throws(NodeError) -> Transaction.Fee? {
        let (maximum, tip) = (prices["maxFeePerGas"], prices["maxPriorityFeePerGas"])
        if let price = prices["gasPrice"] {
            guard maximum == nil, tip == nil else {
                throw .refused(
                    "both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified"
                )
            }
            return price == .zero ? nil : .legacy(gasPrice: price)
        }
        guard let maximum = maximum ?? tip.map({ _ in .zero }),
            maximum != .zero || tip ?? .zero != .zero
        else { return nil }
        return .dynamic(maxFeePerGas: maximum, maxPriorityFeePerGas: tip ?? .zero)
    }

    private static func authorizations(
        _ json: JSONValue,
        _ name: String
    ) throws(NodeError) -> [Transaction.Authorization] {
        guard let items = json.arrayValue, !items.isEmpty else {
            throw .refused("EIP-7702 transaction with empty auth list")
        }
        let list = items.compactMap { Transaction.Authorization($0) }
        guard list.count == items.count else {
            throw .invalidParameters("invalid \(name): an authorization is malformed")
        }
        return list
    }

    private static func accessList(
        _ json: JSONValue,
        _ name: String
    ) throws(NodeError) -> [AccessListEntry] {
        guard case .array(let items) = json else {
            throw .invalidParameters("invalid \(name): an array is wanted")
        }
        var list: [AccessListEntry] = []
        for item in items {
            guard let address = item["address"] else {
                throw .invalidParameters("invalid \(name): address is missing")
            }
            var keys: [Bytes32] = []
            for key in item["storageKeys"]?.arrayValue ?? [] { keys.append(try word(key, name)) }
            list.append(
                AccessListEntry(address: try self.address(address, name), storageKeys: keys)
            )
        }
        return list
    }
}
