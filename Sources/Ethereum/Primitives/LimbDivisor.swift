/// A divisor of 64 bits with its reciprocal: a digit of a quotient takes two multiplications.
///
/// Source: Möller and Granlund, Improved division by invariant integers, algorithm 4.
struct LimbDivisor {
    /// Shifted until its highest bit is set.
    private let divisor: UInt64
    private let shift: UInt64
    /// `floor((2^128 - 1) / divisor) - 2^64`.
    private let reciprocal: UInt64

    /// - Parameter divisor: not zero.
    init(_ divisor: UInt64) {
        shift = UInt64(truncatingIfNeeded: divisor.leadingZeroBitCount)
        self.divisor = divisor &<< shift
        reciprocal = Self.reciprocal(self.divisor)
    }

    /// - Parameter high: below the divisor.
    func divide(high: UInt64, low: UInt256) -> (quotient: UInt256, remainder: UInt64) {
        let (top, scaled) = low.normalised(above: high, by: shift)
        var (quotient, remainder) = (UInt256.zero, top)
        quotient.w3 = digit(&remainder, scaled.w3)
        quotient.w2 = digit(&remainder, scaled.w2)
        quotient.w1 = digit(&remainder, scaled.w1)
        quotient.w0 = digit(&remainder, scaled.w0)
        return (quotient, remainder &>> shift)
    }

    /// The next digit of a quotient.
    ///
    /// - Parameter remainder: of the digits before, below the divisor; then that of this digit.
    private func digit(_ remainder: inout UInt64, _ next: UInt64) -> UInt64 {
        if remainder == 0, next < divisor {
            remainder = next
            return 0
        }
        let estimate = reciprocal.multipliedFullWidth(by: remainder)
        let (low, carry) = estimate.low.addingReportingOverflow(next)
        var digit = estimate.high &+ remainder &+ (carry ? 2 : 1)
        var rest = next &- digit &* divisor
        if rest > low {
            digit &-= 1
            rest &+= divisor
        }
        if rest >= divisor {
            digit &+= 1
            rest &-= divisor
        }
        remainder = rest
        return digit
    }

    /// - Parameter divisor: its highest bit is set.
    static func reciprocal(_ divisor: UInt64) -> UInt64 {
        divisor.dividingFullWidth((~divisor, .max)).quotient
    }
}

extension UInt256 {
    /// This number with a limb above it, both shifted to the left by less than 64 bits.
    func normalised(above limb: UInt64, by shift: UInt64) -> (UInt64, UInt256) {
        // A shift by 64 - 0 would be masked to a shift by 0.
        guard shift != 0 else { return (limb, self) }
        let back = 64 - shift
        return (
            limb &<< shift | w3 &>> back,
            UInt256(
                w0: w0 &<< shift,
                w1: w1 &<< shift | w0 &>> back,
                w2: w2 &<< shift | w1 &>> back,
                w3: w3 &<< shift | w2 &>> back
            )
        )
    }
}
