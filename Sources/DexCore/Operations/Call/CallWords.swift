import Ethereum

/// Reads call data as contracts do: by position, whatever lies between and behind.
///
/// Contracts ignore bytes behind the arguments and gaps between them, and older ones also the first
/// bytes of an address. Missing bytes are zeros. A strict reader sees less than the chain does.
struct CallWords: Sendable {
    /// Arguments without a selector; a slice of the whole call data.
    let bytes: ArraySlice<UInt8>

    /// The word at a position; missing bytes are zeros.
    func word(_ position: Int) -> Bytes32 {
        guard position >= 0, position < bytes.count else { return UInt256.zero.word }
        var part = Array(bytes.dropFirst(position).prefix(32))
        part += [UInt8](repeating: 0, count: 32 - part.count)
        return Bytes32(bytes: part) ?? UInt256.zero.word
    }

    func number(_ position: Int) -> UInt256 { UInt256(word(position)) }

    /// The last 20 bytes of a word, whatever is in the first 12.
    func address(_ position: Int) -> Address { Address(truncating: word(position)) }

    /// The position that the offset at a position leads to; nil if it leads out of the data.
    func target(_ position: Int, from base: Int = 0) -> Int? {
        guard let offset = number(position).uint64, offset < UInt64(bytes.count) else { return nil }
        let target = base + Int(offset)
        return target < bytes.count ? target : nil
    }

    /// The content of `bytes` whose length stands at a position; nil if the data end before it.
    func content(_ position: Int) -> ArraySlice<UInt8>? {
        guard position >= 0, position < bytes.count, let length = number(position).uint64,
            length <= UInt64(bytes.count), position + 32 + Int(length) <= bytes.count
        else { return nil }
        return bytes.dropFirst(position + 32).prefix(Int(length))
    }

    /// The positions of an array's elements in its head, and where their offsets count from.
    ///
    /// - Parameter width: the bytes of an element in the head.
    /// - Returns: nil if the data end before the last one.
    func elements(_ position: Int, width: Int) -> (positions: [Int], base: Int)? {
        guard let count = number(position).uint64, position < bytes.count,
            count <= UInt64(bytes.count / max(1, width))
        else { return nil }
        let base = position + 32
        guard base + Int(count) * width <= bytes.count else { return nil }
        return ((0..<Int(count)).map { base + $0 * width }, base)
    }
}
