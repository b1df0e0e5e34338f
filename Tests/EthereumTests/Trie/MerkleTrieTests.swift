import DexTestSupport
import Ethereum
import StrictJSON
import Testing

@Suite("Merkle-Patricia tries")
struct MerkleTrieTests {
    private func key(_ digits: String) throws -> TrieKey {
        try #require(TrieKey(bytes: hex(digits)))
    }

    private func entries(_ json: JSONValue) throws -> [(key: TrieKey, value: [UInt8])] {
        try json.list("entries").map { entry in
            let pair = try #require(entry.arrayValue)
            return (
                try key(pair[0].string()), try hex(pair[1].string())
            )
        }
    }

    @Test("sets of short keys have the root that another library computes, in any order")
    func sets() throws {
        let sets = try vectors("tries").list("sets")
        #expect(sets.count == 8)
        var random = SeededGenerator(seed: 48)
        for set in sets {
            let entries = try entries(set)
            let root = try set.text("root")
            #expect(MerkleTrie(entries).root.hex == root)
            var single = MerkleTrie()
            for entry in entries.shuffled(using: &random) { single[entry.key] = entry.value }
            #expect(single.root.hex == root)
            for entry in entries { #expect(single[entry.key] == entry.value) }
            for entry in entries.shuffled(using: &random) { single[entry.key] = nil }
            #expect(single.isEmpty)
            #expect(single.root == MerkleTrie.emptyRoot)
        }
    }

    @Test("insertions, changes and removals one by one have another library's roots")
    func sequences() throws {
        let sequences = try vectors("tries").list("sequences")
        #expect(sequences.count == 3)
        for sequence in sequences {
            var trie = MerkleTrie()
            var batched = MerkleTrie()
            let steps = try sequence.list("steps").map { step in
                let pair = try #require(step.arrayValue)
                return MerkleTrie.Change(
                    try key(pair[0].string()),
                    try hex(pair[1].string())
                )
            }
            let roots = try sequence.list("roots")
            #expect(steps.count == 400 && roots.count == 40)
            for (index, root) in roots.enumerated() {
                let ten = Array(steps[10 * index..<10 * index + 10])
                for step in ten { trie[step.key] = step.value }
                batched.update(ten)
                #expect(trie.root.hex == root.stringValue)
                #expect(batched.root.hex == root.stringValue)
            }
        }
    }

    @Test("hashed keys, as of accounts and storage, and what is left after removals")
    func hashedKeys() throws {
        for vector in try vectors("tries").list("hashed") {
            let count = try #require(UInt32(vector.text("count")))
            let changes = (0..<count).map { number in
                let key = TrieKey.hash(
                    of: (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
                )
                let value = Keccak256.hash(key.bytes).bytes.prefix(1 + Int(number % 32))
                return MerkleTrie.Change(key, Array(value))
            }
            var trie = MerkleTrie()
            trie.update(changes)
            #expect(trie.root.hex == (try vector.text("root")))
            trie.update(
                changes.enumerated().filter { $0.offset % 3 == 0 }
                    .map { MerkleTrie.Change($0.element.key, nil) }
            )
            #expect(trie.root.hex == (try vector.text("rest")))
        }
    }

    @Test("lists under the RLP of their places, as of transactions and receipts")
    func lists() throws {
        for vector in try vectors("tries").list("lists") {
            let count = try #require(Int(vector.text("count")))
            let trie = MerkleTrie(
                list: (0..<count).map { [UInt8](repeating: UInt8($0 & 255), count: $0 + 1) }
            )
            #expect(trie.root.hex == (try vector.text("root")))
        }
    }

    /// The third key is within the first two; keys that begin with others are in branches' values.
    @Test("what was removed was never there", arguments: UInt64(1)...20)
    func removal(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var trie = MerkleTrie()
        for _ in 0..<random.below(40) {
            let bytes = random.bytes(1 + random.below(3))
            trie[try #require(TrieKey(bytes: bytes))] = random.bytes(1 + random.below(40))
        }
        for _ in 0..<60 {
            let new = try #require(TrieKey(bytes: random.bytes(1 + random.below(4))))
            guard trie[new] == nil else { continue }
            var changed = trie
            changed[new] = random.bytes(1 + random.below(40))
            #expect(changed.root != trie.root)
            changed[new] = nil
            #expect(changed.root == trie.root)
        }
    }

    @Test(
        "10,000 random operations are those on a dictionary, with the root of all its entries",
        arguments: [(UInt64(1), 1), (2, 2), (3, 4), (4, 32)]
    )
    func operations(_ seed: UInt64, _ longest: Int) throws {
        var random = SeededGenerator(seed: seed)
        var trie = MerkleTrie()
        var kept: [[UInt8]: [UInt8]] = [:]
        var steps = 0
        while steps < 2_500 {
            // Of 32 bytes, all digits but a few are the same: the paths are long.
            let known = kept.keys.sorted { $0.lexicographicallyPrecedes($1) }
            var changes: [MerkleTrie.Change] = []
            for _ in 0..<(1 + random.below(12)) {
                var bytes = random.bytes(1 + random.below(min(longest, 4)))
                if longest == 32 {
                    bytes = [UInt8](repeating: 0x55, count: 30) + random.bytes(2).map { $0 & 0x13 }
                }
                if let one = known.randomElement(using: &random), random.next() & 1 == 0 {
                    bytes = one
                }
                let removes = random.below(5) < (steps % 1_000 < 500 ? 1 : 3)
                let value = removes ? [] : random.bytes(1 + random.below(50))
                kept[bytes] = removes ? nil : value
                changes.append(MerkleTrie.Change(try #require(TrieKey(bytes: bytes)), value))
            }
            trie.update(changes)
            steps += changes.count
            #expect(trie.root == ReferenceTrie.root(kept))
            for change in changes { #expect(trie[change.key] == kept[change.key.bytes]) }
        }
    }

    @Test("a copy keeps its entries and its root, whatever happens to the other one")
    func copies() throws {
        var random = SeededGenerator(seed: 9)
        var trie = MerkleTrie()
        var blocks: [(MerkleTrie, Bytes32, TrieKey, [UInt8])] = []
        for _ in 0..<50 {
            let changes = (0..<20).map { _ in
                MerkleTrie.Change(.hash(of: random.bytes(1)), random.bytes(8))
            }
            trie.update(changes)
            let key = changes[0].key
            blocks.append((trie, trie.root, key, try #require(trie[key])))
        }
        for (block, root, key, value) in blocks.reversed() {
            // A reorganization: the trie of an earlier block is taken again.
            trie = block
            #expect(trie.root == root)
            #expect(trie[key] == value)
            trie.update([MerkleTrie.Change(key, [1])])
            #expect(block[key] == value)
        }
    }

    @Test("of a key twice in an update the last one counts, and an empty value removes")
    func twice() throws {
        let key = TrieKey.hash(of: [1])
        var trie = MerkleTrie([(key: key, value: [1]), (key: key, value: [2])])
        #expect(trie[key] == [2])
        trie.update([
            MerkleTrie.Change(key, [3]), MerkleTrie.Change(.hash(of: [2]), [1]),
            MerkleTrie.Change(key, []),
        ])
        #expect(trie[key] == nil)
        trie[.hash(of: [2])] = []
        #expect(trie.isEmpty)
    }

    @Test("keys of no bytes or more than 64 do not exist; the longest makes the deepest trie")
    func bounds() throws {
        #expect(TrieKey(bytes: []) == nil)
        #expect(TrieKey(bytes: [UInt8](repeating: 0, count: 65)) == nil)
        var entries: [(key: TrieKey, value: [UInt8])] = []
        var plain: [[UInt8]: [UInt8]] = [:]
        for count in 1...64 {
            let bytes = [UInt8](repeating: 0xAA, count: count)
            entries.append((try #require(TrieKey(bytes: bytes)), [UInt8(count)]))
            plain[bytes] = [UInt8(count)]
        }
        var trie = MerkleTrie(entries)
        #expect(trie.root == ReferenceTrie.root(plain))
        for entry in entries {
            #expect(
                try trie.proof(of: entry.key).value(of: entry.key, in: trie.root) == entry.value
            )
        }
        for entry in entries.dropFirst() { trie[entry.key] = nil }
        #expect(trie.root == ReferenceTrie.root([[0xAA]: [1]]))
    }

    @Test("the roots that the Yellow Paper and every client have for nothing")
    func nothing() {
        let empty = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"
        #expect(MerkleTrie.emptyRoot.hex == empty)
        #expect(MerkleTrie().root.hex == empty)
        #expect(MerkleTrie(list: []) == MerkleTrie())
    }
}
