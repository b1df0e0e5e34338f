import Ethereum
import StrictJSON
import Testing

/// Keccak-256, RLP, the contract ABI and EIP-55 by suites that others published.
@Suite("Published suites: encodings")
struct EncodingSuiteTests {
    @Test("the Keccak team's known answers are ours")
    func keccak() async throws {
        for item in try await OfficialSuites.cases("keccak", count: 321) {
            let message = try item.peerBytes("message")
            #expect(Keccak256.hash(message).bytes == (try item.peerBytes("hash")))
        }
    }

    @Test("what ethereum/tests encodes by RLP is encoded and decoded alike")
    func rlp() async throws {
        for item in try await OfficialSuites.cases("rlp", "valid", count: 25) {
            let name = try item.peerText("name")
            let value = try Self.item(#require(item["in"]))
            let encoding = try item.peerBytes("out")
            #expect(value.encoded == encoding, "\(name)")
            #expect(try RLP.decode(encoding) == value, "\(name)")
            #expect(throws: RLPError.self, "\(name)") { try RLP.decode(encoding + [0]) }
            #expect(throws: RLPError.self, "\(name)") { try RLP.decode(Array(encoding.dropLast())) }
        }
    }

    @Test("what pyrlp calls no RLP is refused")
    func faultyRLP() async throws {
        for item in try await OfficialSuites.cases("rlp", "invalid", count: 11) {
            let bytes = try Hex.decode(#require(item.stringValue))
            #expect(throws: RLPError.self, "\(item.text)") { try RLP.decode(bytes) }
        }
    }

    @Test("arguments are encoded and decoded as in eth-abi's suite, which is Solidity's")
    func abi() async throws {
        for item in try await OfficialSuites.cases("abi", "valid", count: 110) {
            let types = try Self.types(of: item)
            let texts = try #require(item["values"]?.arrayValue)
            try #require(texts.count == types.count)
            let values = try zip(texts, types).map { try #require(Self.value($0, as: $1)) }
            let encoding = try item.peerBytes("encoding")
            #expect(try ABI.encode(values, as: types) == encoding, "\(item.text)")
            #expect(try ABI.decode(encoding, as: types) == values, "\(item.text)")
            #expect(throws: ABIError.self) { try ABI.decode(encoding + [0], as: types) }
            #expect(throws: ABIError.self) { try ABI.decode(Array(encoding.dropLast()), as: types) }
        }
    }

    @Test("what eth-abi does not encode has no value here, or is refused")
    func faultyABI() async throws {
        var refused = 0
        for item in try await OfficialSuites.cases("abi", "invalid", count: 19) {
            guard let types = try? Self.types(of: item) else {
                refused += 1
                continue
            }
            let texts = try #require(item["values"]?.arrayValue)
            // A value of another kind cannot even be written.
            guard let value = Self.value(texts[0], as: types[0]) else { continue }
            refused += 1
            #expect(throws: ABIError.self, "\(item.text)") { try ABI.encode([value], as: types) }
        }
        #expect(refused == 7)
        for name in try await OfficialSuites.cases("abi", "unknown", count: 8) {
            #expect(throws: ABIError.self) { try ABIFunction("f(\(#require(name.stringValue)))") }
        }
    }

    @Test("EIP-55's addresses are written as it writes them, and wrong letter cases are refused")
    func addresses() async throws {
        for item in try await OfficialSuites.cases("addresses", count: 12) {
            let text = try item.peerText("text")
            let isRight = item["valid"]?.boolValue == true
            let address = try Address(lenient: text)
            #expect((address.checksummed == text) == isRight, "\(text)")
            #expect(try Address(address.checksummed) == address)
            let digits = text.dropFirst(2)
            let isOneCase = digits == digits.lowercased() || digits == digits.uppercased()
            #expect(((try? Address(text)) != nil) == (isRight || isOneCase), "\(text)")
        }
    }

    private static func item(_ json: JSONValue) throws -> RLP {
        if let items = json.arrayValue { return .list(try items.map { try item($0) }) }
        return .bytes(try Hex.decode(#require(json.stringValue)))
    }

    private static func types(of item: JSONValue) throws -> [ABIType] {
        let names = try #require(item["types"]?.arrayValue).map { try #require($0.stringValue) }
        return try ABIFunction("f(\(names.joined(separator: ",")))").inputs
    }

    /// A value of the suite as the type has it; nil where it is of another kind.
    private static func value(_ json: JSONValue, as type: ABIType) -> ABIValue? {
        let text = json["string"]?.stringValue
        let bytes = json["bytes"]?.stringValue.flatMap { try? Hex.decode($0) }
        let number = json["number"]?.stringValue
        switch type {
        case .uint: return number.flatMap { UInt256(decimal: $0) }.map { .uint($0) }
        case .int:
            guard let number else { return nil }
            guard number.hasPrefix("-") else { return UInt256(decimal: number).map { .int($0) } }
            return UInt256(decimal: String(number.dropFirst())).map { .int(.zero &- $0) }
        case .bool: return json["bool"]?.boolValue.map { .bool($0) }
        case .address: return text.flatMap { try? Address(lenient: $0) }.map { .address($0) }
        case .fixedBytes: return bytes.map { .fixedBytes($0) }
        case .bytes: return bytes.map { .bytes($0) }
        case .string: return text.map { .string($0) }
        case .array(let element), .fixedArray(let element, _):
            let values = json.arrayValue?.map { value($0, as: element) }
            guard let values, !values.contains(nil) else { return nil }
            return .array(values.compactMap { $0 })
        case .tuple(let members):
            guard let items = json.arrayValue, items.count == members.count else { return nil }
            let values = zip(items, members).map { value($0, as: $1) }
            return values.contains(nil) ? nil : .tuple(values.compactMap { $0 })
        }
    }
}
