/// A node of a `MerkleTrie` and everything below it, with its hash.
///
/// It never changes. An update makes new nodes on the ways to what changed, and shares the others.
final class TrieNode: Sendable {
    /// A key and its value.
    struct Entry: Sendable {
        let key: TrieKey
        let value: [UInt8]
    }

    enum Content: Sendable {
        /// One entry; its path is what is left of the key.
        case leaf(Entry)
        /// Digits that all keys below have in common, up to the place `end` of one of them.
        case path(TrieKey, end: Int, TrieNode)
        /// A way for each digit, and the entry whose key ends here.
        case branch([TrieNode?], Entry?)
    }

    /// The way a node stands in its parent.
    enum Reference: Sendable {
        case hash(Bytes32)
        /// The whole node, which has less than 32 bytes.
        case inline([UInt8])
    }

    let content: Content
    /// The digits of the keys below that lead to this node.
    let depth: Int
    let reference: Reference

    init(_ content: Content, at depth: Int) {
        self.content = content
        self.depth = depth
        let encoding = Self.encoding(of: content, at: depth)
        reference =
            encoding.count < 32 ? .inline(encoding) : .hash(Keccak256.hash(encoding))
    }

    /// The RLP of the node.
    var encoding: [UInt8] {
        if case .inline(let bytes) = reference { return bytes }
        return Self.encoding(of: content, at: depth)
    }

    /// The hash, whether or not it stands in the parent.
    var hash: Bytes32 {
        switch reference {
        case .hash(let hash): hash
        case .inline(let bytes): Keccak256.hash(bytes)
        }
    }

    /// Any key of the node.
    var anyKey: TrieKey? {
        switch content {
        case .leaf(let entry): return entry.key
        case .path(let key, _, _): return key
        case .branch(let ways, let entry):
            if let entry { return entry.key }
            for case let way? in ways { return way.anyKey }
            return nil
        }
    }

    private static func encoding(of content: Content, at depth: Int) -> [UInt8] {
        switch content {
        case .leaf(let entry):
            return RLP.list([
                .bytes(CompactPath.encode(entry.key, depth..<entry.key.count, isLeaf: true)),
                .bytes(entry.value),
            ]).encoded
        case .path(let key, let end, let child):
            let path = RLP.bytes(CompactPath.encode(key, depth..<end, isLeaf: false))
            var output: [UInt8] = []
            RLP.append(listOf: path.encodedCount + child.referenceCount, to: &output)
            path.append(to: &output)
            child.append(to: &output)
            return output
        case .branch(let ways, let entry):
            let value = RLP.bytes(entry?.value ?? [])
            let count = ways.reduce(value.encodedCount) { $0 + ($1?.referenceCount ?? 1) }
            var output: [UInt8] = []
            output.reserveCapacity(count + 1 + MemoryLayout<Int>.size)
            RLP.append(listOf: count, to: &output)
            for way in ways {
                if let way { way.append(to: &output) } else { output.append(0x80) }
            }
            value.append(to: &output)
            return output
        }
    }

    /// The bytes of this node in its parent.
    private var referenceCount: Int {
        switch reference {
        case .hash: 33
        case .inline(let bytes): bytes.count
        }
    }

    private func append(to output: inout [UInt8]) {
        switch reference {
        case .hash(let hash):
            output.append(0xA0)
            hash.append(to: &output)
        case .inline(let bytes): output.append(contentsOf: bytes)
        }
    }
}

/// The compact encoding of a part of a key: two digits a byte behind what kind of node has it.
///
/// Source: Ethereum Yellow Paper, appendix C.
enum CompactPath {
    static func encode(_ key: TrieKey, _ places: Range<Int>, isLeaf: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(places.count / 2 + 1)
        let isOdd = !places.count.isMultiple(of: 2)
        bytes.append((isLeaf ? 0x20 : 0) | (isOdd ? 0x10 | UInt8(key[places.lowerBound]) : 0))
        var place = places.lowerBound + (isOdd ? 1 : 0)
        while place < places.upperBound {
            bytes.append(UInt8(key[place] << 4 | key[place + 1]))
            place += 2
        }
        return bytes
    }

    /// The digits and the kind; nil unless they are in the one form that there is for them.
    static func decode(_ bytes: [UInt8]) -> (digits: [UInt8], isLeaf: Bool)? {
        guard let first = bytes.first, first >> 4 < 4 else { return nil }
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.count)
        if first & 0x10 != 0 {
            digits.append(first & 15)
        } else if first & 15 != 0 {
            return nil
        }
        for byte in bytes.dropFirst() {
            digits.append(byte >> 4)
            digits.append(byte & 15)
        }
        return (digits, first & 0x20 != 0)
    }
}
