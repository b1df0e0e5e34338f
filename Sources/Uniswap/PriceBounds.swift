import Ethereum

/// The prices that v3 pools can have: square roots of token 1 per token 0, in units of 2^-96.
///
/// Source: TickMath of v3-core.
enum PriceBounds {
    private static let lowest: UInt256 = 4_295_128_739
    private static let highest: UInt256 =
        1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341

    static let all: ClosedRange<UInt256> = lowest...highest
    /// A swap stops at one of the ends if the pool has nothing left.
    static let swaps: ClosedRange<UInt256> = (lowest + 1)...highest
    static let ticks: ClosedRange<Int32> = -887_272...887_272
}
