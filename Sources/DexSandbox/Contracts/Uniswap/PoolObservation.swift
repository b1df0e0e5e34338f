import Ethereum

/// An observation of a v3 pool's oracle.
///
/// Shape: that of UniswapV3Pool's slots from 8 on, from the low bits: time (32), cumulative tick
/// (56), cumulative seconds per liquidity (160), initialised (8).
struct PoolObservation: Hashable, Sendable {
    /// Seconds since 1970, below 2^32.
    let time: UInt64
    /// The sum of the tick of each second.
    let tickCumulative: Int64
    /// The sum of 2^128 / liquidity of each second, modulo 2^160.
    let secondsPerLiquidity: UInt256

    private static let mask = UInt256.max >> 96

    /// The first one of a pool.
    init(time: UInt64) {
        self.init(time: time, tickCumulative: 0, secondsPerLiquidity: .zero)
    }

    private init(time: UInt64, tickCumulative: Int64, secondsPerLiquidity: UInt256) {
        self.time = time & 0xffff_ffff
        self.tickCumulative = tickCumulative
        self.secondsPerLiquidity = secondsPerLiquidity & Self.mask
    }

    /// nil for a slot that was never written.
    init?(word: UInt256) {
        guard word >> 248 != .zero else { return nil }
        self.init(
            time: word.w0 & 0xffff_ffff,
            tickCumulative: (Int64(bitPattern: (word >> 32).w0) << 8) >> 8,
            secondsPerLiquidity: word >> 88 & Self.mask
        )
    }

    var word: UInt256 {
        let ticks = UInt64(bitPattern: tickCumulative) & 0xff_ffff_ffff_ffff
        return UInt256(time) | UInt256(ticks) << 32 | secondsPerLiquidity << 88
            | UInt256(1) << 248
    }

    /// The observation of a later time, with this tick and liquidity in between.
    ///
    /// Source: `transform` of Uniswap v3's Oracle.
    func later(_ time: UInt64, tick: Int32, liquidity: UInt128) -> PoolObservation {
        let seconds = time &- self.time
        let share = (UInt256(seconds) << 128) / UInt256(max(liquidity, 1))
        return PoolObservation(
            time: time,
            tickCumulative: tickCumulative &+ Int64(tick) &* Int64(bitPattern: seconds),
            secondsPerLiquidity: secondsPerLiquidity &+ share
        )
    }

    /// The observation of a time between this one and a later one.
    ///
    /// Source: `observeSingle` of Uniswap v3's Oracle.
    func between(_ other: PoolObservation, at time: UInt64) -> PoolObservation {
        let whole = other.time &- self.time
        let part = time &- self.time
        guard whole > 0, part > 0 else { return self }
        guard part < whole else { return other }
        // The contract divides first, toward zero.
        let ticks = (other.tickCumulative &- tickCumulative) / Int64(bitPattern: whole)
        let share = (other.secondsPerLiquidity &- secondsPerLiquidity) & Self.mask
        return PoolObservation(
            time: time,
            tickCumulative: tickCumulative &+ ticks &* Int64(bitPattern: part),
            secondsPerLiquidity: secondsPerLiquidity
                // Below 2^192: the factor is in seconds, below 2^32.
                &+ share &* UInt256(part) / UInt256(whole)
        )
    }

    static func key(_ index: UInt16, of pool: Address) -> StorageKey {
        StorageKey(pool, .fixed(UInt256(8 + UInt64(index)).word))
    }
}
