/// A small generator with a fixed seed, so that a failure can be repeated.
///
/// Source: https://prng.di.unimi.it/splitmix64.c
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to one below a bound that is not zero.
    package mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(bound))
    }

    /// True in so many of a hundred cases.
    package mutating func chance(_ percent: Int) -> Bool {
        below(100) < percent
    }

    /// One of some items, of which there is at least one.
    package mutating func pick<Item>(_ items: [Item]) -> Item {
        items[below(items.count)]
    }

    /// One of some items, each as likely as its weight.
    package mutating func pick<Item>(weighted items: [(weight: Int, item: Item)]) -> Item {
        var left = below(items.reduce(0) { $0 + $1.weight })
        for (weight, item) in items {
            if left < weight { return item }
            left -= weight
        }
        return items[items.count - 1].item
    }

    /// So many bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
