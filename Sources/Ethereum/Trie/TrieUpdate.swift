/// Makes the nodes of a trie after some changes, each of them once.
///
/// A walk is at most 128 digits deep, since keys have at most 64 bytes.
enum TrieUpdate {
    private typealias Changes = ArraySlice<MerkleTrie.Change>

    /// The trie below a root after some changes; of a key twice the last one counts.
    static func applied(to top: TrieNode?, _ changes: [MerkleTrie.Change]) -> TrieNode? {
        guard changes.count > 1 else { return updated(top, at: 0, changes[...]) }
        let order = changes.indices.sorted { left, right in
            let (first, second) = (changes[left].key, changes[right].key)
            return first < second || first == second && left < right
        }
        var sorted: [MerkleTrie.Change] = []
        sorted.reserveCapacity(changes.count)
        for index in order {
            if sorted.last?.key == changes[index].key { sorted.removeLast() }
            sorted.append(changes[index])
        }
        return updated(top, at: 0, sorted[...])
    }

    /// - Parameter changes: of different keys in order, which agree with the node's to this depth.
    private static func updated(
        _ node: TrieNode?,
        at depth: Int,
        _ changes: Changes
    ) -> TrieNode? {
        guard !changes.isEmpty else { return node }
        switch node?.content {
        case nil: return built(entries(changes)[...], at: depth)
        case .leaf(let entry):
            if let change = changes.first, changes.count == 1, change.key == entry.key {
                return change.value.map { value in
                    TrieNode(.leaf(TrieNode.Entry(key: entry.key, value: value)), at: depth)
                }
            }
            return built(entries(changes, and: entry)[...], at: depth)
        case .path(let key, let end, let child):
            // In order, the first and the last one differ the most.
            let shared = [changes.first, changes.last].reduce(end) { shared, change in
                min(shared, change?.key.divergence(from: key, after: depth) ?? shared)
            }
            if shared == end {
                return lifted(updated(child, at: end, changes), to: depth)
            }
            var ways = [TrieNode?](repeating: nil, count: 16)
            ways[key[shared]] = lifted(child, to: shared + 1)
            return lifted(branch(ways, nil, at: shared, changes), to: depth)
        case .branch(let ways, let entry):
            return branch(ways, entry, at: depth, changes)
        }
    }

    /// The node of 16 ways and an entry that ends here, after some changes.
    private static func branch(
        _ ways: [TrieNode?],
        _ entry: TrieNode.Entry?,
        at depth: Int,
        _ changes: Changes
    ) -> TrieNode? {
        var ways = ways
        var entry = entry
        var rest = changes
        if let first = rest.first, first.key.count == depth {
            entry = first.value.map { TrieNode.Entry(key: first.key, value: $0) }
            rest.removeFirst()
        }
        while let digit = rest.first?.key[depth] {
            let group = rest.prefix { $0.key[depth] == digit }
            ways[digit] = updated(ways[digit], at: depth + 1, group)
            rest = rest.dropFirst(group.count)
        }
        return joined(ways, entry, at: depth)
    }

    /// The one form of 16 ways and an entry: a branch only if there are two or more.
    private static func joined(
        _ ways: [TrieNode?],
        _ entry: TrieNode.Entry?,
        at depth: Int
    ) -> TrieNode? {
        var used = ways.lazy.compactMap { $0 }.makeIterator()
        guard let first = used.next() else {
            return entry.map { TrieNode(.leaf($0), at: depth) }
        }
        if entry == nil, used.next() == nil { return lifted(first, to: depth) }
        return TrieNode(.branch(ways, entry), at: depth)
    }

    /// A node that begins at an earlier digit: the path to it is its own or stands before it.
    private static func lifted(_ node: TrieNode?, to depth: Int) -> TrieNode? {
        guard let node, node.depth > depth else { return node }
        switch node.content {
        case .leaf: return TrieNode(node.content, at: depth)
        case .path(let key, let end, let child):
            return TrieNode(.path(key, end: end, child), at: depth)
        case .branch:
            return node.anyKey.map { TrieNode(.path($0, end: node.depth, node), at: depth) }
        }
    }

    /// The trie of entries in order that agree to this depth.
    private static func built(
        _ entries: ArraySlice<TrieNode.Entry>,
        at depth: Int
    ) -> TrieNode? {
        guard let first = entries.first, let last = entries.last else { return nil }
        guard entries.count > 1 else { return TrieNode(.leaf(first), at: depth) }
        let shared = first.key.divergence(from: last.key, after: depth)
        var ways = [TrieNode?](repeating: nil, count: 16)
        var rest = entries
        let ending = first.key.count == shared ? rest.removeFirst() : nil
        while let digit = rest.first?.key[shared] {
            let group = rest.prefix { $0.key[shared] == digit }
            ways[digit] = built(group, at: shared + 1)
            rest = rest.dropFirst(group.count)
        }
        return lifted(TrieNode(.branch(ways, ending), at: shared), to: depth)
    }

    /// What some changes leave, in order, and an entry from before in its place among them.
    private static func entries(
        _ changes: Changes,
        and old: TrieNode.Entry? = nil
    ) -> [TrieNode.Entry] {
        var entries: [TrieNode.Entry] = []
        entries.reserveCapacity(changes.count + 1)
        var old = old
        for change in changes {
            if let entry = old, entry.key <= change.key {
                if entry.key < change.key { entries.append(entry) }
                old = nil
            }
            if let value = change.value {
                entries.append(TrieNode.Entry(key: change.key, value: value))
            }
        }
        if let old { entries.append(old) }
        return entries
    }
}
