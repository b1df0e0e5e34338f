import Ethereum

/// An element of the field of secp256k1: a number modulo p = 2^256 - 2^32 - 977.
///
/// Shape: five limbs to the base 2^52, the least significant first, for arithmetic in registers.
/// A number has many forms, of which two matter: a *tidy* one has limbs below 2^52 + 2^46; a
/// *loose* one has limbs of at most 2^54, and may only be multiplied or made tidy. Nothing
/// overflows if every function gets the form that it asks for.
///
/// It is not constant-time, and is meant for public data only.
///
/// Source: https://www.secg.org/sec2-v2.pdf, 2.4.1.
struct FieldElement: Sendable {
    private var l0: UInt64
    private var l1: UInt64
    private var l2: UInt64
    private var l3: UInt64
    private var l4: UInt64

    /// The 52 bits of a limb.
    private static let mask: UInt64 = 0xF_FFFF_FFFF_FFFF
    /// The 48 bits of the highest limb of a number below 2^256.
    private static let topMask: UInt64 = 0xFFFF_FFFF_FFFF
    /// 2^256 and 2^260 modulo p.
    private static let fold256: UInt64 = 0x1_0000_03D1
    private static let fold260: UInt64 = 0x10_0000_3D10
    /// The lowest limb of 16p; the others have all their 52 bits.
    private static let lowest: UInt64 = 0xF_FFEF_FFFF_C2F0

    /// Any five limbs.
    @inline(__always)
    init(limbs: (UInt64, UInt64, UInt64, UInt64, UInt64)) {
        (l0, l1, l2, l3, l4) = limbs
    }

