import Ethereum

extension FuzzTarget {
    /// A trie: updates are those on a dictionary and end in the root of what is left; every proof
    /// made proves what the trie says; one changed by a byte proves the same or is refused.
    static let trie = FuzzTarget("trie", maximumLength: 1_024, seeds: TrieTarget.seeds) { input in
        var reader = InputReader(input)
        var trie = MerkleTrie()
        var kept: [[UInt8]: [UInt8]] = [:]
        var asked =
            [TrieKey.index(0)] + [TrieKey(bytes: Keccak256.hash(input).bytes)].compactMap { $0 }
        while !reader.isAtEnd, asked.count < 60 {
            var changes: [MerkleTrie.Change] = []
            for _ in 0...reader.number(below: 4) {
                // Short keys and long ones with few digits: many have much in common.
                let length = 1 + reader.number(below: 4)
                let bytes =
                    reader.bytes(length) + (length == 4 ? [UInt8](repeating: 0, count: 28) : [])
                guard let key = TrieKey(bytes: bytes) else { continue }
                let value = reader.bytes(reader.number(below: 40))
                kept[bytes] = value.isEmpty ? nil : value
                changes.append(MerkleTrie.Change(key, value))
            }
            trie.update(changes)
            asked += changes.map(\.key)
        }
        let entries = kept.compactMap { bytes, value in
            TrieKey(bytes: bytes).map { (key: $0, value: value) }
        }
        try requireEqual(MerkleTrie(entries).root, trie.root, "the root depends on the order")
        for key in asked {
            let proof = trie.proof(of: key)
            let value = try proof.value(of: key, in: trie.root)
            try requireEqual(value, kept[key.bytes], "a proof says something else")
            try requireEqual(value, trie[key], "the trie says something else")
            try TrieTarget.check(proof, key, trie.root, "a proof")
            var nodes = proof.nodes
            guard !nodes.isEmpty else { continue }
            let node = reader.number(below: nodes.count)
            let place = reader.number(below: nodes[node].count)
            nodes[node][place] = reader.byte()
            let changed = try? TrieProof(nodes: nodes).value(of: key, in: trie.root)
            try require(changed == nil || changed == value, "a changed node proves another value")
        }
    }

    /// Nodes from outside under their own root: whatever is proven, a second reader, which looks
    /// nodes up by their hashes, finds the same; a refusal is one bounded sentence.
    static let trieProof = FuzzTarget(
        "trie-proof",
        maximumLength: 2_048,
        seeds: TrieTarget.proofSeeds
    ) { input in
        var reader = InputReader(input)
        let key: TrieKey =
            reader.flag() ? .hash(of: [reader.byte()]) : .index(UInt32(reader.byte()))
        var nodes: [[UInt8]] = []
        while !reader.isAtEnd {
            nodes.append(reader.bytes(Int(reader.byte()) << 2 | Int(reader.byte() & 3)))
        }
        // Each parent is told its child's hash where it asks for it by a marker: 32 times 0xee.
        let marker = [UInt8](repeating: 0xEE, count: 32)
        for index in nodes.indices.dropLast().reversed() {
            let hash = Keccak256.hash(nodes[index + 1]).bytes
            if let place = nodes[index].firstRange(of: marker) {
                nodes[index].replaceSubrange(place, with: hash)
            }
        }
        let root = nodes.first.map { Keccak256.hash($0) } ?? MerkleTrie.emptyRoot
        try TrieTarget.check(TrieProof(nodes: nodes), key, root, "nodes")
    }
}

