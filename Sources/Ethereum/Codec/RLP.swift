/// Recursive Length Prefix: a byte string or a list of items.
///
/// ```swift
/// let item = RLP.list([.bytes(Array("cat".utf8)), .integer(1024)])
/// print(Hex.encode(item.encoded))
/// // Prints "0xc783636174820400"
///
/// let decoded = try RLP.decode(item.encoded)
/// print(decoded == item)
/// // Prints "true"
/// ```
///
/// Source: Ethereum Yellow Paper, appendix B.
public enum RLP: Hashable, Sendable {
    case bytes([UInt8])
    case list([RLP])

    /// The maximum nesting of decoded lists; blocks and transactions need four.
    static let maximumDepth = 64

    /// An integer in its shortest big-endian bytes; zero has no bytes.
    ///
    /// Example: `Hex.encode(RLP.integer(1024).encoded)` is `0x820400`.
    public static func integer(_ value: UInt256) -> RLP {
        .bytes(Array(value.bigEndianBytes.drop { $0 == 0 }))
    }

    /// The integer whose shortest form these bytes are.
    ///
    /// nil for a list, a leading zero or more than 32 bytes.
    public var unsignedInteger: UInt256? {
        guard case .bytes(let bytes) = self, bytes.first != 0 else { return nil }
        return UInt256(bigEndian: bytes)
    }

    /// The encoding.
    ///
    /// Example: `Hex.encode(RLP.list([.bytes(Array("cat".utf8))]).encoded)` is `0xc483636174`.
    public var encoded: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(encodedCount)
        append(to: &output)
        return output
    }

    /// Decodes exactly one item in canonical form, up to a maximum depth.
    ///
    /// Example: `try RLP.decode([0x82, 0x04, 0x00]).unsignedInteger` is `Optional(1024)`.
    ///
    /// - Throws: `RLPError` for truncated, trailing, non-canonical or too deep input.
    public static func decode(_ bytes: [UInt8]) throws(RLPError) -> RLP {
        var position = 0
        let item = try decode(bytes, &position, end: bytes.count, depth: 0)
        guard position == bytes.count else { throw .trailingBytes }
        return item
    }

    private static func decode(
        _ bytes: [UInt8],
        _ position: inout Int,
        end: Int,
        depth: Int
    ) throws(RLPError) -> RLP {
        guard position < end else { throw .truncated }
        let prefix = bytes[position]
        position += 1
        switch prefix {
        case 0x00...0x7F:
            return .bytes([prefix])
        case 0x80...0xBF:
            let length = try length(prefix, short: 0x80, bytes, &position, end)
            let content = bytes[position..<position + length]
            if length == 1, let byte = content.first, byte < 0x80 { throw .nonCanonical }
            position += length
            return .bytes(Array(content))
        default:
            guard depth < maximumDepth else { throw .tooDeep }
            let length = try length(prefix, short: 0xC0, bytes, &position, end)
            let listEnd = position + length
            var items: [RLP] = []
            while position < listEnd {
                items.append(try decode(bytes, &position, end: listEnd, depth: depth + 1))
            }
            return .list(items)
        }
    }

    /// The length of the content after a prefix; the bytes are known to exist.
    private static func length(
        _ prefix: UInt8,
        short: UInt8,
        _ bytes: [UInt8],
        _ position: inout Int,
        _ end: Int
    ) throws(RLPError) -> Int {
        let code = Int(prefix - short)
        guard code > 55 else {
            guard code <= end - position else { throw .truncated }
            return code
        }
        let width = code - 55
        guard width <= end - position else { throw .truncated }
        guard bytes[position] != 0 else { throw .nonCanonical }
        var length: UInt64 = 0
        for byte in bytes[position..<position + width] { length = length << 8 | UInt64(byte) }
        guard length > 55 else { throw .nonCanonical }
        position += width
        guard length <= UInt64(end - position) else { throw .truncated }
        return Int(length)
    }

    /// Appends the encoding.
    func append(to output: inout [UInt8]) {
        switch self {
        case .bytes(let bytes):
            if bytes.count == 1, bytes[0] < 0x80 {
                output.append(bytes[0])
                return
            }
            Self.append(length: bytes.count, short: 0x80, to: &output)
            output.append(contentsOf: bytes)
        case .list(let items):
            Self.append(listOf: items.reduce(0) { $0 + $1.encodedCount }, to: &output)
            for item in items { item.append(to: &output) }
        }
    }

    /// Appends what stands before the items of a list, which have so many bytes together.
    static func append(listOf bytes: Int, to output: inout [UInt8]) {
        append(length: bytes, short: 0xC0, to: &output)
    }

    private static func append(length: Int, short: UInt8, to output: inout [UInt8]) {
        guard length > 55 else {
            output.append(short + UInt8(length))
            return
        }
        let width = lengthWidth(length)
        output.append(short + 55 + UInt8(width))
        for index in (0..<width).reversed() {
            output.append(UInt8(truncatingIfNeeded: length >> (8 * index)))
        }
    }

    /// The size of the encoding in bytes.
    var encodedCount: Int {
        switch self {
        case .bytes(let bytes):
            if bytes.count == 1, bytes[0] < 0x80 { return 1 }
            return bytes.count + 1 + (bytes.count > 55 ? Self.lengthWidth(bytes.count) : 0)
        case .list(let items):
            let length = items.reduce(0) { $0 + $1.encodedCount }
            return length + 1 + (length > 55 ? Self.lengthWidth(length) : 0)
        }
    }

    private static func lengthWidth(_ length: Int) -> Int {
        (Int.bitWidth - length.leadingZeroBitCount + 7) / 8
    }
}

/// The reason why bytes are not canonical RLP.
public enum RLPError: Error, Hashable, Sendable, CustomStringConvertible {
    case truncated
    case trailingBytes
    case nonCanonical
    case tooDeep

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .truncated: "The RLP data ends in the middle of an item."
        case .trailingBytes: "There are bytes behind the end of the RLP item."
        case .nonCanonical: "An RLP length or byte is not written in its shortest form."
        case .tooDeep: "RLP lists are nested more than \(RLP.maximumDepth) deep."
        }
    }
}
