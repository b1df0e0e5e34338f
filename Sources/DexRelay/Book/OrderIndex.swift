package import Ethereum
package import ZeroEx

/// All orders of a relay, found by hash, by pair in book order, and in order of arrival.
///
/// It is a value: a copy never changes while it is read.
package struct OrderIndex: Sendable {
    private var entries: [OrderHash: OrderEntry] = [:]
    private var sides: [PairDirection: BookSide] = [:]
    private var arrivals: [OrderEntry] = []
    private var countsOfMakers: [Address: Int] = [:]
    private var standings: [OrderHash: OrderStanding] = [:]

    package var count: Int {
        entries.count
    }

    /// Every order, the oldest arrival first.
    package var all: [OrderEntry] {
        arrivals
    }

    package func entry(_ hash: OrderHash) -> OrderEntry? {
        entries[hash]
    }

    /// The last known state on chain; nil if it was not read since the relay started.
    package func standing(_ hash: OrderHash) -> OrderStanding? {
        standings[hash]
    }

    /// Every order's state on chain is known.
    package var hasAllStandings: Bool {
        standings.count == entries.count
    }

    /// The orders that give one token for another, the best for a taker first.
    package func side(_ direction: PairDirection) -> BookSide {
        sides[direction] ?? BookSide()
    }

    /// The earliest expiry, in seconds since 1970; 2^64 - 1 if there are no orders.
    package var earliestExpiry: UInt64 {
        sides.values.lazy.map(\.earliestExpiry).min() ?? .max
    }

    /// The sequence of the latest order; 0 if there is none.
    package var newestSequence: UInt64 {
        arrivals.last?.sequence ?? 0
    }

    package func count(of maker: Address) -> Int {
        countsOfMakers[maker] ?? 0
    }

    /// Adds the latest order; a known hash changes nothing.
    package mutating func insert(_ entry: OrderEntry) {
        guard entries.updateValueIfAbsent(entry, forKey: entry.hash) else { return }
        arrivals.append(entry)
        countsOfMakers[entry.maker, default: 0] += 1
        sides[entry.direction, default: BookSide()].insert(entry)
    }

    /// Adds many orders, in order of arrival, sorting each side once.
    package mutating func insert(contentsOf newEntries: [OrderEntry]) {
        var added: [PairDirection: [OrderEntry]] = [:]
        for entry in newEntries where entries.updateValueIfAbsent(entry, forKey: entry.hash) {
            arrivals.append(entry)
            countsOfMakers[entry.maker, default: 0] += 1
            added[entry.direction, default: []].append(entry)
        }
        for (direction, entries) in added {
            sides[direction, default: BookSide()].insert(contentsOf: entries)
        }
    }

    /// Records the state of orders on chain; unknown orders are ignored.
    package mutating func note(_ news: [(OrderHash, OrderStanding)]) {
        for (hash, standing) in news where entries[hash] != nil && standings[hash] != standing {
            standings[hash] = standing
        }
    }

    /// Removes the known ones of these orders.
    package mutating func remove(_ hashes: Set<OrderHash>) {
        var touched: Set<PairDirection> = []
        for hash in hashes {
            guard let entry = entries.removeValue(forKey: hash) else { continue }
            standings[hash] = nil
            touched.insert(entry.direction)
            let left = count(of: entry.maker) - 1
            countsOfMakers[entry.maker] = left > 0 ? left : nil
        }
        guard !touched.isEmpty else { return }
        arrivals.removeAll { hashes.contains($0.hash) }
        for direction in touched {
            sides[direction]?.remove(hashes)
            if sides[direction]?.entries.isEmpty == true { sides[direction] = nil }
        }
    }
}

extension Dictionary {
    /// Stores a value unless the key has one; true if it was stored.
    fileprivate mutating func updateValueIfAbsent(_ value: Value, forKey key: Key) -> Bool {
        guard self[key] == nil else { return false }
        self[key] = value
        return true
    }
}
