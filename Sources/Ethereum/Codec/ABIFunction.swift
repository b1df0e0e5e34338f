/// A contract function: its name, types and selector.
///
/// ```swift
/// let balanceOf = try ABIFunction("balanceOf(address)(uint256)")
/// let owner = try Address("0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045")
/// let data = try balanceOf.encode([.address(owner)])
/// print(Hex.encode(data))
/// // Prints "0x70a08231000000000000000000000000d8da6bf26964af9d7eed9e03e53415d37aa96045"
///
/// // What the call returned.
/// let returned = try Hex.decode("0x" + String(repeating: "0", count: 62) + "2a")
/// guard case .uint(let balance)? = try balanceOf.decodeReturn(returned).first else { return }
/// print(balance)
/// // Prints "42"
/// ```
public struct ABIFunction: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The types of its arguments.
    public let inputs: [ABIType]
    /// The types of its results.
    public let outputs: [ABIType]
    /// The first four bytes of the Keccak-256 hash of its signature.
    public let selector: [UInt8]

    /// A function from its signature, such as `transfer(address,uint256)(bool)`.
    ///
    /// The second parenthesis is optional, `uint` means `uint256`, and there are no spaces.
    ///
    /// Example: `try Hex.encode(ABIFunction("transfer(address,uint256)").selector)` is
    /// `0xa9059cbb`.
    ///
    /// - Throws: `ABIError.malformedSignature`.
    public init(_ signature: String) throws(ABIError) {
        var parser = ABISignatureParser(signature)
        name = try parser.name()
        inputs = try parser.types(depth: 0)
        outputs = parser.isAtEnd ? [] : try parser.types(depth: 0)
        guard parser.isAtEnd else { throw .malformedSignature(signature) }
        selector = Array(Keccak256.hash(Self.signature(name, inputs).utf8).bytes.prefix(4))
    }

    /// The canonical signature, which is hashed: `transfer(address,uint256)`.
    ///
    /// Example: `try ABIFunction("transfer(address,uint)(bool)").signature` is
    /// `transfer(address,uint256)`.
    public var signature: String {
        Self.signature(name, inputs)
    }

    /// Call data: the selector and the encoded arguments.
    ///
    /// - Throws: `ABIError.mismatch`.
    public func encode(_ arguments: [ABIValue]) throws(ABIError) -> [UInt8] {
        var data = selector
        try ABI.append(arguments, as: inputs, to: &data)
        return data
    }

    /// The arguments in call data of this function.
    ///
    /// - Throws: `ABIError`, also if the selector is another function's.
    public func decodeArguments(_ data: [UInt8]) throws(ABIError) -> [ABIValue] {
        guard data.starts(with: selector) else { throw .wrongSelector }
        return try ABI.decode(data[4...], as: inputs)
    }

    /// The values that a call returned.
    ///
    /// - Throws: `ABIError`.
    public func decodeReturn(_ data: [UInt8]) throws(ABIError) -> [ABIValue] {
        try ABI.decode(data, as: outputs)
    }

    private static func signature(_ name: String, _ inputs: [ABIType]) -> String {
        "\(name)(\(inputs.map(\.name).joined(separator: ",")))"
    }
}

/// Reads `name(type,type)(type)` from left to right.
private struct ABISignatureParser {
    private let text: String
    private let characters: [UInt8]
    private var position = 0

    init(_ text: String) {
        self.text = text
        characters = Array(text.utf8)
    }

    var isAtEnd: Bool {
        position == characters.count
    }

    private var malformed: ABIError {
        .malformedSignature(text)
    }

    /// A Solidity identifier.
    mutating func name() throws(ABIError) -> String {
        let name = take { $0.isIdentifierPart }
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { throw malformed }
        return name
    }

    /// Types in parentheses.
    mutating func types(depth: Int) throws(ABIError) -> [ABIType] {
        guard skip(UInt8(ascii: "(")) else { throw malformed }
        var types: [ABIType] = []
        if skip(UInt8(ascii: ")")) { return types }
        repeat {
            types.append(try type(depth: depth))
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: ")")) else { throw malformed }
        return types
    }

    private mutating func type(depth: Int) throws(ABIError) -> ABIType {
        guard depth < ABIType.maximumDepth else { throw malformed }
        var result: ABIType
        if position < characters.count, characters[position] == UInt8(ascii: "(") {
            result = .tuple(try types(depth: depth + 1))
        } else {
            result = try elementary()
        }
        var depth = depth
        while skip(UInt8(ascii: "[")) {
            depth += 1
            guard depth < ABIType.maximumDepth else { throw malformed }
            if skip(UInt8(ascii: "]")) {
                result = .array(result)
            } else {
                result = .fixedArray(result, try number())
                guard skip(UInt8(ascii: "]")) else { throw malformed }
            }
        }
        // Rejects uint7, bytes33, T[0], the empty tuple and arrays too large for memory.
        guard (try? result.headSize()) != nil else { throw malformed }
        return result
    }

    private mutating func elementary() throws(ABIError) -> ABIType {
        let word = take { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        let hasNumber =
            position < characters.count && (0x30...0x39).contains(characters[position])
        switch (word, hasNumber) {
        case ("uint", false): return .uint(256)
        case ("uint", true): return .uint(try number())
        case ("int", false): return .int(256)
        case ("int", true): return .int(try number())
        case ("bytes", false): return .bytes
        case ("bytes", true): return .fixedBytes(try number())
        case ("bool", false): return .bool
        case ("address", false): return .address
        case ("string", false): return .string
        default: throw malformed
        }
    }

    /// A number without a leading zero, nine digits at most.
    private mutating func number() throws(ABIError) -> Int {
        let digits = take { (0x30...0x39).contains($0) }
        guard digits.utf8.first != UInt8(ascii: "0"), digits.utf8.count <= 9,
            let number = Int(digits)
        else { throw malformed }
        return number
    }

    private mutating func take(while isPart: (UInt8) -> Bool) -> String {
        let start = position
        while position < characters.count, isPart(characters[position]) { position += 1 }
        return String(decoding: characters[start..<position], as: UTF8.self)
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < characters.count, characters[position] == byte else { return false }
        position += 1
        return true
    }
}
