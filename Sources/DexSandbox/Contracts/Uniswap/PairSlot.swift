import Ethereum

/// A v2 pair's slot: its reserves, and the time of their last change.
///
/// Shape: that of UniswapV2Pair's slot 8, from the low bits: reserve0 (112), reserve1 (112), time
/// (32).
struct PairSlot: Hashable, Sendable {
    let reserve0: UInt256
    let reserve1: UInt256
    /// Seconds since 1970, modulo 2^32.
    let time: UInt64

    private static let mask = UInt256(UInt128(1) << 112 - 1)

    init(reserve0: UInt256, reserve1: UInt256, time: UInt64) {
        self.reserve0 = reserve0
        self.reserve1 = reserve1
        self.time = time & 0xffff_ffff
    }

    init(word: UInt256) {
        self.init(
            reserve0: word & Self.mask,
            reserve1: word >> 112 & Self.mask,
            time: (word >> 224).w0
        )
    }

    var word: UInt256 {
        reserve0 & Self.mask | (reserve1 & Self.mask) << 112 | UInt256(time) << 224
    }

    static func key(of pair: Address) -> StorageKey {
        StorageKey(pair, .fixed(UInt256(8).word))
    }
}
