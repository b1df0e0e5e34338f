/// A Solidity type of the contract ABI.
///
/// Source: https://docs.soliditylang.org/en/latest/abi-spec.html
public indirect enum ABIType: Hashable, Sendable {
    /// uint8 to uint256; the number of bits.
    case uint(Int)
    /// int8 to int256; the number of bits.
    case int(Int)
    case bool
    case address
    /// bytes1 to bytes32; the number of bytes.
    case fixedBytes(Int)
    case bytes
    case string
    /// `T[]`
    case array(ABIType)
    /// `T[n]`
    case fixedArray(ABIType, Int)
    case tuple([ABIType])

    /// The maximum nesting of arrays and tuples when encoding, decoding or parsing.
    static let maximumDepth = 32

    /// The canonical name, such as `uint256` or `(address,bytes32)[]`.
    ///
    /// Example: `ABIType.array(.tuple([.address, .fixedBytes(32)])).name` is `(address,bytes32)[]`.
    public var name: String {
        switch self {
        case .uint(let bits): "uint\(bits)"
        case .int(let bits): "int\(bits)"
        case .bool: "bool"
        case .address: "address"
        case .fixedBytes(let count): "bytes\(count)"
        case .bytes: "bytes"
        case .string: "string"
        case .array(let element): "\(element.name)[]"
        case .fixedArray(let element, let count): "\(element.name)[\(count)]"
        case .tuple(let members): "(\(members.map(\.name).joined(separator: ",")))"
        }
    }

    /// The head holds only an offset to its encoding.
    public var isDynamic: Bool {
        switch self {
        case .uint, .int, .bool, .address, .fixedBytes: false
        case .bytes, .string, .array: true
        case .fixedArray(let element, _): element.isDynamic
        case .tuple(let members): members.contains(where: \.isDynamic)
        }
    }

    /// Its size in bytes in the head that contains it; a dynamic type takes one offset.
    ///
    /// - Throws: `ABIError`: the type does not exist, or is empty, too deep or too large.
    func headSize(depth: Int = 0) throws(ABIError) -> Int {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        switch self {
        case .uint(let bits), .int(let bits):
            guard (8...256).contains(bits), bits.isMultiple(of: 8) else { throw invalid }
            return 32
        case .fixedBytes(let count):
            guard (1...32).contains(count) else { throw invalid }
            return 32
        case .bool, .address, .bytes, .string:
            return 32
        case .array(let element):
            _ = try element.headSize(depth: depth + 1)
            return 32
        case .fixedArray(let element, let count):
            let size = try element.headSize(depth: depth + 1)
            let (total, overflow) = size.multipliedReportingOverflow(by: count)
            guard count > 0, !overflow else { throw invalid }
            return element.isDynamic ? 32 : total
        case .tuple(let members):
            guard !members.isEmpty else { throw invalid }
            let total = try Self.headSize(of: members, depth: depth + 1)
            return isDynamic ? 32 : total
        }
    }

    /// The size in bytes of a head with these types in order.
    static func headSize(of types: [ABIType], depth: Int = 0) throws(ABIError) -> Int {
        var total = 0
        for type in types {
            let (sum, overflow) = total.addingReportingOverflow(try type.headSize(depth: depth))
            guard !overflow else { throw type.invalid }
            total = sum
        }
        return total
    }

    private var invalid: ABIError {
        .mismatch("\(name.shownName) is not a type of the contract ABI")
    }
}

/// A value for the contract ABI.
public enum ABIValue: Hashable, Sendable {
    case uint(UInt256)
    /// Two's complement in 256 bits.
    case int(UInt256)
    case bool(Bool)
    case address(Address)
    /// bytes1 to bytes32, with exactly the byte count of its type.
    case fixedBytes([UInt8])
    case bytes([UInt8])
    case string(String)
    /// Elements of `T[]` or `T[n]`.
    case array([ABIValue])
    case tuple([ABIValue])

    /// A bytes32.
    public static func word(_ word: Bytes32) -> ABIValue {
        .fixedBytes(word.bytes)
    }
}

/// The reason why values or bytes do not fit the contract ABI.
public enum ABIError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformedSignature(String)
    /// Of a contract's ABI in JSON; the reason in words.
    case malformedABI(String)
    case mismatch(String)
    case truncated
    case badOffset
    case badLength
    case badPadding
    case badBoolean
    case badUTF8
    case trailingBytes
    case wrongSelector
    case tooDeep

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .malformedSignature(let text):
            "\(text.quotedExcerpt) is not a function signature: a name and types without spaces "
                + "are expected, such as transfer(address,uint256)(bool)."
        case .malformedABI(let reason): "This is not the ABI of a contract: \(reason)."
        case .mismatch(let reason):
            "The values do not fit the contract's types: \(reason)."
        case .truncated: "The contract data ends too early."
        case .badOffset: "An offset in the contract data does not lead to where its value must be."
        case .badLength: "A length in the contract data is more than the data holds."
        case .badPadding: "A value in the contract data is wider than its type."
        case .badBoolean: "A boolean in the contract data is neither 0 nor 1."
        case .badUTF8: "A string in the contract data is not UTF-8."
        case .trailingBytes: "There are bytes behind the end of the contract data."
        case .wrongSelector: "The call data is of another function."
        case .tooDeep:
            "The contract's types are nested more than \(ABIType.maximumDepth) deep."
        }
    }
}
