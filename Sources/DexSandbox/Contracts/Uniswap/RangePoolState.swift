import Ethereum

/// A v3 pool's slot0.
///
/// Shape: that of UniswapV3Pool's slot 0, from the low bits: sqrtPriceX96 (160), tick (24),
/// observation index (16), cardinality (16), next cardinality (16), fee protocol (8, here 0),
/// unlocked (8).
struct RangePoolState: Hashable, Sendable {
    var price: UInt256
    var tick: Int32
    /// Of the newest observation.
    var index: UInt16 = 0
    /// The number of observations that are kept.
    let cardinality: UInt16
    /// The pool is initialised, and no swap runs.
    var isUnlocked: Bool

    init(price: UInt256, tick: Int32, index: UInt16 = 0, cardinality: UInt16, isUnlocked: Bool) {
        self.price = price
        self.tick = tick
        self.index = index
        self.cardinality = cardinality
        self.isUnlocked = isUnlocked
    }

    init(word: UInt256) {
        price = word & UInt256.max >> 96
        tick = (Int32(truncatingIfNeeded: (word >> 160).w0) << 8) >> 8
        index = UInt16(truncatingIfNeeded: (word >> 184).w0)
        cardinality = UInt16(truncatingIfNeeded: (word >> 200).w0)
        isUnlocked = (word >> 240).w0 & 0xff != 0
    }

    var word: UInt256 {
        let tick = UInt64(UInt32(bitPattern: tick) & 0xff_ffff)
        let kept = UInt256(UInt64(cardinality))
        return price | UInt256(tick) << 160 | UInt256(UInt64(index)) << 184 | kept << 200
            | kept << 216 | UInt256(isUnlocked ? 1 : 0) << 240
    }

    /// The answer of `slot0()`.
    var answer: [UInt8] {
        let kept = UInt256(UInt64(cardinality)).word
        return Words.bytes(
            price.word,
            Words.signed(Int64(tick)).word,
            UInt256(UInt64(index)).word,
            kept,
            kept,
            UInt256.zero.word,
            UInt256(isUnlocked ? 1 : 0).word
        )
    }

    static func key(of pool: Address) -> StorageKey {
        StorageKey(pool, .fixed(UInt256(0).word))
    }

    static func liquidityKey(of pool: Address) -> StorageKey {
        StorageKey(pool, .fixed(UInt256(4).word))
    }
}

extension Words {
    /// A signed number as a word, in two's complement.
    static func signed(_ value: Int64) -> UInt256 {
        value < 0 ? .zero &- UInt256(value.magnitude) : UInt256(value.magnitude)
    }
}
