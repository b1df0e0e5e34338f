/// The nodes on the way from the root of a Merkle-Patricia trie to a key, or to where it would be.
///
/// Source: https://eips.ethereum.org/EIPS/eip-1186
public struct TrieProof: Hashable, Sendable {
    /// The RLP of each node, the root first; nodes below 32 bytes stand in their parents.
    public let nodes: [[UInt8]]

    public init(nodes: [[UInt8]]) {
        self.nodes = nodes
    }

    /// The value of a key in the trie of a root; nil if it is proven that there is none.
    ///
    /// There is exactly one proof for a key, and every other is refused: each node must hash to what
    /// the one before it demands, have the form that every client writes, and be used.
    ///
    /// Absence is proven by an empty way, or by a node whose path is another one. No nodes prove it
    /// only in the empty trie; some nodes send `0x80` for that one.
    ///
    /// - Throws: `ProofError`.
    public func value(of key: TrieKey, in root: Bytes32) throws(ProofError) -> [UInt8]? {
        var walk = ProofWalk(nodes: nodes, key: key)
        if nodes.isEmpty {
            guard root == MerkleTrie.emptyRoot else { throw .noNodes(root: root) }
            return nil
        }
        let value = try walk.value(in: root)
        guard walk.used == nodes.count else {
            throw .superfluousNodes(used: walk.used, found: nodes.count)
        }
        return value
    }
}

/// Follows one key through the nodes of a proof.
///
/// Each step takes at least one digit of the key, or it is the last one: it always ends.
private struct ProofWalk {
    let nodes: [[UInt8]]
    let key: TrieKey
    /// The nodes that were read.
    private(set) var used = 0
    /// The digits of the key that were taken.
    private var depth = 0

    init(nodes: [[UInt8]], key: TrieKey) {
        self.nodes = nodes
        self.key = key
    }

    mutating func value(in root: Bytes32) throws(ProofError) -> [UInt8]? {
        var item = try node(root)
        if root == MerkleTrie.emptyRoot { return nil }
        var followsPath = false
        while true {
            guard case .list(let parts) = item else { throw invalid(.noList) }
            let next: RLP
            switch parts.count {
            case 17:
                followsPath = false
                try checkBranch(parts)
                guard depth < key.count else { return try value(parts[16]) }
                next = parts[key[depth]]
                depth += 1
            case 2:
                guard !followsPath else { throw invalid(.pathToNoBranch) }
                guard case .bytes(let compact) = parts[0],
                    let path = CompactPath.decode(compact)
                else { throw invalid(.path) }
                if path.isLeaf { return try leaf(path.digits, parts[1]) }
                guard try extends(path.digits) else {
                    try checkChild(parts[1], mayBeEmpty: false)
                    return nil
                }
                followsPath = true
                next = parts[1]
                try checkChild(next, mayBeEmpty: false)
            default: throw invalid(.itemCount(parts.count))
            }
            switch next {
            case .list: item = next
            case .bytes(let bytes):
                guard let hash = Bytes32(bytes: bytes) else { return nil }
                item = try node(hash)
            }
        }
    }

    /// The next node, which must have this hash.
    private mutating func node(_ hash: Bytes32) throws(ProofError) -> RLP {
        guard used < nodes.count else { throw .missingNode(used, hash) }
        let bytes = nodes[used]
        let found = Keccak256.hash(bytes)
        guard found == hash else { throw .wrongHash(node: used, expected: hash, found: found) }
        used += 1
        // The root alone stands by itself however short it is.
        guard used == 1 || bytes.count >= 32 else { throw invalid(.tooShort) }
        do throws(RLPError) {
            return try RLP.decode(bytes)
        } catch {
            throw invalid(.rlp(error))
        }
    }

    /// The value of a leaf, or nil if it is another key's.
    private func leaf(_ path: [UInt8], _ content: RLP) throws(ProofError) -> [UInt8]? {
        let rest = key.count - depth
        if key.isHash, path.count != rest {
            throw invalid(path.count > rest ? .longPath : .shortPath)
        }
        guard case .bytes(let bytes) = content else { throw invalid(.listValue) }
        guard !bytes.isEmpty else { throw invalid(.emptyValue) }
        return path.count == rest && agrees(path) ? bytes : nil
    }

    /// The key goes on as a path does; its digits are taken then.
    private mutating func extends(_ path: [UInt8]) throws(ProofError) -> Bool {
        guard !path.isEmpty else { throw invalid(.emptyPath) }
        // Below it are two keys or more, which are longer still.
        if key.isHash, path.count >= key.count - depth { throw invalid(.longPath) }
        guard path.count <= key.count - depth, agrees(path) else { return false }
        depth += path.count
        return true
    }

    /// The digits of a path are the key's next ones.
    private func agrees(_ path: [UInt8]) -> Bool {
        for (place, digit) in path.enumerated() where Int(digit) != key[depth + place] {
            return false
        }
        return true
    }

    /// The value of a branch for the key that ends there.
    private func value(_ item: RLP) throws(ProofError) -> [UInt8]? {
        guard case .bytes(let bytes) = item else { throw invalid(.listValue) }
        return bytes.isEmpty ? nil : bytes
    }

    private func checkBranch(_ parts: [RLP]) throws(ProofError) {
        var ways = 0
        for part in parts.prefix(16) {
            try checkChild(part, mayBeEmpty: true)
            if part != .bytes([]) { ways += 1 }
        }
        guard case .bytes(let value) = parts[16] else { throw invalid(.listValue) }
        if key.isHash {
            guard value.isEmpty else { throw invalid(.branchValue) }
            // All keys have the same length, so here none can end.
            guard depth < key.count else { throw invalid(.longPath) }
        }
        guard ways + (value.isEmpty ? 0 : 1) >= 2 else { throw invalid(.fewWays) }
    }

    private func checkChild(_ item: RLP, mayBeEmpty: Bool) throws(ProofError) {
        switch item {
        case .bytes(let bytes):
            guard bytes.count == 32 || bytes.isEmpty && mayBeEmpty else { throw invalid(.child) }
        case .list: guard item.encoded.count < 32 else { throw invalid(.child) }
        }
    }

    /// The fault of the node that was read last.
    private func invalid(_ problem: ProofError.Problem) -> ProofError {
        .invalidNode(used - 1, problem)
    }
}
