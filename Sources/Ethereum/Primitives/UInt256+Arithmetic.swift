extension UInt256: FixedWidthInteger, UnsignedInteger {
    public typealias Magnitude = UInt256

    /// 256.
    public static let bitWidth = 256
    /// 0.
    @inlinable public static var zero: UInt256 { UInt256(w0: 0, w1: 0, w2: 0, w3: 0) }
    /// 0.
    public static let min = zero
    /// 2^256 - 1.
    public static let max = UInt256(w0: .max, w1: .max, w2: .max, w3: .max)

    /// A small number.
    @inlinable
    public init(_ value: UInt64) {
        self.init(w0: value, w1: 0, w2: 0, w3: 0)
    }

    /// The sum modulo 2^256, and whether it overflowed.
    ///
    /// Example: `UInt256.max.addingReportingOverflow(2).partialValue` is `1`.
    @inlinable
    public func addingReportingOverflow(
        _ other: UInt256
    ) -> (partialValue: UInt256, overflow: Bool) {
        let (low, carry0) = w0.addingReportingOverflow(other.w0)
        let (second, carry1) = Self.add(w1, other.w1, carry0)
        let (third, carry2) = Self.add(w2, other.w2, carry1)
        let (high, carry3) = Self.add(w3, other.w3, carry2)
        return (UInt256(w0: low, w1: second, w2: third, w3: high), carry3)
    }

    /// The difference modulo 2^256, and whether it went below zero.
    ///
    /// Example: `UInt256(1).subtractingReportingOverflow(2).overflow` is `true`.
    @inlinable
    public func subtractingReportingOverflow(
        _ other: UInt256
    ) -> (partialValue: UInt256, overflow: Bool) {
        let (low, borrow0) = w0.subtractingReportingOverflow(other.w0)
        let (second, borrow1) = Self.subtract(w1, other.w1, borrow0)
        let (third, borrow2) = Self.subtract(w2, other.w2, borrow1)
        let (high, borrow3) = Self.subtract(w3, other.w3, borrow2)
        return (UInt256(w0: low, w1: second, w2: third, w3: high), borrow3)
    }

    /// The product modulo 2^256, and whether it overflowed.
    public func multipliedReportingOverflow(
        by other: UInt256
    ) -> (partialValue: UInt256, overflow: Bool) {
        let product = multipliedFullWidth(by: other)
        return (product.low, product.high != .zero)
    }

    /// The product in 512 bits.
    ///
    /// Example: `UInt256.max.multipliedFullWidth(by: 2).high` is `1`.
    public func multipliedFullWidth(by other: UInt256) -> (high: UInt256, low: UInt256) {
        // Row by row; a row's carry never exceeds a limb, since (2^64-1)^2 + 2(2^64-1) = 2^128-1.
        // The rows of high limbs that are zero are left out: most numbers have two limbs.
        var carry: UInt64
        var low = UInt256.zero
        var high = UInt256.zero
        (carry, low.w0) = Self.multiply(w0, other.w0, 0, 0)
        (carry, low.w1) = Self.multiply(w0, other.w1, 0, carry)
        (carry, low.w2) = Self.multiply(w0, other.w2, 0, carry)
        (high.w0, low.w3) = Self.multiply(w0, other.w3, 0, carry)
        if w1 | w2 | w3 == 0 { return (high, low) }
        (carry, low.w1) = Self.multiply(w1, other.w0, low.w1, 0)
        (carry, low.w2) = Self.multiply(w1, other.w1, low.w2, carry)
        (carry, low.w3) = Self.multiply(w1, other.w2, low.w3, carry)
        (high.w1, high.w0) = Self.multiply(w1, other.w3, high.w0, carry)
        if w2 | w3 == 0 { return (high, low) }
        (carry, low.w2) = Self.multiply(w2, other.w0, low.w2, 0)
        (carry, low.w3) = Self.multiply(w2, other.w1, low.w3, carry)
        (carry, high.w0) = Self.multiply(w2, other.w2, high.w0, carry)
        (high.w2, high.w1) = Self.multiply(w2, other.w3, high.w1, carry)
        (carry, low.w3) = Self.multiply(w3, other.w0, low.w3, 0)
        (carry, high.w0) = Self.multiply(w3, other.w1, high.w0, carry)
        (carry, high.w1) = Self.multiply(w3, other.w2, high.w1, carry)
        (high.w3, high.w2) = Self.multiply(w3, other.w3, high.w2, carry)
        return (high, low)
    }

    @inlinable
    public static func == (left: UInt256, right: UInt256) -> Bool {
        (left.w0 ^ right.w0) | (left.w1 ^ right.w1) | (left.w2 ^ right.w2)
            | (left.w3 ^ right.w3) == 0
    }

    @inlinable
    public static func < (left: UInt256, right: UInt256) -> Bool {
        if left.w3 != right.w3 { return left.w3 < right.w3 }
        if left.w2 != right.w2 { return left.w2 < right.w2 }
        if left.w1 != right.w1 { return left.w1 < right.w1 }
        return left.w0 < right.w0
    }

    @inlinable
    public static func + (left: UInt256, right: UInt256) -> UInt256 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        precondition(!overflow, "UInt256 overflow in addition")
        return sum
    }

    @inlinable
    public static func - (left: UInt256, right: UInt256) -> UInt256 {
        let (difference, overflow) = left.subtractingReportingOverflow(right)
        precondition(!overflow, "UInt256 overflow in subtraction")
        return difference
    }

    public static func * (left: UInt256, right: UInt256) -> UInt256 {
        let (product, overflow) = left.multipliedReportingOverflow(by: right)
        precondition(!overflow, "UInt256 overflow in multiplication")
        return product
    }

    public static func / (left: UInt256, right: UInt256) -> UInt256 {
        let (quotient, overflow) = left.dividedReportingOverflow(by: right)
        precondition(!overflow, "UInt256 division by zero")
        return quotient
    }

    public static func % (left: UInt256, right: UInt256) -> UInt256 {
        let (remainder, overflow) = left.remainderReportingOverflow(dividingBy: right)
        precondition(!overflow, "UInt256 division by zero")
        return remainder
    }

    public static func += (left: inout UInt256, right: UInt256) { left = left + right }
    public static func -= (left: inout UInt256, right: UInt256) { left = left - right }
    public static func *= (left: inout UInt256, right: UInt256) { left = left * right }
    public static func /= (left: inout UInt256, right: UInt256) { left = left / right }
    public static func %= (left: inout UInt256, right: UInt256) { left = left % right }

    public static func &= (left: inout UInt256, right: UInt256) {
        left = UInt256(
            w0: left.w0 & right.w0,
            w1: left.w1 & right.w1,
            w2: left.w2 & right.w2,
            w3: left.w3 & right.w3
        )
    }

    public static func |= (left: inout UInt256, right: UInt256) {
        left = UInt256(
            w0: left.w0 | right.w0,
            w1: left.w1 | right.w1,
            w2: left.w2 | right.w2,
            w3: left.w3 | right.w3
        )
    }

    public static func ^= (left: inout UInt256, right: UInt256) {
        left = UInt256(
            w0: left.w0 ^ right.w0,
            w1: left.w1 ^ right.w1,
            w2: left.w2 ^ right.w2,
            w3: left.w3 ^ right.w3
        )
    }

    /// One limb of a sum and its carry.
    @inlinable
    static func add(
        _ left: UInt64,
        _ right: UInt64,
        _ carry: Bool
    ) -> (UInt64, Bool) {
        let (sum, first) = left.addingReportingOverflow(right)
        let (total, second) = sum.addingReportingOverflow(carry ? 1 : 0)
        return (total, first || second)
    }

    /// One limb of a difference and its borrow.
    @inlinable
    static func subtract(
        _ left: UInt64,
        _ right: UInt64,
        _ borrow: Bool
    ) -> (UInt64, Bool) {
        let (difference, first) = left.subtractingReportingOverflow(right)
        let (total, second) = difference.subtractingReportingOverflow(borrow ? 1 : 0)
        return (total, first || second)
    }

    /// `left * right + addend + carry` in two limbs.
    static func multiply(
        _ left: UInt64,
        _ right: UInt64,
        _ addend: UInt64,
        _ carry: UInt64
    ) -> (high: UInt64, low: UInt64) {
        let product = left.multipliedFullWidth(by: right)
        let (sum, first) = product.low.addingReportingOverflow(addend)
        let (total, second) = sum.addingReportingOverflow(carry)
        return (product.high &+ (first ? 1 : 0) &+ (second ? 1 : 0), total)
    }
}
