import Ethereum

/// Values by words, each of which keeps its index as long as the table is there.
///
/// A fraction of what a dictionary takes: a call asks it for every account and word that it reads.
struct WordTable<Value> {
    private(set) var entries: [(key: UInt256, value: Value)] = []
    /// Indexes, each one more than it is, or 0 where none is: a power of two, half of them 0.
    private var places: [UInt32] = []

    /// The index of a word; nil if it has no value.
    func index(of key: UInt256) -> Int? {
        guard !places.isEmpty else { return nil }
        var place = WordHash.of(key) & (places.count - 1)
        while places[place] != 0 {
            let index = Int(places[place]) - 1
            if entries[index].key == key { return index }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    /// Adds the value of a word that has none.
    ///
    /// - Returns: its index.
    @discardableResult
    mutating func append(_ value: Value, of key: UInt256) -> Int {
        if places.count < 2 * (entries.count + 1) { grow() }
        entries.append((key, value))
        place(key, entries.count)
        return entries.count - 1
    }

    subscript(index: Int) -> Value {
        get { entries[index].value }
        set { entries[index].value = newValue }
    }

    private mutating func grow() {
        places = Array(repeating: 0, count: max(16, 2 * places.count))
        for (index, entry) in entries.enumerated() { place(entry.key, index + 1) }
    }

    private mutating func place(_ key: UInt256, _ number: Int) {
        var place = WordHash.of(key) & (places.count - 1)
        while places[place] != 0 { place = (place + 1) & (places.count - 1) }
        places[place] = UInt32(number)
    }
}

/// The hash of a word in a table, which nobody outside of the process can foresee.
private enum WordHash {
    private static let seed = UInt256(
        w0: part(0),
        w1: part(1),
        w2: part(2),
        w3: part(3)
    )

    private static func part(_ index: Int) -> UInt64 {
        UInt64(bitPattern: Int64(index.hashValue))
    }

    @inline(__always)
    static func of(_ key: UInt256) -> Int {
        let seed = Self.seed
        let low = (key.w0 ^ seed.w0).multipliedFullWidth(by: key.w1 ^ seed.w1)
        let high = (key.w2 ^ seed.w2).multipliedFullWidth(by: key.w3 ^ seed.w3)
        return Int(truncatingIfNeeded: low.high ^ low.low ^ high.high &+ high.low)
    }
}
