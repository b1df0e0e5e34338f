extension UInt256: FixedWidthInteger, UnsignedInteger {
    public typealias Words = [UInt]
    public typealias Magnitude = UInt256

    /// 256.
    public static let bitWidth = 256
    /// 0.
    public static let zero = UInt256(w0: 0, w1: 0, w2: 0, w3: 0)
    /// 0.
    public static let min = zero
    /// 2^256 - 1.
    public static let max = UInt256(w0: .max, w1: .max, w2: .max, w3: .max)

    /// A small number.
    public init(_ value: UInt64) {
        self.init(w0: value, w1: 0, w2: 0, w3: 0)
    }

    /// A number from an integer literal.
    public init(integerLiteral value: StaticBigInt) {
        precondition(value.signum() >= 0 && value.bitWidth <= 257, "literal out of range")
        self.init(
            w0: UInt64(value[0]),
            w1: UInt64(value[1]),
            w2: UInt64(value[2]),
            w3: UInt64(value[3])
        )
    }

    /// The low 256 bits of any integer, sign-extended.
    public init<T: BinaryInteger>(truncatingIfNeeded source: T) {
        let words = Array(source.words)
        let fill: UInt = source < 0 ? .max : 0
        let limb = { (index: Int) in UInt64(index < words.count ? words[index] : fill) }
        self.init(w0: limb(0), w1: limb(1), w2: limb(2), w3: limb(3))
    }

    /// The low 64 bits.
    public init(_truncatingBits bits: UInt) {
        self.init(UInt64(bits))
    }

    /// The words, the least significant first.
    public var words: [UInt] {
        [UInt(w0), UInt(w1), UInt(w2), UInt(w3)]
    }

    /// How many of the highest bits are zero.
    public var leadingZeroBitCount: Int {
        if w3 != 0 { return w3.leadingZeroBitCount }
        if w2 != 0 { return 64 + w2.leadingZeroBitCount }
        if w1 != 0 { return 128 + w1.leadingZeroBitCount }
        return 192 + w0.leadingZeroBitCount
    }

    /// How many of the lowest bits are zero.
    public var trailingZeroBitCount: Int {
        if w0 != 0 { return w0.trailingZeroBitCount }
        if w1 != 0 { return 64 + w1.trailingZeroBitCount }
        if w2 != 0 { return 128 + w2.trailingZeroBitCount }
        return 192 + w3.trailingZeroBitCount
    }

    /// How many bits are one.
    public var nonzeroBitCount: Int {
        w0.nonzeroBitCount + w1.nonzeroBitCount + w2.nonzeroBitCount + w3.nonzeroBitCount
    }

    /// The number with its bytes in the opposite order.
    public var byteSwapped: UInt256 {
        UInt256(w0: w3.byteSwapped, w1: w2.byteSwapped, w2: w1.byteSwapped, w3: w0.byteSwapped)
    }

    /// The number fits in 64 bits: its value; else nil.
    public var uint64: UInt64? {
        w1 | w2 | w3 == 0 ? w0 : nil
    }

    /// The sum modulo 2^256, and whether it overflowed.
    public func addingReportingOverflow(
        _ other: UInt256
    ) -> (partialValue: UInt256, overflow: Bool) {
        fatalError("unimplemented")
    }

    /// The difference modulo 2^256, and whether it went below zero.
    public func subtractingReportingOverflow(
        _ other: UInt256
    ) -> (partialValue: UInt256, overflow: Bool) {
        fatalError("unimplemented")
    }

    /// The product modulo 2^256, and whether it overflowed.
    public func multipliedReportingOverflow(
        by other: UInt256
    ) -> (partialValue: UInt256, overflow: Bool) {
        let product = multipliedFullWidth(by: other)
        return (product.low, product.high != .zero)
    }

    /// The quotient; of a division by zero the number itself and true.
    public func dividedReportingOverflow(
        by other: UInt256
    ) -> (partialValue: UInt256, overflow: Bool) {
        fatalError("unimplemented")
    }

    /// The remainder; of a division by zero the number itself and true.
    public func remainderReportingOverflow(
        dividingBy other: UInt256
    ) -> (partialValue: UInt256, overflow: Bool) {
        fatalError("unimplemented")
    }

    /// The product in 512 bits.
    public func multipliedFullWidth(by other: UInt256) -> (high: UInt256, low: UInt256) {
        fatalError("unimplemented")
    }

    /// Divides 512 bits by this number; traps, as Swift's integers do, where the quotient exceeds
    /// 256 bits. `mulDiv` is the form for values from outside.
    public func dividingFullWidth(
        _ dividend: (high: UInt256, low: UInt256)
    ) -> (quotient: UInt256, remainder: UInt256) {
        fatalError("unimplemented")
    }

    /// `floor(a * b / divisor)` over the exact 512-bit product, and the remainder; nil where the
    /// divisor is zero or the quotient exceeds 256 bits.
    public static func mulDiv(
        _ a: UInt256,
        _ b: UInt256,
        _ divisor: UInt256
    ) -> (quotient: UInt256, remainder: UInt256)? {
        let product = a.multipliedFullWidth(by: b)
        guard product.high < divisor else { return nil }
        return divisor.dividingFullWidth(product)
    }

    public static func < (left: UInt256, right: UInt256) -> Bool {
        (left.w3, left.w2, left.w1, left.w0) < (right.w3, right.w2, right.w1, right.w0)
    }

    public static func + (left: UInt256, right: UInt256) -> UInt256 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        precondition(!overflow, "UInt256 overflow in addition")
        return sum
    }

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

    public static func &<<= (left: inout UInt256, right: UInt256) {
        fatalError("unimplemented")
    }

    public static func &>>= (left: inout UInt256, right: UInt256) {
        fatalError("unimplemented")
    }
}
