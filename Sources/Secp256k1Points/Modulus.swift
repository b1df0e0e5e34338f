/// An odd prime below 2^256, for inversion.
///
/// Source: D. Bernstein and B.-Y. Yang, Fast constant-time gcd computation and modular inversion,
/// https://eprint.iacr.org/2019/266. Division steps are done 62 at a time on the lowest bits alone.
/// This one takes more time for some numbers than for others: it is meant for public data only.
struct Modulus: Sendable {
    private let modulus: SignedLimbs
    /// The inverse of the modulus modulo 2^62.
    private let inverse62: UInt64

    /// The field's prime.
    static let field = Modulus(
        (
            0xFFFF_FFFE_FFFF_FC2F, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF,
            0xFFFF_FFFF_FFFF_FFFF
        )
    )
    /// The group's order.
    static let order = Modulus(Scalar.order)

    /// A modulus from four 64-bit words, the least significant first.
    private init(_ words: (UInt64, UInt64, UInt64, UInt64)) {
        modulus = SignedLimbs(words)
        // An odd number is its own inverse modulo 8; each round doubles the number of bits.
        var inverse = words.0
        for _ in 0..<5 { inverse = inverse &* (2 &- words.0 &* inverse) }
        inverse62 = inverse & SignedLimbs.mask
    }

    /// The inverse of a number that is less than the modulus; zero for zero.
    func inverse(
        of words: (UInt64, UInt64, UInt64, UInt64)
    ) -> (UInt64, UInt64, UInt64, UInt64) {
        // Always f = d * number and g = e * number, modulo the modulus.
        var f = modulus
        var g = SignedLimbs(words)
        var d = SignedLimbs((0, 0, 0, 0))
        var e = SignedLimbs((1, 0, 0, 0))
        var delta = 1
        // The greatest common divisor is in f once g is zero: after 12 rounds at the latest, says
        // theorem 11.2 of the source.
        while !g.isZero {
            let steps = Self.divisionSteps(&delta, f.lowest, g.lowest)
            (f, g) = (
                SignedLimbs.combined(steps.u, f, steps.v, g),
                SignedLimbs.combined(steps.q, f, steps.r, g)
            )
            (d, e) = (
                reducedCombination(steps.u, d, steps.v, e),
                reducedCombination(steps.q, d, steps.r, e)
            )
        }
        // A round adds less than the modulus to the size of d, which 310 bits hold.
        if f.isNegative { d = d.adding(d, times: -2) }
        while d.isNegative { d = d.adding(modulus, times: 1) }
        while true {
            let less = d.adding(modulus, times: -1)
            guard !less.isNegative else { return d.words }
            d = less
        }
    }

    /// The matrix of 62 division steps, times 2^62.
    private struct Steps {
        var u: Int64 = 1
        var v: Int64 = 0
        var q: Int64 = 0
        var r: Int64 = 1
    }

    /// 62 division steps, which depend on the lowest 62 bits of f and g alone.
    private static func divisionSteps(_ delta: inout Int, _ f: UInt64, _ g: UInt64) -> Steps {
        var steps = Steps()
        var (f, g) = (f, g)
        var left = 62
        while true {
            // Steps with an even g halve it.
            let zeros = (g | UInt64.max &<< UInt64(left)).trailingZeroBitCount
            g &>>= UInt64(zeros)
            steps.u &<<= Int64(zeros)
            steps.v &<<= Int64(zeros)
            delta &+= zeros
            left &-= zeros
            guard left > 0 else { return steps }
            if delta > 0 {
                (f, g) = (g, 0 &- f)
                (steps.u, steps.q) = (steps.q, 0 &- steps.u)
                (steps.v, steps.r) = (steps.r, 0 &- steps.v)
                delta = 0 &- delta
            }
            // Until delta is positive, steps only add f to an odd g: up to six of them at once.
            let count = min(left, 1 &- delta, 6)
            let inverse = f &* (2 &- f &* f)
            let factor = (0 &- g &* inverse) & ((1 &<< UInt64(count)) &- 1)
            g &+= f &* factor
            let signed = Int64(truncatingIfNeeded: factor)
            steps.q &+= steps.u &* signed
            steps.r &+= steps.v &* signed
        }
    }

    /// (a * x + b * y) / 2^62 modulo the modulus, greater by less than the modulus than x and y.
    @inline(__always)
    private func reducedCombination(
        _ a: Int64,
        _ x: SignedLimbs,
        _ b: Int64,
        _ y: SignedLimbs
    ) -> SignedLimbs {
        let lowest = UInt64(bitPattern: a) &* x.lowest &+ UInt64(bitPattern: b) &* y.lowest
        let factor = (0 &- lowest &* inverse62) & SignedLimbs.mask
        return SignedLimbs.combined(
            a,
            x,
            b,
            y,
            Int64(truncatingIfNeeded: factor),
            modulus
        )
    }
}

/// A signed number below 2^309: five limbs to the base 2^62, the least significant first.
///
/// All but the highest are from 0 to 2^62 - 1; the highest has the sign.
struct SignedLimbs: Sendable {
    private var l0: Int64
    private var l1: Int64
    private var l2: Int64
    private var l3: Int64
    private var l4: Int64

