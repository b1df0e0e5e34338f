import Ethereum

/// Takes values from the front of an input; at its end everything is zero, so that every input
/// means something.
struct InputReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Nothing is left.
    var isAtEnd: Bool {
        position == bytes.count
    }

    mutating func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func flag() -> Bool {
        byte() & 1 == 1
    }

    /// 0 to `bound - 1`.
    mutating func number(below bound: Int) -> Int {
        Int(byte()) % max(1, bound)
    }

    /// At most so many bytes, as many as are there.
    mutating func bytes(_ count: Int) -> [UInt8] {
        let end = min(bytes.count, position + max(0, count))
        defer { position = end }
        return Array(bytes[position..<end])
    }

    /// Everything that is left.
    mutating func rest() -> [UInt8] {
        bytes(bytes.count)
    }

    mutating func uint64() -> UInt64 {
        bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number with as many bytes as one byte in front says, and near the bounds more often than
    /// chance would have it.
    mutating func uint256() -> UInt256 {
        let kind = byte()
        let value = UInt256(bigEndian: bytes(Int(kind & 31) + 1)) ?? .zero
        switch kind >> 5 {
        case 1: return ~value
        case 2: return value &<< UInt256(UInt64(byte()))
        default: return value
        }
    }

    mutating func word() -> Bytes32 {
        uint256().word
    }

    mutating func address() -> Address {
        Address(truncating: word())
    }

    /// At most 255 bytes behind their number.
    mutating func string() -> String {
        String(decoding: bytes(Int(byte())), as: UTF8.self)
    }
}

/// Writes what `InputReader` reads, for seeds.
struct InputWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ value: UInt8) {
        bytes.append(value)
    }

    mutating func uint256(_ value: UInt256) {
        let content = Array(value.bigEndianBytes.drop { $0 == 0 })
        bytes.append(UInt8(max(1, content.count) - 1))
        bytes += content.isEmpty ? [0] : content
    }

    mutating func append(_ content: some Sequence<UInt8>) {
        bytes.append(contentsOf: content)
    }
}