    /// A tidy element from four 64-bit words, the least significant first; any number will do.
    @inline(__always)
    init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64) {
        l0 = w0 & Self.mask
        l1 = (w0 &>> 52 | w1 &<< 12) & Self.mask
        l2 = (w1 &>> 40 | w2 &<< 24) & Self.mask
        l3 = (w2 &>> 28 | w3 &<< 36) & Self.mask
        l4 = w3 &>> 16
    }

    /// A tidy element from 32 big-endian bytes, modulo p.
    @inline(__always)
    init(_ word: Bytes32) {
        let limbs = word.limbs
        self.init(limbs.3, limbs.2, limbs.1, limbs.0)
    }

    static var one: FieldElement {
        FieldElement(limbs: (1, 0, 0, 0, 0))
    }

    // MARK: Multiplication

    // Factors are shifted by 6 bits, so that the 128 bits of a product are a limb's 52 bits above
    // bit 12, and what the next limb gets above bit 64. No carry is waited for until the end.

    @inline(__always)
    private static func wide(_ a: UInt64, _ b: UInt64) -> UInt128 {
        UInt128(truncatingIfNeeded: a) &* UInt128(truncatingIfNeeded: b)
    }

    @inline(__always)
    private static func low(_ column: UInt128) -> UInt64 {
        UInt64(truncatingIfNeeded: column) &>> 12
    }

    @inline(__always)
    private static func high(_ column: UInt128) -> UInt64 {
        UInt64(truncatingIfNeeded: column &>> 64)
    }

    /// The tidy product of two elements of any form.
    @inline(__always)
    static func * (a: FieldElement, b: FieldElement) -> FieldElement {
        let (a0, a1, a2, a3, a4) = a.shifted(by: 6)
        let (b0, b1, b2, b3, b4) = b.shifted(by: 6)
        return reduced(
            wide(a0, b0),
            wide(a0, b1) &+ wide(a1, b0),
            wide(a0, b2) &+ wide(a1, b1) &+ wide(a2, b0),
            wide(a0, b3) &+ wide(a1, b2) &+ wide(a2, b1) &+ wide(a3, b0),
            wide(a0, b4) &+ wide(a1, b3) &+ wide(a2, b2) &+ wide(a3, b1) &+ wide(a4, b0),
            wide(a1, b4) &+ wide(a2, b3) &+ wide(a3, b2) &+ wide(a4, b1),
            wide(a2, b4) &+ wide(a3, b3) &+ wide(a4, b2),
            wide(a3, b4) &+ wide(a4, b3),
            wide(a4, b4)
        )
    }

    /// The tidy square of an element of any form.
    @inline(__always)
    var squared: FieldElement {
        let (a0, a1, a2, a3, a4) = shifted(by: 6)
        let (d0, d1, d2, d3, _) = shifted(by: 7)
        return Self.reduced(
            Self.wide(a0, a0),
            Self.wide(d0, a1),
            Self.wide(d0, a2) &+ Self.wide(a1, a1),
            Self.wide(d0, a3) &+ Self.wide(d1, a2),
            Self.wide(d0, a4) &+ Self.wide(d1, a3) &+ Self.wide(a2, a2),
            Self.wide(d1, a4) &+ Self.wide(d2, a3),
            Self.wide(d2, a4) &+ Self.wide(a3, a3),
            Self.wide(d3, a4),
            Self.wide(a4, a4)
        )
    }

    @inline(__always)
    private func shifted(by bits: UInt64) -> (UInt64, UInt64, UInt64, UInt64, UInt64) {
        (l0 &<< bits, l1 &<< bits, l2 &<< bits, l3 &<< bits, l4 &<< bits)
    }

    /// A tidy element from the columns of a product, each below 2^123.
    @inline(__always)
    private static func reduced(
        _ c0: UInt128,
        _ c1: UInt128,
        _ c2: UInt128,
        _ c3: UInt128,
        _ c4: UInt128,
        _ c5: UInt128,
        _ c6: UInt128,
        _ c7: UInt128,
        _ c8: UInt128
    ) -> FieldElement {
        // Limbs 5 to 9, each below 2^59 + 2^52, are folded onto 0 to 4.
        let fold = fold260 &<< 12
        let s0 = c0 &+ wide(low(c5), fold)
        let s1 = c1 &+ wide(high(c5) &+ low(c6), fold)
        let s2 = c2 &+ wide(high(c6) &+ low(c7), fold)
        let s3 = c3 &+ wide(high(c7) &+ low(c8), fold)
        let s4 = c4 &+ wide(high(c8), fold)
        let top = wide(high(s4), fold)
        let t0 = low(s0) &+ low(top)
        let t1 = low(s1) &+ high(s0) &+ high(top) &+ (t0 &>> 52)
        let t2 = low(s2) &+ high(s1) &+ (t1 &>> 52)
        let t3 = low(s3) &+ high(s2) &+ (t2 &>> 52)
        let t4 = low(s4) &+ high(s3) &+ (t3 &>> 52)
        return FieldElement(
            limbs: (
                (t0 & mask) &+ (t4 &>> 52) &* fold260, t1 & mask, t2 & mask, t3 & mask, t4 & mask
            )
        )
    }

    // MARK: Sums

    /// The loose difference of two tidy elements.
    @inline(__always)
    static func - (a: FieldElement, b: FieldElement) -> FieldElement {
        // 32p is more than any tidy element, limb by limb.
        FieldElement(
            limbs: (
                a.l0 &+ 2 &* lowest &- b.l0, a.l1 &+ 2 &* mask &- b.l1, a.l2 &+ 2 &* mask &- b.l2,
                a.l3 &+ 2 &* mask &- b.l3, a.l4 &+ 2 &* mask &- b.l4
            )
        )
    }

    /// The tidy difference of a tidy element and two others.
    @inline(__always)
    func minus(_ b: FieldElement, _ c: FieldElement) -> FieldElement {
        FieldElement(
            limbs: (
                l0 &+ 4 &* Self.lowest &- b.l0 &- c.l0, l1 &+ 4 &* Self.mask &- b.l1 &- c.l1,
                l2 &+ 4 &* Self.mask &- b.l2 &- c.l2, l3 &+ 4 &* Self.mask &- b.l3 &- c.l3,
                l4 &+ 4 &* Self.mask &- b.l4 &- c.l4
            )
        ).tidy
    }

    /// The sum of the limbs of two elements: loose if both are tidy.
    @inline(__always)
    static func + (a: FieldElement, b: FieldElement) -> FieldElement {
        FieldElement(
            limbs: (a.l0 &+ b.l0, a.l1 &+ b.l1, a.l2 &+ b.l2, a.l3 &+ b.l3, a.l4 &+ b.l4)
        )
    }

    /// The tidy opposite of a tidy element if the mask is all ones, the element if it is zero.
    @inline(__always)
    func negated(if negative: UInt64) -> FieldElement {
        // 32p - y is the complement of y, and 32p + 1.
        FieldElement(
            limbs: (
                (l0 ^ negative) &+ ((2 &* Self.lowest &+ 1) & negative),
                (l1 ^ negative) &+ ((2 &* Self.mask &+ 1) & negative),
                (l2 ^ negative) &+ ((2 &* Self.mask &+ 1) & negative),
                (l3 ^ negative) &+ ((2 &* Self.mask &+ 1) & negative),
                (l4 ^ negative) &+ ((2 &* Self.mask &+ 1) & negative)
            )
        ).tidy
    }

    /// The same number in tidy form, from limbs below 2^60.
    @inline(__always)
    var tidy: FieldElement {
        var rest = self
        rest.l4 &= Self.mask
        return rest.carried(adding: (l4 &>> 52) &* Self.fold260)
    }

    // MARK: The number

    /// The same number with a highest limb of 48 bits and a carry, from limbs below 2^60.
    private var folded: FieldElement {
        var rest = self
        rest.l4 &= Self.topMask
        return rest.carried(adding: (l4 &>> 48) &* Self.fold256)
    }

    /// A sum with all limbs but the highest below 2^52.
    @inline(__always)
    private func carried(adding number: UInt64) -> FieldElement {
        let s0 = l0 &+ number
        let s1 = l1 &+ (s0 &>> 52)
        let s2 = l2 &+ (s1 &>> 52)
        let s3 = l3 &+ (s2 &>> 52)
        return FieldElement(
            limbs: (
                s0 & Self.mask, s1 & Self.mask, s2 & Self.mask, s3 & Self.mask,
                l4 &+ (s3 &>> 52)
            )
        )
    }

    /// The number from 0 to p - 1, in four 64-bit words, the least significant first.
    var words: (UInt64, UInt64, UInt64, UInt64) {
        // First hardly above 2^256, then below it, and so below 2p.
        let number = folded.folded
        // It is p or more exactly if adding 2^256 - p carries into bit 256.
        let beyond = number.carried(adding: Self.fold256)
        let minimum = beyond.l4 &>> 48 == 1 ? beyond : number
        return (
            minimum.l0 | minimum.l1 &<< 52, minimum.l1 &>> 12 | minimum.l2 &<< 40,
            minimum.l2 &>> 24 | minimum.l3 &<< 28,
            minimum.l3 &>> 36 | (minimum.l4 & Self.topMask) &<< 16
        )
    }

    /// The number from 0 to p - 1: 32 bytes, big-endian.
    var word: Bytes32 {
        let words = words
        return Bytes32(limbs: (words.3, words.2, words.1, words.0))
    }

    /// The number is zero; any form will do.
    var isZero: Bool {
        words == (0, 0, 0, 0)
    }

    /// The tidy inverse of an element of any form; zero for zero.
    var inverse: FieldElement {
        let inverse = Modulus.field.inverse(of: words)
        return FieldElement(inverse.0, inverse.1, inverse.2, inverse.3)
    }
}
