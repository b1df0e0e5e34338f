/// A divisor of 65 to 128 bits with its reciprocal, as `LimbDivisor` is one of 64.
///
/// Source: Möller and Granlund, Improved division by invariant integers, algorithms 5 and 6.
struct TwoLimbDivisor {
    /// Shifted until the highest bit is set.
    private let high, low: UInt64
    private let shift: UInt64
    /// `floor((2^192 - 1) / divisor) - 2^64`.
    private let reciprocal: UInt64

    /// - Parameter high: not zero.
    init(high: UInt64, low: UInt64) {
        shift = UInt64(truncatingIfNeeded: high.leadingZeroBitCount)
        self.high = shift == 0 ? high : high &<< shift | low &>> (64 - shift)
        self.low = low &<< shift
        reciprocal = Self.reciprocal(self.high, self.low)
    }

    /// - Parameter high: two limbs, the most significant first, below the divisor.
    func divide(
        high top: (UInt64, UInt64),
        low dividend: UInt256
    ) -> (quotient: UInt256, remainder: UInt256) {
        let (second, scaled) = dividend.normalised(above: top.1, by: shift)
        let first = shift == 0 ? top.0 : top.0 &<< shift | top.1 &>> (64 - shift)
        var (quotient, rest) = (UInt256.zero, (first, second))
        quotient.w3 = digit(&rest, scaled.w3)
        quotient.w2 = digit(&rest, scaled.w2)
        quotient.w1 = digit(&rest, scaled.w1)
        quotient.w0 = digit(&rest, scaled.w0)
        let low = shift == 0 ? rest.1 : rest.1 &>> shift | rest.0 &<< (64 - shift)
        return (quotient, UInt256(w0: low, w1: rest.0 &>> shift, w2: 0, w3: 0))
    }

    /// The next digit of a quotient.
    ///
    /// - Parameter rest: the remainder of the digits before, below the divisor; then that of this
    ///   digit.
    private func digit(_ rest: inout (UInt64, UInt64), _ next: UInt64) -> UInt64 {
        if rest.0 == 0, rest.1 < high {
            rest = (rest.1, next)
            return 0
        }
        let estimate = reciprocal.multipliedFullWidth(by: rest.0)
        let (fraction, carry) = estimate.low.addingReportingOverflow(rest.1)
        var digit = estimate.high &+ rest.0 &+ (carry ? 1 : 0)
        let product = digit.multipliedFullWidth(by: low)
        var left = Self.subtract(
            (rest.1 &- digit &* high, next),
            (product.high, product.low)
        )
        left = Self.subtract(left, (high, low))
        digit &+= 1
        if left.0 >= fraction {
            digit &-= 1
            let (sum, carry) = left.1.addingReportingOverflow(low)
            left = (left.0 &+ high &+ (carry ? 1 : 0), sum)
        }
        if left.0 > high || left.0 == high && left.1 >= low {
            digit &+= 1
            left = Self.subtract(left, (high, low))
        }
        rest = left
        return digit
    }

    /// The difference modulo 2^128; the high limbs come first.
    private static func subtract(
        _ a: (UInt64, UInt64),
        _ b: (UInt64, UInt64)
    ) -> (UInt64, UInt64) {
        let (low, borrow) = a.1.subtractingReportingOverflow(b.1)
        return (a.0 &- b.0 &- (borrow ? 1 : 0), low)
    }

    /// - Parameter high: its highest bit is set.
    private static func reciprocal(_ high: UInt64, _ low: UInt64) -> UInt64 {
        var reciprocal = LimbDivisor.reciprocal(high)
        var (rest, overflow) = (high &* reciprocal).addingReportingOverflow(low)
        if overflow {
            reciprocal &-= 1
            if rest >= high {
                reciprocal &-= 1
                rest &-= high
            }
            rest &-= high
        }
        let product = reciprocal.multipliedFullWidth(by: low)
        (rest, overflow) = rest.addingReportingOverflow(product.high)
        if overflow {
            reciprocal &-= 1
            if rest > high || rest == high && product.low >= low { reciprocal &-= 1 }
        }
        return reciprocal
    }
}
