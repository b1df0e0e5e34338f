import Ethereum

/// A number modulo n, the order of the group of secp256k1.
///
/// Shape: four 64-bit words, the least significant first, less than n.
///
/// It is not constant-time, and is meant for public data only.
///
/// Source: https://www.secg.org/sec2-v2.pdf, 2.4.1.
struct Scalar: Sendable {
    let words: (UInt64, UInt64, UInt64, UInt64)

    /// n.
    static let order: (UInt64, UInt64, UInt64, UInt64) = (
        0xBFD2_5E8C_D036_4141, 0xBAAE_DCE6_AF48_A03B, 0xFFFF_FFFF_FFFF_FFFE, 0xFFFF_FFFF_FFFF_FFFF
    )
    /// 2^256 - n is these two words and 2^128.
    private static let fold: (UInt64, UInt64) = (0x402D_A173_2FC9_BEBF, 0x4551_2319_50B7_5FC4)

    static let one = Scalar(words: (1, 0, 0, 0))

    private init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    /// A scalar from 32 big-endian bytes, which may be n or more.
    init(_ word: Bytes32) {
        let limbs = word.limbs
        self.init(reducing: (limbs.3, limbs.2, limbs.1, limbs.0))
    }

    /// A scalar from 32 big-endian bytes; nil unless they are from 1 to n - 1.
    init?(inRange word: Bytes32) {
        let limbs = word.limbs
        let words = (limbs.3, limbs.2, limbs.1, limbs.0)
        guard words != (0, 0, 0, 0), Self.subtracted(words, Self.order).isNegative else {
            return nil
        }
        self.words = words
    }

    /// 2^256 is less than 2n: one subtraction is enough.
    private init(reducing words: (UInt64, UInt64, UInt64, UInt64)) {
        let less = Self.subtracted(words, Self.order)
        self.words = less.isNegative ? words : less.words
    }

    /// The 32 bytes, big-endian.
    var word: Bytes32 {
        Bytes32(limbs: (words.3, words.2, words.1, words.0))
    }

    var isZero: Bool {
        words == (0, 0, 0, 0)
    }

    /// The inverse; zero for zero.
    var inverse: Scalar {
        Scalar(words: Modulus.order.inverse(of: words))
    }

    /// The one of k and n - k that is less than 2^255, and whether it is n - k.
    var smaller: (magnitude: Scalar, isNegated: Bool) {
        guard words.3 >> 63 == 1 else { return (self, false) }
        return (Scalar(words: Self.subtracted(Self.order, words).words), true)
    }

    // MARK: Multiplication

    static func * (a: Scalar, b: Scalar) -> Scalar {
        let (a, b) = (a.words, b.words)
        // Row by row, each of which adds a word times b.
        var carry: UInt64 = 0
        var p0: UInt64 = 0
        var p1: UInt64 = 0
        var p2: UInt64 = 0
        var p3: UInt64 = 0
        add(a.0, b.0, to: &p0, &carry)
        add(a.0, b.1, to: &p1, &carry)
        add(a.0, b.2, to: &p2, &carry)
        add(a.0, b.3, to: &p3, &carry)
        var p4 = carry
        carry = 0
        add(a.1, b.0, to: &p1, &carry)
        add(a.1, b.1, to: &p2, &carry)
        add(a.1, b.2, to: &p3, &carry)
        add(a.1, b.3, to: &p4, &carry)
        var p5 = carry
        carry = 0
        add(a.2, b.0, to: &p2, &carry)
        add(a.2, b.1, to: &p3, &carry)
        add(a.2, b.2, to: &p4, &carry)
        add(a.2, b.3, to: &p5, &carry)
        var p6 = carry
        carry = 0
        add(a.3, b.0, to: &p3, &carry)
        add(a.3, b.1, to: &p4, &carry)
        add(a.3, b.2, to: &p5, &carry)
        add(a.3, b.3, to: &p6, &carry)
        let once = folded((p0, p1, p2, p3), (p4, p5, p6, carry))
        // Below 2^386, then below 2^260, then hardly above 2^256, then below it.
        let twice = folded(once.low, once.high)
        let thrice = folded(twice.low, twice.high)
        let number = folded(thrice.low, thrice.high)
        return Scalar(reducing: number.low)
    }

    /// low + high * (2^256 - n): 512 bits of the same number modulo n.
    @inline(__always)
    private static func folded(
        _ low: (UInt64, UInt64, UInt64, UInt64),
        _ high: (UInt64, UInt64, UInt64, UInt64)
    ) -> (low: (UInt64, UInt64, UInt64, UInt64), high: (UInt64, UInt64, UInt64, UInt64)) {
        var (p0, p1, p2, p3) = low
        var carry: UInt64 = 0
        add(high.0, fold.0, to: &p0, &carry)
        add(high.1, fold.0, to: &p1, &carry)
        add(high.2, fold.0, to: &p2, &carry)
        add(high.3, fold.0, to: &p3, &carry)
        var p4 = carry
        carry = 0
        add(high.0, fold.1, to: &p1, &carry)
        add(high.1, fold.1, to: &p2, &carry)
        add(high.2, fold.1, to: &p3, &carry)
        add(high.3, fold.1, to: &p4, &carry)
        var p5 = carry
        carry = 0
        add(high.0, 1, to: &p2, &carry)
        add(high.1, 1, to: &p3, &carry)
        add(high.2, 1, to: &p4, &carry)
        add(high.3, 1, to: &p5, &carry)
        return ((p0, p1, p2, p3), (p4, p5, carry, 0))
    }

    /// sum += a * b + carry, with the new carry.
    @inline(__always)
    private static func add(
        _ a: UInt64,
        _ b: UInt64,
        to sum: inout UInt64,
        _ carry: inout UInt64
    ) {
        // At most (2^64 - 1)^2 + 2 (2^64 - 1) = 2^128 - 1.
        let total =
            UInt128(truncatingIfNeeded: a) &* UInt128(truncatingIfNeeded: b)
            &+ UInt128(truncatingIfNeeded: sum) &+ UInt128(truncatingIfNeeded: carry)
        sum = UInt64(truncatingIfNeeded: total)
        carry = UInt64(truncatingIfNeeded: total &>> 64)
    }

    /// a - b modulo 2^256, and whether b is greater.
    @inline(__always)
    private static func subtracted(
        _ a: (UInt64, UInt64, UInt64, UInt64),
        _ b: (UInt64, UInt64, UInt64, UInt64)
    ) -> (words: (UInt64, UInt64, UInt64, UInt64), isNegative: Bool) {
        var isLess = false
        func difference(_ a: UInt64, _ b: UInt64) -> UInt64 {
            let (first, isBelow) = a.subtractingReportingOverflow(b)
            let (second, isBelowAgain) = first.subtractingReportingOverflow(isLess ? 1 : 0)
            isLess = isBelow || isBelowAgain
            return second
        }
        let w0 = difference(a.0, b.0)
        let w1 = difference(a.1, b.1)
        let w2 = difference(a.2, b.2)
        let w3 = difference(a.3, b.3)
        return ((w0, w1, w2, w3), isLess)
    }
}
