import Ethereum
import StrictJSON

/// Reads the values of JSON-RPC results strictly.
///
/// A wrong shape or a number beyond its bits is an error, never a guess.
struct RPCDecoder {
    /// The object being read, for errors: `block`, `log`.
    let subject: String
    let members: JSONObject

    /// - Throws: `ChainError.nonsense` for anything but an object.
    init(_ json: JSONValue, subject: String) throws(ChainError) {
        guard let members = json.objectValue else {
            throw .nonsense("the \(subject) is not an object")
        }
        self.members = members
        self.subject = subject
    }

    /// An error's sentence as a part of another one.
    static func clause(_ sentence: String) -> String {
        sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    /// A member that may be absent or null.
    func optional(_ name: String) -> JSONValue? {
        guard let value = members[name], !value.isNull else { return nil }
        return value
    }

    func required(_ name: String) throws(ChainError) -> JSONValue {
        guard let value = optional(name) else {
            throw .nonsense("the \(subject) has no \(name)")
        }
        return value
    }

    func number(_ name: String) throws(ChainError) -> UInt64 {
        try Self.number(required(name), "the \(subject)'s \(name)")
    }

    func count(_ name: String) throws(ChainError) -> UInt64 {
        try Self.count(required(name), "the \(subject)'s \(name)")
    }

    func quantity(_ name: String) throws(ChainError) -> UInt256 {
        try Self.quantity(required(name), "the \(subject)'s \(name)")
    }

    func word(_ name: String) throws(ChainError) -> Bytes32 {
        try Self.word(required(name), "the \(subject)'s \(name)")
    }

    func address(_ name: String) throws(ChainError) -> Address {
        try Self.address(required(name), "the \(subject)'s \(name)")
    }

    func bytes(_ name: String) throws(ChainError) -> [UInt8] {
        try Self.bytes(required(name), "the \(subject)'s \(name)")
    }

    /// A member that may be absent or null, read by one of the functions below.
    func optional<Value>(
        _ name: String,
        _ read: (JSONValue, _ what: String) throws(ChainError) -> Value
    ) throws(ChainError) -> Value? {
        guard let value = optional(name) else { return nil }
        return try read(value, "the \(subject)'s \(name)")
    }

    // MARK: Values

    static func quantity(_ json: JSONValue, _ what: String) throws(ChainError) -> UInt256 {
        guard let text = json.stringValue, let value = UInt256(quantity: text) else {
            throw .nonsense("\(what) is not a number of at most 256 bits in hexadecimal")
        }
        return value
    }

    static func wei(_ json: JSONValue, _ what: String) throws(ChainError) -> Wei {
        Wei(try quantity(json, what))
    }

    static func number(_ json: JSONValue, _ what: String) throws(ChainError) -> UInt64 {
        let value = try quantity(json, what)
        guard value.w1 == 0, value.w2 == 0, value.w3 == 0 else {
            throw .nonsense("\(what) does not fit into 64 bits")
        }
        return value.w0
    }

    /// A number of blocks, transactions, seconds or gas.
    ///
    /// No chain reaches 2^63, and the journal cannot store more.
    static func count(_ json: JSONValue, _ what: String) throws(ChainError) -> UInt64 {
        let value = try number(json, what)
        guard value <= UInt64(Int64.max) else {
            throw .nonsense("\(what) does not fit into 63 bits")
        }
        return value
    }

    static func word(_ json: JSONValue, _ what: String) throws(ChainError) -> Bytes32 {
        guard let text = json.stringValue, let word = Bytes32(ifHex: text) else {
            throw .nonsense("\(what) is not 32 bytes in hexadecimal")
        }
        return word
    }

    /// A word of storage: some nodes leave leading zeros out, and all of them of an empty slot.
    static func storageWord(_ json: JSONValue, _ what: String) throws(ChainError) -> UInt256 {
        json.stringValue == "0x" ? .zero : try quantity(json, what)
    }

    static func address(_ json: JSONValue, _ what: String) throws(ChainError) -> Address {
        guard let text = json.stringValue, let address = Address(ifHex: text) else {
            throw .nonsense("\(what) is not an address")
        }
        return address
    }

    static func bytes(_ json: JSONValue, _ what: String) throws(ChainError) -> [UInt8] {
        guard let text = json.stringValue, let bytes = Hex.bytes(text) else {
            throw .nonsense("\(what) is not bytes in hexadecimal")
        }
        return bytes
    }

    static func array(_ json: JSONValue, _ what: String) throws(ChainError) -> [JSONValue] {
        guard let elements = json.arrayValue else { throw .nonsense("\(what) is not a list") }
        return elements
    }
}