    static let mask = UInt64.max >> 2

    init(_ words: (UInt64, UInt64, UInt64, UInt64)) {
        let (w0, w1, w2, w3) = words
        l0 = Int64(truncatingIfNeeded: w0 & Self.mask)
        l1 = Int64(truncatingIfNeeded: (w0 &>> 62 | w1 &<< 2) & Self.mask)
        l2 = Int64(truncatingIfNeeded: (w1 &>> 60 | w2 &<< 4) & Self.mask)
        l3 = Int64(truncatingIfNeeded: (w2 &>> 58 | w3 &<< 6) & Self.mask)
        l4 = Int64(truncatingIfNeeded: w3 &>> 56)
    }

    @inline(__always)
    private init(limbs: (Int64, Int64, Int64, Int64, Int64)) {
        (l0, l1, l2, l3, l4) = limbs
    }

    var lowest: UInt64 {
        UInt64(bitPattern: l0)
    }

    var isZero: Bool {
        l0 | l1 | l2 | l3 | l4 == 0
    }

    var isNegative: Bool {
        l4 < 0
    }

    /// The number modulo 2^256 in four 64-bit words, the least significant first.
    var words: (UInt64, UInt64, UInt64, UInt64) {
        let n0 = UInt64(bitPattern: l0)
        let n1 = UInt64(bitPattern: l1)
        let n2 = UInt64(bitPattern: l2)
        let n3 = UInt64(bitPattern: l3)
        let n4 = UInt64(bitPattern: l4)
        return (n0 | n1 &<< 62, n1 &>> 2 | n2 &<< 60, n2 &>> 4 | n3 &<< 58, n3 &>> 6 | n4 &<< 56)
    }

    /// This number and a small multiple of another one.
    func adding(_ other: SignedLimbs, times factor: Int64) -> SignedLimbs {
        let s0 = l0 &+ factor &* other.l0
        let s1 = l1 &+ factor &* other.l1 &+ s0 &>> 62
        let s2 = l2 &+ factor &* other.l2 &+ s1 &>> 62
        let s3 = l3 &+ factor &* other.l3 &+ s2 &>> 62
        return SignedLimbs(
            limbs: (
                Self.low(s0), Self.low(s1), Self.low(s2), Self.low(s3),
                l4 &+ factor &* other.l4 &+ s3 &>> 62
            )
        )
    }

    @inline(__always)
    private static func low(_ number: Int64) -> Int64 {
        number & Int64(truncatingIfNeeded: mask)
    }

    @inline(__always)
    private static func wide(_ a: Int64, _ b: Int64) -> Int128 {
        Int128(truncatingIfNeeded: a) &* Int128(truncatingIfNeeded: b)
    }

    @inline(__always)
    private static func low(_ number: Int128) -> Int64 {
        low(Int64(truncatingIfNeeded: number))
    }

    /// (a * x + b * y) / 2^62, which has no remainder.
    @inline(__always)
    static func combined(
        _ a: Int64,
        _ x: SignedLimbs,
        _ b: Int64,
        _ y: SignedLimbs
    ) -> SignedLimbs {
        let s0 = wide(a, x.l0) &+ wide(b, y.l0)
        let s1 = wide(a, x.l1) &+ wide(b, y.l1) &+ s0 &>> 62
        let s2 = wide(a, x.l2) &+ wide(b, y.l2) &+ s1 &>> 62
        let s3 = wide(a, x.l3) &+ wide(b, y.l3) &+ s2 &>> 62
        let s4 = wide(a, x.l4) &+ wide(b, y.l4) &+ s3 &>> 62
        return SignedLimbs(
            limbs: (low(s1), low(s2), low(s3), low(s4), Int64(truncatingIfNeeded: s4 &>> 62))
        )
    }

    /// (a * x + b * y + c * z) / 2^62, which has no remainder.
    @inline(__always)
    static func combined(
        _ a: Int64,
        _ x: SignedLimbs,
        _ b: Int64,
        _ y: SignedLimbs,
        _ c: Int64,
        _ z: SignedLimbs
    ) -> SignedLimbs {
        let s0 = wide(a, x.l0) &+ wide(b, y.l0) &+ wide(c, z.l0)
        let s1 = wide(a, x.l1) &+ wide(b, y.l1) &+ wide(c, z.l1) &+ s0 &>> 62
        let s2 = wide(a, x.l2) &+ wide(b, y.l2) &+ wide(c, z.l2) &+ s1 &>> 62
        let s3 = wide(a, x.l3) &+ wide(b, y.l3) &+ wide(c, z.l3) &+ s2 &>> 62
        let s4 = wide(a, x.l4) &+ wide(b, y.l4) &+ wide(c, z.l4) &+ s3 &>> 62
        return SignedLimbs(
            limbs: (low(s1), low(s2), low(s3), low(s4), Int64(truncatingIfNeeded: s4 &>> 62))
        )
    }
}
