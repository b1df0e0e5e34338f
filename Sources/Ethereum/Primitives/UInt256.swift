/// An unsigned integer of 256 bits: the word of the Ethereum Virtual Machine.
///
/// Shape: four 64-bit limbs in place, the least significant first, without allocation.
///
/// Arithmetic operators trap on overflow, like Swift's integers. For external values use the
/// reporting forms, such as `addingReportingOverflow`.
public struct UInt256: Sendable, Hashable {
    /// The limbs, the least significant first.
    public var w0, w1, w2, w3: UInt64

    /// A number from its limbs, the least significant first.
    @inlinable
    public init(w0: UInt64, w1: UInt64, w2: UInt64, w3: UInt64) {
        self.w0 = w0
        self.w1 = w1
        self.w2 = w2
        self.w3 = w3
    }

    /// The number in a big-endian word.
    public init(_ word: Bytes32) {
        self.init(w0: word.limbs.3, w1: word.limbs.2, w2: word.limbs.1, w3: word.limbs.0)
    }

    /// The number in at most 32 big-endian bytes; nil for more.
    public init?(bigEndian bytes: some Collection<UInt8>) {
        guard bytes.count <= 32 else { return nil }
        // Other modules call this unspecialized; the loop over contiguous bytes is specialized.
        self = bytes.withContiguousStorageIfAvailable(Self.init(digits:)) ?? Self(digits: bytes)
    }

    private init(digits: some Sequence<UInt8>) {
        self.init(w0: 0, w1: 0, w2: 0, w3: 0)
        for byte in digits {
            w3 = w3 &<< 8 | w2 &>> 56
            w2 = w2 &<< 8 | w1 &>> 56
            w1 = w1 &<< 8 | w0 &>> 56
            w0 = w0 &<< 8 | UInt64(byte)
        }
    }

    /// The number as a big-endian word.
    public var word: Bytes32 {
        Bytes32(limbs: (w3, w2, w1, w0))
    }

    /// The number as 32 big-endian bytes.
    public var bigEndianBytes: [UInt8] {
        word.bytes
    }
}
