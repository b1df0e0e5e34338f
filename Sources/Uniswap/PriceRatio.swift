public import Ethereum

/// A price of token0 in token1, both in base units, as a fraction.
///
/// Three prices belong to a pool: the marginal one, and with the pool's fee what the last base unit
/// of token0 gets (bid) and costs (ask).
public struct PriceRatio: Hashable, Sendable {
    public let numerator: UInt256
    /// Not 0.
    public let denominator: UInt256

    init(_ numerator: UInt256, _ denominator: UInt256) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The price of a square root price, times a ratio: (P / 2^96)^2 * over / under.
    ///
    /// Exact as long as the numerator has at most 256 bits; beyond it is rounded to that many, which
    /// changes it by less than one part in 2^254.
    ///
    /// - Parameters:
    ///   - sqrtPrice: `sqrtPriceX96`, below 2^160; nil for others.
    ///   - over: at most a million, as is `under`; both not 0.
    init?(
        sqrtPrice: UInt256,
        over: UInt32 = 1,
        under: UInt32 = 1,
        roundsUp: Bool = false
    ) {
        guard sqrtPrice.leadingZeroBitCount >= 96, over > 0, over <= SwapStep.million, under > 0,
            under <= SwapStep.million
        else { return nil }
        // At most 340 bits, as two numbers of which the lower has 128.
        let square = sqrtPrice.multipliedFullWidth(by: sqrtPrice)
        let factor = UInt256(UInt64(over))
        let low = UInt256(w0: square.low.w0, w1: square.low.w1, w2: 0, w3: 0) * factor
        let upper = UInt256(
            w0: square.low.w2,
            w1: square.low.w3,
            w2: square.high.w0,
            w3: square.high.w1
        )
        let high = upper * factor + low >> 128
        let shift = max(0, 128 - high.leadingZeroBitCount)
        let tail = low & UInt256(UInt128.max)
        var numerator = high << (128 - shift) | tail >> shift
        var exponent = 192 - shift
        if roundsUp, shift > 0, tail << (256 - shift) != .zero {
            if let next = numerator.adding(1) {
                numerator = next
            } else {
                (numerator, exponent) = (UInt256(1) << 255, exponent - 1)
            }
        }
        self.init(numerator, UInt256(UInt64(under)) << exponent)
    }
}
