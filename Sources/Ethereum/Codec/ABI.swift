/// Encodes and decodes arguments by the contract ABI.
///
/// Source: https://docs.soliditylang.org/en/latest/abi-spec.html
public enum ABI {
    /// The arguments of a call or the data of an event, without a selector.
    ///
    /// Example: `try ABI.encode([.bool(true)], as: [.bool]).last` is `Optional(1)`.
    ///
    /// - Throws: `ABIError.mismatch` if a value does not fit its type, `.tooDeep`.
    public static func encode(
        _ values: [ABIValue],
        as types: [ABIType]
    ) throws(ABIError) -> [UInt8] {
        var output: [UInt8] = []
        try append(values, as: types, to: &output)
        return output
    }

    /// Appends the encoded arguments to existing bytes, such as a selector.
    static func append(
        _ values: [ABIValue],
        as types: [ABIType],
        to output: inout [UInt8]
    ) throws(ABIError) {
        // Rejects types that do not exist or are too deep before any recursion.
        let headSize = try ABIType.headSize(of: types)
        // A hostile type can declare a huge head that the values do not fill.
        output.reserveCapacity(output.count + min(headSize, 4096))
        var encoder = ABIEncoder(output: output)
        output = []
        try encoder.encode(values, as: .members(types))
        output = encoder.output
    }

    /// Decodes arguments strictly.
    ///
    /// Every offset and length is in bounds, padding is zero, booleans are 0 or 1. Values are in
    /// encoder order, no byte is read twice, and none is left over.
    ///
    /// Example: `try ABI.decode(UInt256(5).bigEndianBytes, as: [.uint(8)])` is
    /// `[Ethereum.ABIValue.uint(5)]`.
    ///
    /// - Parameter allowsTrailingBytes: accepts unused bytes after the last value or between the
    ///   values that offsets point to.
    /// - Throws: `ABIError` if the bytes are not the encoding of these types.
    public static func decode(
        _ bytes: [UInt8],
        as types: [ABIType],
        allowsTrailingBytes: Bool = false
    ) throws(ABIError) -> [ABIValue] {
        try decode(bytes[...], as: types, allowsTrailingBytes: allowsTrailingBytes)
    }

    /// Decodes a slice, such as call data after its selector.
    static func decode(
        _ bytes: ArraySlice<UInt8>,
        as types: [ABIType],
        allowsTrailingBytes: Bool = false
    ) throws(ABIError) -> [ABIValue] {
        var decoder = ABIDecoder(bytes, allowsGaps: allowsTrailingBytes)
        let values = try decoder.decode(.members(types), at: bytes.startIndex)
        guard decoder.isAtEnd || allowsTrailingBytes else { throw .trailingBytes }
        return values
    }
}

/// The types of the values in one head: the members of a tuple or the elements of an array.
enum ABIHead {
    case members([ABIType])
    case elements(ABIType, Int)

    var count: Int {
        switch self {
        case .members(let types): types.count
        case .elements(_, let count): count
        }
    }

    subscript(index: Int) -> ABIType {
        switch self {
        case .members(let types): types[index]
        case .elements(let type, _): type
        }
    }

    /// The size of the head in bytes.
    func size() throws(ABIError) -> Int {
        switch self {
        case .members(let types):
            return try ABIType.headSize(of: types)
        case .elements(let type, let count):
            let (total, overflow) = try type.headSize().multipliedReportingOverflow(by: count)
            guard !overflow else { throw .badLength }
            return total
        }
    }
}
