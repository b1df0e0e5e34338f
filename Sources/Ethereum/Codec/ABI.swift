/// A Solidity type as the contract ABI knows it.
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
}

/// A value for the contract ABI.
public enum ABIValue: Hashable, Sendable {
    case uint(UInt256)
    /// Two's complement in 256 bits.
    case int(UInt256)
    case bool(Bool)
    case address(Address)
    /// bytes1 to bytes32, exactly as many bytes as its type has.
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

/// Encodes and decodes arguments by the contract ABI.
public enum ABI {
    /// The arguments of a call or the data of an event, without a selector.
    ///
    /// - Throws: `ABIError.mismatch` where a value does not fit its type.
    public static func encode(
        _ values: [ABIValue],
        as types: [ABIType]
    ) throws(ABIError) -> [UInt8] {
        fatalError("unimplemented")
    }

    /// Decodes arguments strictly: every offset and length in bounds, padding zero, booleans 0 or
    /// 1, no overlapping or trailing data beyond `allowsTrailingBytes`.
    ///
    /// - Throws: `ABIError` where the bytes are not the encoding of these types.
    public static func decode(
        _ bytes: [UInt8],
        as types: [ABIType],
        allowsTrailingBytes: Bool = false
    ) throws(ABIError) -> [ABIValue] {
        fatalError("unimplemented")
    }
}

/// A contract function: its name and types, and so its selector.
public struct ABIFunction: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The types of its arguments.
    public let inputs: [ABIType]
    /// The types of what it returns.
    public let outputs: [ABIType]
    /// The first four bytes of the Keccak-256 hash of its signature.
    public let selector: [UInt8]

    /// A function from its signature as people write it: `transfer(address,uint256)(bool)`, the
    /// second parenthesis optional.
    ///
    /// - Throws: `ABIError.malformedSignature`.
    public init(_ signature: String) throws(ABIError) {
        fatalError("unimplemented")
    }

    /// The canonical signature that is hashed: `transfer(address,uint256)`.
    public var signature: String {
        fatalError("unimplemented")
    }

    /// Call data: the selector and the encoded arguments.
    ///
    /// - Throws: `ABIError.mismatch`.
    public func encode(_ arguments: [ABIValue]) throws(ABIError) -> [UInt8] {
        fatalError("unimplemented")
    }

    /// The arguments in call data of this function.
    ///
    /// - Throws: `ABIError`, also where the selector is another's.
    public func decodeArguments(_ data: [UInt8]) throws(ABIError) -> [ABIValue] {
        fatalError("unimplemented")
    }

    /// The values that a call returned.
    ///
    /// - Throws: `ABIError`.
    public func decodeReturn(_ data: [UInt8]) throws(ABIError) -> [ABIValue] {
        fatalError("unimplemented")
    }
}

/// Why values or bytes do not fit the contract ABI.
public enum ABIError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformedSignature(String)
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

    /// The sentence for people.
    public var description: String {
        "ABI: \(self)"
    }
}
