import ZeroEx

/// Orders by expiry, the earliest first; a binary heap.
struct ExpiryQueue: Sendable {
    struct Item: Hashable, Sendable {
        /// Seconds since 1970.
        let expiry: UInt64
        let hash: OrderHash
    }

    private var heap: [Item] = []

    var count: Int { heap.count }

    init(_ items: [Item] = []) {
        // A sorted list is a heap.
        heap = items.sorted { $0.expiry < $1.expiry }
    }

    mutating func insert(_ item: Item) {
        heap.append(item)
        var index = heap.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].expiry < heap[parent].expiry else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    /// Removes the earliest item if it has expired at a time.
    mutating func next(expiredAt time: UInt64) -> Item? {
        guard let first = heap.first, first.expiry <= time else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var index = 0
        while true {
            var minimum = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].expiry < heap[minimum].expiry {
                minimum = child
            }
            guard minimum != index else { return first }
            heap.swapAt(index, minimum)
            index = minimum
        }
    }
}
