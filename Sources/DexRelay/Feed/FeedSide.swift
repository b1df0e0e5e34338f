import ZeroEx

/// The shown orders of one direction, the best for a taker first.
struct FeedSide: Sendable {
    private(set) var entries: [OrderEntry]
    private var standings: [OrderHash: OrderStanding]

    init() {
        entries = []
        standings = [:]
    }

    /// The shown ones of a store's orders, all of this direction.
    init(_ orders: [BookChange]) {
        let shown = orders.filter { $0.state == .shown }
        standings = Dictionary(shown.map { ($0.entry.hash, $0.standing) }) { _, last in last }
        entries = shown.map(\.entry).sorted { $0.precedes($1) }
    }

    /// What is known of a shown order; nil if it is not shown.
    func standing(_ hash: OrderHash) -> OrderStanding? {
        standings[hash]
    }

    mutating func apply(_ change: BookChange) {
        let hash = change.entry.hash
        if change.state == .shown {
            if standings.updateValue(change.standing, forKey: hash) == nil {
                entries.insert(change.entry, at: index(of: change.entry))
            }
        } else if standings.removeValue(forKey: hash) != nil {
            let index = index(of: change.entry)
            if entries.indices.contains(index), entries[index].hash == hash {
                entries.remove(at: index)
            }
        }
    }

    /// The best orders that outlive a time, and whether these are all of them.
    func best(
        _ limit: Int,
        after time: UInt64
    ) -> (orders: [(OrderEntry, OrderStanding)], isComplete: Bool) {
        var best: [(OrderEntry, OrderStanding)] = []
        for entry in entries where entry.expiry > time {
            guard best.count < limit else { return (best, false) }
            if let standing = standings[entry.hash] { best.append((entry, standing)) }
        }
        return (best, true)
    }

    /// Where an order is, or belongs.
    private func index(of entry: OrderEntry) -> Int {
        var low = entries.startIndex
        var high = entries.endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].precedes(entry) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