private enum TrieTarget {
    /// What a proof says is what a slow reader says, which trusts no order.
    static func check(
        _ proof: TrieProof,
        _ key: TrieKey,
        _ root: Bytes32,
        _ what: String
    ) throws {
        let value: [UInt8]?
        do throws(ProofError) {
            value = try proof.value(of: key, in: root)
        } catch {
            let sentence = error.description
            try require(sentence.hasSuffix(".") && sentence.utf8.count < 400, sentence)
            return
        }
        var nodes: [Bytes32: [UInt8]] = [MerkleTrie.emptyRoot: [0x80]]
        for node in proof.nodes { nodes[Keccak256.hash(node)] = node }
        let digits = key.bytes.flatMap { [$0 >> 4, $0 & 15] }
        guard let top = nodes[root] else { throw Violation("\(what) without the root is taken") }
        try requireEqual(
            value,
            try find(digits[...], RLP.decode(top), nodes),
            "\(what) and the second reader disagree"
        )
    }

    /// The value below a node, as the Yellow Paper reads it.
    private static func find(
        _ digits: ArraySlice<UInt8>,
        _ node: RLP,
        _ nodes: [Bytes32: [UInt8]]
    ) throws -> [UInt8]? {
        func value(_ item: RLP) -> [UInt8]? {
            if case .bytes(let bytes) = item, !bytes.isEmpty { bytes } else { nil }
        }
        switch node {
        case .bytes(let bytes):
            guard !bytes.isEmpty else { return nil }
            guard let hash = Bytes32(bytes: bytes), let next = nodes[hash] else {
                throw Violation("a way to nowhere is taken")
            }
            return try find(digits, RLP.decode(next), nodes)
        case .list(let items) where items.count == 17:
            guard let digit = digits.first else { return value(items[16]) }
            return try find(digits.dropFirst(), items[Int(digit)], nodes)
        case .list(let items):
            guard items.count == 2, case .bytes(let compact) = items[0] else {
                throw Violation("a node of \(items.count) items is taken")
            }
            let all = compact.flatMap { [$0 >> 4, $0 & 15] }
            let path = all.dropFirst(all[0] & 1 == 1 ? 1 : 2)
            guard digits.starts(with: path) else { return nil }
            let rest = digits.dropFirst(path.count)
            guard all[0] & 2 == 2 else { return try find(rest, items[1], nodes) }
            return rest.isEmpty ? value(items[1]) : nil
        }
    }

    @Sendable
    static func seeds() -> [[UInt8]] {
        var seeds: [[UInt8]] = [[], [0, 0, 5, 1, 7], [3, 0, 1, 1, 1, 0, 2, 1, 2, 1, 1, 2, 3, 4]]
        for step in [1, 7, 16, 37] {
            seeds.append((0..<300).map { UInt8(truncatingIfNeeded: $0 * step + $0 / 16) })
        }
        return seeds
    }

    /// Inputs of one key, present or absent, behind the choice of the key.
    @Sendable
    static func proofSeeds() -> [[UInt8]] {
        func seed(_ key: [UInt8], _ nodes: [[UInt8]]) -> [UInt8] {
            key + nodes.flatMap { [UInt8($0.count >> 2), UInt8($0.count & 3)] + $0 }
        }
        var seeds: [[UInt8]] = [
            seed([1, 0], []), seed([1, 0], [[0x80]]), seed([0, 0], [[0xC0]]),
        ]
        for count in [1, 2, 5, 20] {
            let hashed = MerkleTrie(
                (0..<count).map { (key: TrieKey.hash(of: [UInt8($0)]), value: [UInt8($0), 1]) }
            )
            let list = MerkleTrie(list: (0..<count).map { [UInt8($0), 2, 3] })
            for number in [0, 1, 4, 19, 200] as [UInt8] {
                seeds.append(seed([1, number], hashed.proof(of: .hash(of: [number])).nodes))
                seeds.append(seed([0, number], list.proof(of: .index(UInt32(number))).nodes))
            }
        }
        // Parents that take their children's hashes by the marker.
        let marker = RLP.bytes([UInt8](repeating: 0xEE, count: 32))
        let branch = RLP.list(Array(repeating: marker, count: 16) + [.bytes([])]).encoded
        let path = RLP.list([.bytes([0x00, 0x5F]), marker]).encoded
        seeds.append(seed([1, 1], [branch, branch, path, branch]))
        seeds.append(seed([1, 1], [path, branch, branch, path]))
        return seeds
    }
}
