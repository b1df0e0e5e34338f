package import Ethereum
package import ZeroEx

/// All orders of a relay, found by hash, by pair in book order, and in order of arrival.
///
/// A value: whoever reads a copy has a book that does not change under it.
package struct OrderIndex: Sendable {
    private var entries: [OrderHash: OrderEntry] = [:]
    private var sides: [PairDirection: [OrderEntry]] = [:]
    private var arrivals: [OrderEntry] = []
    private var countsOfMakers: [Address: Int] = [:]

    package init() {}

    package var count: Int {
        entries.count
    }

    /// Every order, the longest known first.
    package var all: [OrderEntry] {
        arrivals
    }

    package func entry(_ hash: OrderHash) -> OrderEntry? {
        entries[hash]
    }

    /// The orders that give one token for another, the best for a taker first.
    package func side(_ direction: PairDirection) -> [OrderEntry] {
        sides[direction] ?? []
    }

    package func count(of maker: Address) -> Int {
        countsOfMakers[maker] ?? 0
    }

    /// Adds an order that arrived after all others; a hash that is known already changes nothing.
    package mutating func insert(_ entry: OrderEntry) {
        guard entries.updateValueIfAbsent(entry, forKey: entry.hash) else { return }
        arrivals.append(entry)
        countsOfMakers[entry.maker, default: 0] += 1
        sides[entry.direction, default: []].insertSorted(entry)
    }

    /// Adds many orders, in order of arrival, sorting each side once.
    package mutating func insert(contentsOf newEntries: [OrderEntry]) {
        var touched: Set<PairDirection> = []
        for entry in newEntries where entries.updateValueIfAbsent(entry, forKey: entry.hash) {
            arrivals.append(entry)
            countsOfMakers[entry.maker, default: 0] += 1
            sides[entry.direction, default: []].append(entry)
            touched.insert(entry.direction)
        }
        for direction in touched {
            sides[direction]?.sort { $0.precedes($1) }
        }
    }

    /// Removes those of these orders that are known.
    package mutating func remove(_ hashes: Set<OrderHash>) {
        var touched: Set<PairDirection> = []
        for hash in hashes {
            guard let entry = entries.removeValue(forKey: hash) else { continue }
            touched.insert(entry.direction)
            let left = count(of: entry.maker) - 1
            countsOfMakers[entry.maker] = left > 0 ? left : nil
        }
        guard !touched.isEmpty else { return }
        arrivals.removeAll { hashes.contains($0.hash) }
        for direction in touched {
            sides[direction]?.removeAll { hashes.contains($0.hash) }
            if sides[direction]?.isEmpty == true { sides[direction] = nil }
        }
    }
}

extension Dictionary {
    /// Stores a value unless the key has one; true where it was stored.
    fileprivate mutating func updateValueIfAbsent(_ value: Value, forKey key: Key) -> Bool {
        guard self[key] == nil else { return false }
        self[key] = value
        return true
    }
}

extension [OrderEntry] {
    /// Inserts into an array that is in book order.
    fileprivate mutating func insertSorted(_ entry: OrderEntry) {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle].precedes(entry) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        insert(entry, at: low)
    }
}
