extension UInt256 {
    /// The quotient; for a zero divisor the number itself and true.
    public func dividedReportingOverflow(
        by other: UInt256
    ) -> (partialValue: UInt256, overflow: Bool) {
        guard other != .zero else { return (self, true) }
        return (quotientAndRemainder(dividingBy: other).quotient, false)
    }

    /// The remainder; for a zero divisor the number itself and true.
    public func remainderReportingOverflow(
        dividingBy other: UInt256
    ) -> (partialValue: UInt256, overflow: Bool) {
        guard other != .zero else { return (self, true) }
        return (quotientAndRemainder(dividingBy: other).remainder, false)
    }

    /// The quotient and the remainder; a zero divisor traps, as for Swift's integers.
    ///
    /// Example: `UInt256(7).quotientAndRemainder(dividingBy: UInt256(2)).quotient` is `3`.
    public func quotientAndRemainder(
        dividingBy divisor: UInt256
    ) -> (quotient: UInt256, remainder: UInt256) {
        precondition(divisor != .zero, "UInt256 division by zero")
        if self < divisor { return (.zero, self) }
        return Self.divide((high: .zero, low: self), by: divisor)
    }

    /// The quotient and the remainder of a division by one limb, which must not be zero.
    func quotientAndRemainder(dividingBy divisor: UInt64) -> (UInt256, UInt64) {
        let (quotient, remainder) = LimbDivisor(divisor).divide(high: 0, low: self)
        return (quotient, remainder)
    }

    /// Divides 512 bits by this number; a quotient above 256 bits traps, as for Swift's integers.
    ///
    /// Use `mulDiv` for external values.
    public func dividingFullWidth(
        _ dividend: (high: UInt256, low: UInt256)
    ) -> (quotient: UInt256, remainder: UInt256) {
        precondition(dividend.high < self, "UInt256 overflow in full-width division")
        if dividend.high == .zero, dividend.low < self { return (.zero, dividend.low) }
        return Self.divide(dividend, by: self)
    }

    /// `floor(a * b / divisor)` over the exact 512-bit product, and the remainder.
    ///
    /// nil if the divisor is zero or the quotient exceeds 256 bits.
    ///
    /// Example: `UInt256.mulDiv(10, 10, 7)?.quotient` is `Optional(14)`.
    public static func mulDiv(
        _ a: UInt256,
        _ b: UInt256,
        _ divisor: UInt256
    ) -> (quotient: UInt256, remainder: UInt256)? {
        let product = a.multipliedFullWidth(by: b)
        guard product.high < divisor else { return nil }
        return divisor.dividingFullWidth(product)
    }

    /// Division of 512 bits by a number above `dividend.high`, by as many limbs as that has.
    private static func divide(
        _ dividend: (high: UInt256, low: UInt256),
        by divisor: UInt256
    ) -> (quotient: UInt256, remainder: UInt256) {
        if divisor.w2 | divisor.w3 != 0 { return divideLong(dividend, by: divisor) }
        if divisor.w1 != 0 {
            return TwoLimbDivisor(high: divisor.w1, low: divisor.w0)
                .divide(high: (dividend.high.w1, dividend.high.w0), low: dividend.low)
        }
        let (quotient, remainder) = LimbDivisor(divisor.w0)
            .divide(high: dividend.high.w0, low: dividend.low)
        return (quotient, UInt256(remainder))
    }

    /// Long division of 512 bits by a number of three or four limbs above `dividend.high`.
    ///
    /// Source: Knuth, The Art of Computer Programming, volume 2, section 4.3.1, algorithm D.
    private static func divideLong(
        _ dividend: (high: UInt256, low: UInt256),
        by divisor: UInt256
    ) -> (quotient: UInt256, remainder: UInt256) {
        let count = (256 - divisor.leadingZeroBitCount + 63) / 64
        let shift = UInt64(truncatingIfNeeded: divisor.leadingZeroBitCount % 64)
        // Normalised: the highest bit of the divisor's highest limb is set.
        let scaled = divisor &<< UInt256(shift)
        let divisorLimbs: InlineArray<4, UInt64> = [scaled.w0, scaled.w1, scaled.w2, scaled.w3]
        let (low, high) = (dividend.low, dividend.high)
        var rest: InlineArray<9, UInt64> = [
            low.w0, low.w1, low.w2, low.w3, high.w0, high.w1, high.w2, high.w3, 0,
        ]
        if shift != 0 {
            for index in (1...8).reversed() {
                rest[index] = rest[index] &<< shift | rest[index - 1] &>> (64 - shift)
            }
            rest[0] = rest[0] &<< shift
        }
        // The quotient fits in four limbs, since the dividend's high half is below the divisor;
        // the limbs above `count + 3` are zero.
        var quotient: InlineArray<4, UInt64> = [0, 0, 0, 0]
        let top = divisorLimbs[count - 1]
        let next = divisorLimbs[count - 2]
        // Digits that are zero for sure are skipped.
        var first = 3
        while first > 0, rest[first + count] == 0, rest[first + count - 1] < top { first -= 1 }
        for position in (0...first).reversed() {
            var digit: UInt64
            var remainder: UInt64
            var exceedsLimb = false
            if rest[position + count] >= top {
                digit = .max
                (remainder, exceedsLimb) = rest[position + count - 1].addingReportingOverflow(top)
            } else {
                (digit, remainder) = top.dividingFullWidth(
                    (rest[position + count], rest[position + count - 1])
                )
            }
            let third = rest[position + count - 2]
            while !exceedsLimb {
                let product = digit.multipliedFullWidth(by: next)
                guard (product.high, product.low) > (remainder, third) else { break }
                digit -= 1
                (remainder, exceedsLimb) = remainder.addingReportingOverflow(top)
            }
            var carry: UInt64 = 0
            var borrow: UInt64 = 0
            for index in 0..<count {
                let product = digit.multipliedFullWidth(by: divisorLimbs[index])
                let (subtrahend, overflow) = product.low.addingReportingOverflow(carry)
                carry = product.high &+ (overflow ? 1 : 0)
                let (partial, first) =
                    rest[position + index].subtractingReportingOverflow(subtrahend)
                let (difference, second) = partial.subtractingReportingOverflow(borrow)
                rest[position + index] = difference
                borrow = first || second ? 1 : 0
            }
            let (partial, first) = rest[position + count].subtractingReportingOverflow(carry)
            let (difference, second) = partial.subtractingReportingOverflow(borrow)
            rest[position + count] = difference
            if first || second {
                // The estimate was one too high: add the divisor back.
                digit -= 1
                var carry = false
                for index in 0..<count {
                    let (sum, first) =
                        rest[position + index].addingReportingOverflow(divisorLimbs[index])
                    let (total, second) = sum.addingReportingOverflow(carry ? 1 : 0)
                    rest[position + index] = total
                    carry = first || second
                }
                rest[position + count] &+= carry ? 1 : 0
            }
            quotient[position] = digit
        }
        let remainder = UInt256(w0: rest[0], w1: rest[1], w2: rest[2], w3: rest[3])
        return (
            UInt256(w0: quotient[0], w1: quotient[1], w2: quotient[2], w3: quotient[3]),
            remainder &>> UInt256(shift)
        )
    }
}
