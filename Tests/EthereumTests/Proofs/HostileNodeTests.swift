import Ethereum
import Testing

/// Nodes that hash as they must, and that no client would write.
///
/// Whoever makes up a root can make up such nodes, too. Each is refused for what is wrong with it.
@Suite("Proofs with nodes that no trie has")
struct HostileNodeTests {
    /// Its first digits are 0x5fe7f977e71dba2ea1a68e21057beebb9be2ac30c6410aa38d4f3fbe41dcffd2.
    private let key = TrieKey.hash(of: [1])
    private let hash = RLP.bytes([UInt8](repeating: 0xEE, count: 32))

    private func digits(_ range: Range<Int>) -> [UInt8] {
        range.map { place in
            let byte = key.bytes[place / 2]
            return place % 2 == 0 ? byte >> 4 : byte & 15
        }
    }

    /// The compact form of digits.
    private func path(_ digits: [UInt8], isLeaf: Bool) -> RLP {
        let kind: UInt8 = isLeaf ? 2 : 0
        let all = digits.count % 2 == 1 ? [kind | 1] + digits : [kind, 0] + digits
        return .bytes(stride(from: 0, to: all.count, by: 2).map { all[$0] << 4 | all[$0 + 1] })
    }

    private func branch(_ ways: [Int: RLP], value: RLP = .bytes([])) -> RLP {
        .list((0..<16).map { ways[$0] ?? .bytes([]) } + [value])
    }

