import Ethereum

extension UInt256 {
    /// `ceil(a * b / divisor)` over the exact product.
    ///
    /// nil if the divisor is zero or the quotient exceeds 256 bits.
    ///
    /// Source: FullMath's `mulDivRoundingUp`.
    static func mulDivUp(_ a: UInt256, _ b: UInt256, _ divisor: UInt256) -> UInt256? {
        guard let (quotient, remainder) = mulDiv(a, b, divisor) else { return nil }
        return quotient.roundedUp(remainder)
    }

    /// The quotient rounded up; nil if the divisor is zero.
    func dividedUp(by divisor: UInt256) -> UInt256? {
        guard divisor != .zero else { return nil }
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return quotient.roundedUp(remainder)
    }

    /// The quotient rounded down; nil if the divisor is zero.
    func divided(by divisor: UInt256) -> UInt256? {
        guard divisor != .zero else { return nil }
        return quotientAndRemainder(dividingBy: divisor).quotient
    }

    /// The sum; nil above 256 bits.
    func adding(_ other: UInt256) -> UInt256? {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? nil : sum
    }

    /// The difference; nil below zero.
    func subtracting(_ other: UInt256) -> UInt256? {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? nil : difference
    }

    /// The product; nil above 256 bits.
    func multiplied(by other: UInt256) -> UInt256? {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? nil : product
    }

    /// This quotient, or one more if its division left a remainder.
    func roundedUp(_ remainder: UInt256) -> UInt256? {
        remainder == .zero ? self : adding(1)
    }
}
