/// The filter of a block's logs: whether some log may have an address or a topic.
///
/// Shape: 2,048 bits in 256 bytes; each item sets three of them by its Keccak-256 hash.
///
/// Source: Ethereum Yellow Paper, section 4.3.1.
public struct Bloom: Hashable, Sendable {
    /// 256 bytes.
    public private(set) var bytes: [UInt8]

    /// The number of bytes.
    public static let byteCount = 256
    /// The filter of no logs.
    public static let empty = Bloom()

    /// The filter of no logs.
    public init() {
        bytes = Array(repeating: 0, count: Self.byteCount)
    }

    /// A filter from its bytes; nil unless there are 256.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The filter of some logs.
    public init(_ logs: [Log]) {
        self.init()
        for log in logs {
            insert(log.address.bytes)
            for topic in log.topics { insert(topic.bytes) }
        }
    }

    /// Adds everything that another filter may contain.
    public mutating func formUnion(_ other: Bloom) {
        for index in bytes.indices { bytes[index] |= other.bytes[index] }
    }

    /// The filter may contain this; false is certain.
    public func mayContain(_ item: [UInt8]) -> Bool {
        Self.bits(item).allSatisfy { bytes[$0.byte] & $0.mask != 0 }
    }

    /// Logs that match a filter may be among the added ones; false is certain.
    package func mayMatch(_ filter: LogFilter) -> Bool {
        let topics = filter.topics.map { choices in choices.map(\.bytes) }
        return ([filter.addresses.map(\.bytes)] + topics).allSatisfy { choices in
            choices.isEmpty || choices.contains(where: mayContain)
        }
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
