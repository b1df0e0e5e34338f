package import Ethereum
package import ZeroEx

/// All orders of a relay, found by hash, by pair in book order, and in order of arrival.
///
/// A value: whoever reads a copy has a book that does not change under it.
package struct OrderIndex: Sendable {
    private var entries: [OrderHash: OrderEntry] = [:]
    private var sides: [PairDirection: BookSide] = [:]
    private var arrivals: [OrderEntry] = []
    private var countsOfMakers: [Address: Int] = [:]
    private var standings: [OrderHash: OrderStanding] = [:]

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

    /// What the chain said of an order last; nil where it was not asked since the relay started.
    package func standing(_ hash: OrderHash) -> OrderStanding? {
        standings[hash]
    }

    /// The chain was asked about every order.
    package var hasAllStandings: Bool {
        standings.count == entries.count
    }

    /// The orders that give one token for another, the best for a taker first.
    package func side(_ direction: PairDirection) -> BookSide {
        sides[direction] ?? BookSide()
    }

    /// When the first order expires, in seconds since 1970; 2^64 - 1 where there is none.
    package var earliestExpiry: UInt64 {
        sides.values.lazy.map(\.earliestExpiry).min() ?? .max
    }

    /// The sequence of the order that came last; 0 where there is none.
    package var newestSequence: UInt64 {
        arrivals.last?.sequence ?? 0
    }

    package func count(of maker: Address) -> Int {
        countsOfMakers[maker] ?? 0
    }

    /// Adds an order that arrived after all others; a hash that is known already changes nothing.
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

    /// Notes what the chain said of orders; of those that are not known nothing is noted.
    package mutating func note(_ news: [(OrderHash, OrderStanding)]) {
        for (hash, standing) in news where entries[hash] != nil && standings[hash] != standing {
            standings[hash] = standing
        }
    }

    /// Removes those of these orders that are known.
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
    /// Stores a value unless the key has one; true where it was stored.
    fileprivate mutating func updateValueIfAbsent(_ value: Value, forKey key: Key) -> Bool {
        guard self[key] == nil else { return false }
        self[key] = value
        return true
    }
}
