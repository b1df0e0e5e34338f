/// A Merkle-Patricia trie: keys with values, and one hash of all of them.
///
/// It is a value. Its nodes never change and have their hashes; an update makes new nodes only on
/// the ways to what changed, each once, and shares the others with the trie from before. So a copy
/// is one reference, an update costs what it touches, and to undo a block is to take the trie of
/// the block before it: no undo log can be wrong. Sendable without a lock.
///
/// Which keys there are decides the root, not in which order they came or what was removed.
///
/// Source: Ethereum Yellow Paper, appendix D.
public struct MerkleTrie: Sendable {
    private var top: TrieNode?

    /// What an update makes of a key.
    public struct Change: Sendable {
        public let key: TrieKey
        /// nil or empty: the key is removed, as in Ethereum's tries.
        public let value: [UInt8]?

        public init(_ key: TrieKey, _ value: [UInt8]?) {
            self.key = key
            self.value = value?.isEmpty == true ? nil : value
        }
    }

    /// The hash of a trie without keys: `keccak(rlp(""))`.
    public static let emptyRoot = Keccak256.hash([0x80] as [UInt8])

    /// A trie without keys.
    public init() {}

    /// A trie of these values; of a key twice the last one counts.
    public init(_ entries: some Sequence<(key: TrieKey, value: [UInt8])>) {
        update(entries.map { Change($0.key, $0.value) })
    }

    /// The trie of a list, each value under its place, as blocks have it of their transactions,
    /// receipts and withdrawals.
    public init(list values: [[UInt8]]) {
        update(
            values.enumerated().map { Change(.index(UInt32(clamping: $0.offset)), $0.element) }
        )
    }

    /// The hash of all keys and values.
    public var root: Bytes32 {
        top?.hash ?? Self.emptyRoot
    }

    /// There are no keys.
    public var isEmpty: Bool {
        top == nil
    }

    /// The value of a key; nil if there is none.
    ///
    /// Setting it is an update of one key: many at once cost less.
    public subscript(key: TrieKey) -> [UInt8]? {
        get { value(of: key) }
        set { update([Change(key, newValue)]) }
    }

    /// Makes some changes; of a key twice the last one counts.
    public mutating func update(_ changes: [Change]) {
        top = TrieUpdate.applied(to: top, changes)
    }

    private func value(of key: TrieKey) -> [UInt8]? {
        var node = top
        while let current = node {
            switch current.content {
            case .leaf(let entry): return entry.key == key ? entry.value : nil
            case .path(let path, let end, let child):
                guard key.divergence(from: path, after: current.depth) >= end else { return nil }
                node = child
            case .branch(let ways, let entry):
                guard current.depth < key.count else { return entry?.value }
                node = ways[key[current.depth]]
            }
        }
        return nil
    }

    /// The nodes that prove the value of a key, or that there is none, as `eth_getProof` has them.
    ///
    /// From the root to the last node on the way; those below 32 bytes stand in their parents. Of an
    /// empty trie there are none.
    public func proof(of key: TrieKey) -> TrieProof {
        var nodes: [[UInt8]] = []
        var node = top
        while let current = node {
            if case .hash = current.reference {
                nodes.append(current.encoding)
            } else if nodes.isEmpty {
                nodes.append(current.encoding)
            }
            switch current.content {
            case .leaf: node = nil
            case .path(let path, let end, let child):
                node = key.divergence(from: path, after: current.depth) >= end ? child : nil
            case .branch(let ways, _):
                node = current.depth < key.count ? ways[key[current.depth]] : nil
            }
        }
        return TrieProof(nodes: nodes)
    }
}

extension MerkleTrie: Equatable {
    /// Two tries are equal when their hashes are.
    public static func == (left: MerkleTrie, right: MerkleTrie) -> Bool {
        left.top === right.top || left.root == right.root
    }
}
