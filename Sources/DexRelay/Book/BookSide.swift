import ZeroEx

/// The orders that give one token for another, the best for a taker first.
package struct BookSide: Sendable {
    package private(set) var entries: [OrderEntry] = []
    /// The earliest expiry, in seconds since 1970; 2^64 - 1 if there are no orders.
    package private(set) var earliestExpiry = UInt64.max

    /// The orders that have not expired; none is checked before the earliest expiry.
    package func unexpired(at now: UInt64) -> [OrderEntry] {
        guard earliestExpiry <= now else { return entries }
        return entries.filter { $0.expiry > now }
    }

    mutating func insert(_ entry: OrderEntry) {
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
        entries.insert(entry, at: low)
        earliestExpiry = min(earliestExpiry, entry.expiry)
    }

    mutating func insert(contentsOf newEntries: [OrderEntry]) {
        entries += newEntries
        entries.sort { $0.precedes($1) }
        findEarliestExpiry()
    }

    mutating func remove(_ hashes: Set<OrderHash>) {
        entries.removeAll { hashes.contains($0.hash) }
        findEarliestExpiry()
    }

    private mutating func findEarliestExpiry() {
        earliestExpiry = entries.lazy.map(\.expiry).min() ?? .max
    }
}
