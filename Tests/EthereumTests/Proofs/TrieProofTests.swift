import DexTestSupport
import Ethereum
import StrictJSON
import Testing

@Suite("Proofs of a trie's entries")
struct TrieProofTests {
    @Test("another library's proofs prove what it says, and are those made here")
    func vectorProofs() throws {
        var count = 0
        for set in try vectors("tries").list("sets") {
            let entries = try set.list("entries").map { entry in
                let pair = try #require(entry.arrayValue)
                return (
                    key: try #require(TrieKey(bytes: hex(pair[0].string()))),
                    value: try hex(pair[1].string())
                )
            }
            let trie = MerkleTrie(entries)
            for proof in try set.list("proofs") {
                let key = try #require(TrieKey(bytes: hex(proof.text("key"))))
                let nodes = try proof.list("nodes").map { try hex($0.string()) }
                let value = try proof["value"]?.stringValue.map { try hex($0) }
                #expect(try TrieProof(nodes: nodes).value(of: key, in: trie.root) == value)
                #expect(trie.proof(of: key).nodes == nodes)
                #expect(trie[key] == value)
                count += 1
            }
        }
        #expect(count == 94)
    }

    @Test("every bit of every node counts: a flipped one is refused")
    func flippedBits() throws {
        var flips = 0
        for (trie, key) in try samples() {
            let nodes = trie.proof(of: key).nodes
            for (node, bytes) in nodes.enumerated() {
                for bit in 0..<8 * bytes.count {
                    var changed = nodes
                    changed[node][bit / 8] ^= 1 << UInt8(bit % 8)
                    do throws(ProofError) {
                        _ = try TrieProof(nodes: changed).value(of: key, in: trie.root)
                        Issue.record("bit \(bit) of node \(node) does not count")
                    } catch {
                        flips += 1
                    }
                }
            }
        }
        #expect(flips > 20_000)
    }

    @Test("a node too many, too few, twice, exchanged, cut or longer is refused by name")
    func changedLists() throws {
        for (trie, key) in try samples() {
            let nodes = trie.proof(of: key).nodes
            func refusal(_ nodes: [[UInt8]]) -> ProofError? {
                #expect(throws: ProofError.self) {
                    try TrieProof(nodes: nodes).value(of: key, in: trie.root)
                }
            }
            #expect(
                refusal(nodes + [nodes[0]])
                    == .superfluousNodes(used: nodes.count, found: nodes.count + 1)
            )
            #expect(refusal([]) == .noNodes(root: trie.root))
            for cut in nodes.indices.dropFirst() {
                let hash = Keccak256.hash(nodes[cut])
                #expect(refusal(Array(nodes[..<cut])) == .missingNode(cut, hash))
            }
            for index in nodes.indices {
                var changed = nodes
                changed.insert(nodes[index], at: index)
                guard case .wrongHash(index + 1, _, _) = refusal(changed) else {
                    // The last one twice is one too many.
                    #expect(index == nodes.count - 1)
                    continue
                }
            }
            if nodes.count > 1 {
                guard case .wrongHash(0, _, _) = refusal(nodes.reversed()) else {
                    Issue.record("the order does not count")
                    continue
                }
            }
            for index in nodes.indices {
                var changed = nodes
                changed[index].removeLast()
                guard case .wrongHash(index, _, _) = refusal(changed) else {
                    Issue.record("a cut node is taken")
                    continue
                }
                changed[index] = nodes[index] + [0]
                guard case .wrongHash(index, _, _) = refusal(changed) else {
                    Issue.record("a longer node is taken")
                    continue
                }
            }
        }
    }

    @Test("a proof proves nothing of another root, and of another key only what it shows of it")
    func otherKeys() throws {
        var random = SeededGenerator(seed: 6)
        for (trie, key) in try samples() {
            let proof = trie.proof(of: key)
            #expect(throws: ProofError.self) {
                try proof.value(of: key, in: Keccak256.hash(trie.root.bytes))
            }
            #expect(throws: ProofError.self) {
                try proof.value(of: key, in: MerkleTrie.emptyRoot)
            }
            for _ in 0..<200 {
                let other = TrieKey.hash(of: random.bytes(4))
                do throws(ProofError) {
                    let value = try proof.value(of: other, in: trie.root)
                    #expect(value == trie[other])
                } catch {
                    #expect(!error.description.isEmpty)
                }
            }
        }
    }

    @Test("what is there cannot be shown as absent, and what is absent not as there")
    func lies() throws {
        for (trie, key) in try samples() {
            var other = trie
            other[key] = trie[key] == nil ? [1, 2, 3] : nil
            let proof = other.proof(of: key)
            #expect(try proof.value(of: key, in: other.root) == other[key])
            #expect(throws: ProofError.self) { try proof.value(of: key, in: trie.root) }
            // The honest root with the nodes of the lie behind it.
            let mixed = [trie.proof(of: key).nodes[0]] + proof.nodes.dropFirst()
            #expect(throws: ProofError.self) {
                try TrieProof(nodes: mixed + [[0x80]]).value(of: key, in: trie.root)
            }
        }
    }

    @Test("the empty trie is proven by no nodes, or by the one that it is")
    func emptyTrie() throws {
        let key = TrieKey.hash(of: [1])
        let root = MerkleTrie.emptyRoot
        #expect(MerkleTrie().proof(of: key).nodes.isEmpty)
        #expect(try TrieProof(nodes: []).value(of: key, in: root) == nil)
        #expect(try TrieProof(nodes: [[0x80]]).value(of: key, in: root) == nil)
        for nodes in [[[0x80], [0x80]], [[0xC0]], [[]], [[0x80, 0x80]]] as [[[UInt8]]] {
            #expect(throws: ProofError.self) {
                try TrieProof(nodes: nodes).value(of: key, in: root)
            }
        }
        // The root of nothing but an empty text is no node, whoever asks for it.
        let text = Keccak256.hash([0x83, 1, 2, 3] as [UInt8])
        #expect(throws: ProofError.invalidNode(0, .noList)) {
            try TrieProof(nodes: [[0x83, 1, 2, 3]]).value(of: key, in: text)
        }
    }

    /// Tries of hashed keys, and keys that are there and that are absent in all ways.
    private func samples() throws -> [(MerkleTrie, TrieKey)] {
        var samples: [(MerkleTrie, TrieKey)] = []
        for count in [1, 2, 20, 200] {
            let keys = (0..<count).map { TrieKey.hash(of: [UInt8($0)]) }
            let trie = MerkleTrie(keys.map { (key: $0, value: $0.bytes + $0.bytes) })
            samples.append((trie, keys[0]))
            samples.append((trie, TrieKey.hash(of: [1, 2, 3, UInt8(count)])))
        }
        return samples
    }
}
