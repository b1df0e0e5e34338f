/// Recursive Length Prefix: a byte string or a list of items.
///
/// Source: Ethereum Yellow Paper, appendix B.
public enum RLP: Hashable, Sendable {
    case bytes([UInt8])
    case list([RLP])

    /// An integer as its shortest big-endian bytes; zero is no bytes.
    public static func integer(_ value: UInt256) -> RLP {
        .bytes(Array(value.bigEndianBytes.drop { $0 == 0 }))
    }

    /// The encoding.
    public var encoded: [UInt8] {
        fatalError("unimplemented")
    }

    /// Decodes exactly one item in canonical form; bounded in depth.
    ///
    /// - Throws: `RLPError` for truncated, trailing, non-canonical or too deep input.
    public static func decode(_ bytes: [UInt8]) throws(RLPError) -> RLP {
        fatalError("unimplemented")
    }
}

/// Why bytes are not canonical RLP.
public enum RLPError: Error, Hashable, Sendable {
    case truncated
    case trailingBytes
    case nonCanonical
    case tooDeep
}
