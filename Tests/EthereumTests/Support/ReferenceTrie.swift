import Ethereum

/// The root of a Merkle-Patricia trie from all its entries at once, written from appendix D of the
/// Yellow Paper: no nodes are kept, and nothing is shared with `MerkleTrie`.
enum ReferenceTrie {
    static func root(_ entries: [[UInt8]: [UInt8]]) -> Bytes32 {
        guard !entries.isEmpty else { return Keccak256.hash([0x80] as [UInt8]) }
        let digits = entries.map { key, value in (key.flatMap { [$0 >> 4, $0 & 15] }, value) }
        return Keccak256.hash(node(digits, 0).encoded)
    }

    /// The function c of the paper: the node of entries that agree in so many digits.
    private static func node(_ entries: [([UInt8], [UInt8])], _ depth: Int) -> RLP {
        let first = entries[0].0
        if entries.count == 1 {
            return .list([path(first[depth...], 0x20), .bytes(entries[0].1)])
        }
        let shortest = entries.map(\.0.count).min() ?? depth
        var end = depth
        while end < shortest, entries.allSatisfy({ $0.0[end] == first[end] }) { end += 1 }
        if end > depth {
            return .list([path(first[depth..<end], 0), reference(node(entries, end))])
        }
        var items: [RLP] = (0..<16).map { digit in
            let below = entries.filter { $0.0.count > depth && $0.0[depth] == digit }
            return below.isEmpty ? .bytes([]) : reference(node(below, depth + 1))
        }
        items.append(.bytes(entries.first { $0.0.count == depth }?.1 ?? []))
        return .list(items)
    }

    /// The function n: a node below 32 bytes as it is, others as their hash.
    private static func reference(_ node: RLP) -> RLP {
        let bytes = node.encoded
        return bytes.count < 32 ? node : .bytes(Keccak256.hash(bytes).bytes)
    }

    /// The function HP.
    private static func path(_ digits: ArraySlice<UInt8>, _ kind: UInt8) -> RLP {
        let isOdd = digits.count % 2 == 1
        var all = isOdd ? [kind >> 4 | 1] : [kind >> 4, 0]
        all += digits
        return .bytes(stride(from: 0, to: all.count, by: 2).map { all[$0] << 4 | all[$0 + 1] })
    }
}
