import Ethereum

/// Writes call data word by word: every value fits its word, so nothing can fail.
struct CallEncoder {
    private(set) var data: [UInt8]

    init(selector: UInt32) {
        data = withUnsafeBytes(of: selector.bigEndian) { Array($0) }
    }

    /// One word each.
    mutating func add(_ words: Bytes32...) {
        for word in words { word.append(to: &data) }
    }

    /// The length in bytes, then the bytes, with zeros to whole words.
    mutating func add(bytes: [UInt8]) {
        UInt256(UInt64(bytes.count)).word.append(to: &data)
        data += bytes
        data += repeatElement(0, count: Self.padded(bytes.count) - bytes.count)
    }

    /// The number of elements, then one word each.
    mutating func add(addresses: [Address]) {
        UInt256(UInt64(addresses.count)).word.append(to: &data)
        for address in addresses { address.word.append(to: &data) }
    }

    /// The size of so many bytes in whole words.
    static func padded(_ count: Int) -> Int { (count + 31) / 32 * 32 }
}

extension Bytes32 {
    /// A small number as a word.
    static func number(_ value: UInt64) -> Bytes32 { UInt256(value).word }
}