    private func refusal(_ nodes: [[UInt8]]) -> ProofError? {
        #expect(throws: ProofError.self) {
            try TrieProof(nodes: nodes).value(of: key, in: Keccak256.hash(nodes[0]))
        }
    }

    private func problem(_ node: RLP) -> ProofError.Problem? {
        guard case .invalidNode(0, let problem) = refusal([node.encoded]) else { return nil }
        return problem
    }

    @Test("the key begins with 5")
    func firstDigits() {
        #expect(digits(0..<3) == [5, 15, 14])
    }

    @Test("lists of another number of items, texts, and RLP that is not canonical")
    func shapes() {
        #expect(problem(.list([])) == .itemCount(0))
        #expect(problem(.list([.bytes([0x20])])) == .itemCount(1))
        #expect(problem(.list([.bytes([0x20]), .bytes([1]), .bytes([1])])) == .itemCount(3))
        #expect(problem(.list(Array(repeating: hash, count: 16))) == .itemCount(16))
        #expect(problem(.list(Array(repeating: hash, count: 18))) == .itemCount(18))
        #expect(problem(.bytes([1, 2, 3])) == .noList)
        let leaf = RLP.list([path(digits(0..<64), isLeaf: true), .bytes([1, 2])])
        #expect(throws: Never.self) {
            try TrieProof(nodes: [leaf.encoded])
                .value(of: key, in: Keccak256.hash(leaf.encoded))
        }
        #expect(refusal([leaf.encoded + [0]]) == .invalidNode(0, .rlp(.trailingBytes)))
        #expect(refusal([leaf.encoded.dropLast()]) == .invalidNode(0, .rlp(.truncated)))
        #expect(refusal([[]]) == .invalidNode(0, .rlp(.truncated)))
        #expect(refusal([[0xF8, 0x02, 0x20, 0x01]]) == .invalidNode(0, .rlp(.nonCanonical)))
        #expect(refusal([[0xC3, 0x20, 0x81, 0x01]]) == .invalidNode(0, .rlp(.nonCanonical)))
        var deep = RLP.list([])
        for _ in 0..<63 { deep = .list([deep]) }
        #expect(problem(deep) == .itemCount(1))
        #expect(refusal([RLP.list([deep]).encoded]) == .invalidNode(0, .rlp(.tooDeep)))
        let long = [UInt8](repeating: 0xC1, count: 500) + [0xC0]
        #expect(refusal([long]) != nil)
    }

    @Test("paths in another form than the compact one")
    func paths() {
        let value = RLP.bytes([1, 2])
        for bytes in [[], [0x40], [0x80, 1], [0x01], [0x2F], [0xFF]] as [[UInt8]] {
            #expect(problem(.list([.bytes(bytes), value])) == .path, "\(bytes)")
        }
        #expect(problem(.list([.list([]), value])) == .path)
        #expect(problem(.list([path([], isLeaf: false), hash])) == .emptyPath)
    }

    @Test("a leaf whose key is shorter or longer than all others, an empty or a listed value")
    func leaves() {
        let all = digits(0..<64)
        let value = RLP.bytes([1, 2])
        #expect(problem(.list([path(digits(0..<63), isLeaf: true), value])) == .shortPath)
        #expect(problem(.list([path([], isLeaf: true), value])) == .shortPath)
        #expect(problem(.list([path(all + [1], isLeaf: true), value])) == .longPath)
        #expect(problem(.list([path(all, isLeaf: true), .bytes([])])) == .emptyValue)
        #expect(problem(.list([path(all, isLeaf: true), .list([])])) == .listValue)
    }

    @Test("an extension over the whole key or beyond it, to nothing, to a leaf, to an extension")
    func extensions() {
        let all = digits(0..<64)
        #expect(problem(.list([path(all, isLeaf: false), hash])) == .longPath)
        #expect(problem(.list([path(all + all, isLeaf: false), hash])) == .longPath)
        for child in [.bytes([]), .bytes([1]), .bytes(Array(repeating: 1, count: 33))] as [RLP] {
            #expect(problem(.list([path([5], isLeaf: false), child])) == .child)
            // Also where the key goes another way: the node is none all the same.
            #expect(problem(.list([path([6], isLeaf: false), child])) == .child)
        }
        let leaf = RLP.list([path(digits(1..<64), isLeaf: true), .bytes([1, 2])]).encoded
        let toLeaf = RLP.list([path([5], isLeaf: false), .bytes(Keccak256.hash(leaf).bytes)])
        #expect(refusal([toLeaf.encoded, leaf]) == .invalidNode(1, .pathToNoBranch))
        let inner = RLP.list([path([15], isLeaf: false), hash]).encoded
        let toPath = RLP.list([path([5], isLeaf: false), .bytes(Keccak256.hash(inner).bytes)])
        #expect(refusal([toPath.encoded, inner]) == .invalidNode(1, .pathToNoBranch))
        let itself = RLP.list([path([5], isLeaf: false), .list([.bytes([0x1F]), .bytes([])])])
        #expect(problem(itself) == .pathToNoBranch)
    }

    @Test("a branch with less than two ways, with a value, or with a way that is none")
    func branches() {
        #expect(problem(branch([:])) == .fewWays)
        #expect(problem(branch([5: hash])) == .fewWays)
        #expect(problem(branch([4: hash])) == .fewWays)
        #expect(problem(branch([4: hash, 5: hash], value: .bytes([1]))) == .branchValue)
        #expect(problem(branch([4: hash, 5: hash], value: .list([]))) == .listValue)
        for count in [1, 2, 31, 33, 64] {
            let odd = RLP.bytes([UInt8](repeating: 0xAA, count: count))
            #expect(problem(branch([4: odd, 5: hash])) == .child)
            #expect(problem(branch([4: hash, 5: odd])) == .child)
        }
        let large = RLP.list([.bytes([0x20]), .bytes([UInt8](repeating: 1, count: 40))])
        #expect(problem(branch([4: large, 5: hash])) == .child)
        #expect(problem(branch([4: hash, 5: large])) == .child)
        #expect(
            refusal([branch([4: hash, 5: hash]).encoded])
                == .missingNode(1, Bytes32(bytes: [UInt8](repeating: 0xEE, count: 32)) ?? .zero)
        )
    }

    @Test("a node below 32 bytes stands in its parent: by itself it is refused, as it is within it")
    func shortNodes() throws {
        // Only without hashed keys are nodes this short.
        let key = try #require(TrieKey(bytes: [0x51]))
        let leaf = RLP.list([path([1], isLeaf: true), .bytes([7])])
        let within = branch([4: hash, 5: leaf]).encoded
        #expect(
            try TrieProof(nodes: [within]).value(of: key, in: Keccak256.hash(within)) == [7]
        )
        #expect(throws: ProofError.superfluousNodes(used: 1, found: 2)) {
            try TrieProof(nodes: [within, leaf.encoded])
                .value(of: key, in: Keccak256.hash(within))
        }
        let beside = branch([4: hash, 5: .bytes(Keccak256.hash(leaf.encoded).bytes)]).encoded
        #expect(throws: ProofError.invalidNode(1, .tooShort)) {
            try TrieProof(nodes: [beside, leaf.encoded])
                .value(of: key, in: Keccak256.hash(beside))
        }
        #expect(
            try TrieProof(nodes: [leaf.encoded])
                .value(of: #require(TrieKey(bytes: [0x11])), in: Keccak256.hash(leaf.encoded))
                == nil
        )
    }

    @Test("a way through branches alone ends with the key at the latest")
    func endlessBranches() {
        // Each node is the next one's parent; no branch can stand behind the last digit.
        var nodes: [[UInt8]] = [branch([0: hash, 1: hash]).encoded]
        for place in (0..<64).reversed() {
            let child = RLP.bytes(Keccak256.hash(nodes[0]).bytes)
            let digit = Int(digits(place..<place + 1)[0])
            nodes.insert(branch([digit: child, (digit + 1) % 16: hash]).encoded, at: 0)
        }
        #expect(nodes.count == 65)
        #expect(refusal(nodes) == .invalidNode(64, .longPath))
    }

    @Test("every sentence says what is wrong and what is expected, in one line")
    func sentences() {
        let problems: [ProofError.Problem] = [
            .rlp(.truncated), .rlp(.trailingBytes), .rlp(.nonCanonical), .rlp(.tooDeep), .noList,
            .itemCount(3), .path, .emptyPath, .longPath, .shortPath, .listValue, .emptyValue,
            .branchValue, .fewWays, .pathToNoBranch, .child, .tooShort,
        ]
        let errors: [ProofError] =
            problems.map { .invalidNode(2, $0) } + [
                .noNodes(root: .zero), .wrongHash(node: 0, expected: .zero, found: .zero),
                .wrongHash(node: 3, expected: .zero, found: .zero), .missingNode(2, .zero),
                .superfluousNodes(used: 1, found: 2), .noAccount(.zero), .noWord(slot: .zero),
                .malformed("accountProof", reason: "is not a list"),
            ]
        let sentences = errors.map(\.description)
        #expect(Set(sentences).count == errors.count)
        for sentence in sentences {
            #expect(sentence.hasSuffix("."))
            #expect(!sentence.contains("\n"))
        }
    }
}
