import Ethereum

/// A block's or receipt's filter of 2,048 bits over the addresses and topics of its logs.
///
/// Source: Ethereum Yellow Paper, 4.3.1 (M3:2048).
struct Bloom: Hashable, Sendable {
    /// 256 bytes.
    private(set) var bytes: [UInt8]

    static let byteCount = 256
    static let empty = Bloom()

    init() {
        bytes = Array(repeating: 0, count: Self.byteCount)
    }

    /// A filter from its bytes; nil unless there are 256.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    init(_ logs: [Log]) {
        self.init()
        for log in logs {
            insert(log.address.bytes)
            for topic in log.topics { insert(topic.bytes) }
        }
    }

    mutating func formUnion(_ other: Bloom) {
        for index in bytes.indices { bytes[index] |= other.bytes[index] }
    }

    /// The filter may contain this; false is certain.
    func mayContain(_ item: [UInt8]) -> Bool {
        Self.bits(item).allSatisfy { bytes[$0.byte] & $0.mask != 0 }
    }

    private mutating func insert(_ item: [UInt8]) {
        for bit in Self.bits(item) { bytes[bit.byte] |= bit.mask }
    }

    private static func bits(_ item: [UInt8]) -> [(byte: Int, mask: UInt8)] {
        let hash = Keccak256.hash(item).bytes
        return [0, 2, 4].map { index in
            let bit = (Int(hash[index]) << 8 | Int(hash[index + 1])) & 2047
            return (255 - bit / 8, 1 << UInt8(bit % 8))
        }
    }
}
