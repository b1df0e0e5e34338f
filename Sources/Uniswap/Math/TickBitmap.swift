public import Ethereum

/// The place where the ticks of a v3 pool are in its bitmap: bit `b` of word `w` is the tick
/// `(256 * w + b) * spacing`.
///
/// Source: TickBitmap of Uniswap v3.
public enum TickBitmap {
    /// The tick spacings that a factory accepts.
    public static let spacings: ClosedRange<Int32> = 1...16_383

    /// The word that holds the greatest multiple of the spacing not above a tick.
    ///
    /// - Parameter spacing: of `spacings`; others count as 1.
    public static func word(of tick: Int32, spacing: Int32) -> Int16 {
        Int16(clamping: index(of: tick, spacing: spacing) >> 8)
    }

    /// The words that hold ticks in range.
    public static func words(spacing: Int32) -> ClosedRange<Int16> {
        let ticks = TickMath.ticks
        return word(
            of: ticks.lowerBound,
            spacing: spacing
        )...word(
            of: ticks.upperBound,
            spacing: spacing
        )
    }

    /// The ticks of a word's set bits, ascending; nil if one is out of range.
    public static func ticks(word: Int16, bits: UInt256, spacing: Int32) -> [Int32]? {
        var ticks: [Int32] = []
        var bits = bits
        while bits != .zero {
            let bit = bits.trailingZeroBitCount
            bits &= bits &- 1
            let (tick, overflow) = (Int32(word) << 8 | Int32(truncatingIfNeeded: bit))
                .multipliedReportingOverflow(by: spacing)
            guard !overflow, TickMath.ticks.contains(tick) else { return nil }
            ticks.append(tick)
        }
        return ticks
    }

    /// The greatest multiple of the spacing not above a tick, divided by the spacing.
    static func index(of tick: Int32, spacing: Int32) -> Int32 {
        guard spacings.contains(spacing) else { return tick }
        let quotient = tick / spacing
        return tick % spacing < 0 ? quotient - 1 : quotient
    }
}
