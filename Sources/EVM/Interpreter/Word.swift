import Ethereum

// What the instructions do with words, modulo 2^256. Nothing traps.
extension UInt256 {
    @inline(__always) var isZero: Bool { w0 | w1 | w2 | w3 == 0 }
    /// Below 2^64.
    @inline(__always) var isSmall: Bool { w1 | w2 | w3 == 0 }
    @inline(__always) private var isNegative: Bool { w3 >> 63 == 1 }
    private static let ones = UInt256(w0: .max, w1: .max, w2: .max, w3: .max)

    @inline(__always)
    init(_ flag: Bool) { self.init(w0: flag ? 1 : 0, w1: 0, w2: 0, w3: 0) }

    @inline(__always)
    init(small value: UInt64) { self.init(w0: value, w1: 0, w2: 0, w3: 0) }

    /// The word at an address, big-endian.
    @inline(__always)
    init(loading start: UnsafePointer<UInt8>) {
        let raw = UnsafeRawPointer(start)
        self.init(
            w0: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 24, as: UInt64.self)),
            w1: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
            w2: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
            w3: UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self))
        )
    }

    @inline(__always)
    func store(to start: UnsafeMutablePointer<UInt8>) {
        let raw = UnsafeMutableRawPointer(start)
        raw.storeBytes(of: w3.bigEndian, as: UInt64.self)
        raw.storeBytes(of: w2.bigEndian, toByteOffset: 8, as: UInt64.self)
        raw.storeBytes(of: w1.bigEndian, toByteOffset: 16, as: UInt64.self)
        raw.storeBytes(of: w0.bigEndian, toByteOffset: 24, as: UInt64.self)
    }

    // MARK: Arithmetic

    @inline(__always)
    func adding(_ other: UInt256) -> UInt256 {
        let (low, carry0) = w0.addingReportingOverflow(other.w0)
        let (second, carry1) = Self.add(w1, other.w1, carry0)
        let (third, carry2) = Self.add(w2, other.w2, carry1)
        let high = w3 &+ other.w3 &+ (carry2 ? 1 : 0)
        return UInt256(w0: low, w1: second, w2: third, w3: high)
    }

    @inline(__always)
    func subtracting(_ other: UInt256) -> UInt256 {
        let (low, borrow0) = w0.subtractingReportingOverflow(other.w0)
        let (second, borrow1) = Self.subtract(w1, other.w1, borrow0)
        let (third, borrow2) = Self.subtract(w2, other.w2, borrow1)
        let high = w3 &- other.w3 &- (borrow2 ? 1 : 0)
        return UInt256(w0: low, w1: second, w2: third, w3: high)
    }

    @inline(__always)
    private static func add(_ a: UInt64, _ b: UInt64, _ carry: Bool) -> (UInt64, Bool) {
        let (sum, first) = a.addingReportingOverflow(b)
        let (total, second) = sum.addingReportingOverflow(carry ? 1 : 0)
        return (total, first || second)
    }

    @inline(__always)
    private static func subtract(_ a: UInt64, _ b: UInt64, _ borrow: Bool) -> (UInt64, Bool) {
        let (difference, first) = a.subtractingReportingOverflow(b)
        let (total, second) = difference.subtractingReportingOverflow(borrow ? 1 : 0)
        return (total, first || second)
    }

    private var negated: UInt256 { UInt256.zero.subtracting(self) }

    @inline(__always)
    func multiplied(by other: UInt256) -> UInt256 {
        if isSmall, other.isSmall {
            let product = w0.multipliedFullWidth(by: other.w0)
            return UInt256(w0: product.low, w1: product.high, w2: 0, w3: 0)
        }
        return wideProduct(other)
    }

    @inline(never)
    private func wideProduct(_ other: UInt256) -> UInt256 { multipliedFullWidth(by: other).low }

    /// The quotient; 0 for a division by 0.
    @inline(__always)
    func divided(by other: UInt256) -> UInt256 {
        if other.isZero { return .zero }
        if isSmall, other.isSmall { return UInt256(small: w0 / other.w0) }
        return quotientAndRemainder(dividingBy: other).quotient
    }

    /// The remainder; 0 for a division by 0.
    @inline(__always)
    func remainder(dividingBy other: UInt256) -> UInt256 {
        if other.isZero { return .zero }
        if isSmall, other.isSmall { return UInt256(small: w0 % other.w0) }
        return quotientAndRemainder(dividingBy: other).remainder
    }

    func signedDivided(by other: UInt256) -> UInt256 {
        let quotient = (isNegative ? negated : self)
            .divided(by: other.isNegative ? other.negated : other)
        return isNegative != other.isNegative ? quotient.negated : quotient
    }

    func signedRemainder(dividingBy other: UInt256) -> UInt256 {
        let rest = (isNegative ? negated : self)
            .remainder(dividingBy: other.isNegative ? other.negated : other)
        return isNegative ? rest.negated : rest
    }

    func adding(_ other: UInt256, modulo modulus: UInt256) -> UInt256 {
        guard !modulus.isZero else { return .zero }
        let (sum, overflow) = addingReportingOverflow(other)
        return Self.reduce(UInt256(overflow), sum, modulus)
    }

    func multiplied(by other: UInt256, modulo modulus: UInt256) -> UInt256 {
        guard !modulus.isZero else { return .zero }
        let product = multipliedFullWidth(by: other)
        return Self.reduce(product.high, product.low, modulus)
    }

    private static func reduce(_ high: UInt256, _ low: UInt256, _ modulus: UInt256) -> UInt256 {
        modulus.dividingFullWidth((high.remainder(dividingBy: modulus), low)).remainder
    }

    func raised(to exponent: UInt256) -> UInt256 {
        var (power, factor, rest) = (UInt256(small: 1), self, exponent)
        while !rest.isZero {
            if rest.w0 & 1 == 1 { power = power.multiplied(by: factor) }
            factor = factor.multiplied(by: factor)
            rest = rest.shiftedRight(1)
        }
        return power
    }

    /// How many bytes it has without leading zeros.
    var byteCount: Int64 { Int64((263 - leadingZeroBitCount) / 8) }

    // MARK: Comparison

    @inline(__always)
    func isBelow(_ other: UInt256) -> Bool {
        if w3 != other.w3 { return w3 < other.w3 }
        if w2 != other.w2 { return w2 < other.w2 }
        if w1 != other.w1 { return w1 < other.w1 }
        return w0 < other.w0
    }

    @inline(__always)
    func isSignedBelow(_ other: UInt256) -> Bool {
        isNegative != other.isNegative ? isNegative : isBelow(other)
    }

    // MARK: Bits

    @inline(__always)
    var inverted: UInt256 { UInt256(w0: ~w0, w1: ~w1, w2: ~w2, w3: ~w3) }

    /// - Parameter count: of bits, below 256.
    @inline(__always)
    func shiftedRight(_ count: UInt64) -> UInt256 {
        let (limbs, bits) = (count >> 6, count & 63)
        var word = self
        if limbs & 2 != 0 { word = UInt256(w0: word.w2, w1: word.w3, w2: 0, w3: 0) }
        if limbs & 1 != 0 { word = UInt256(w0: word.w1, w1: word.w2, w2: word.w3, w3: 0) }
        guard bits != 0 else { return word }
        return UInt256(
            w0: word.w0 &>> bits | word.w1 &<< (64 &- bits),
            w1: word.w1 &>> bits | word.w2 &<< (64 &- bits),
            w2: word.w2 &>> bits | word.w3 &<< (64 &- bits),
            w3: word.w3 &>> bits
        )
    }

    /// - Parameter count: of bits, below 256.
    @inline(__always)
    func shiftedLeft(_ count: UInt64) -> UInt256 {
        let (limbs, bits) = (count >> 6, count & 63)
        var word = self
        if limbs & 2 != 0 { word = UInt256(w0: 0, w1: 0, w2: word.w0, w3: word.w1) }
        if limbs & 1 != 0 { word = UInt256(w0: 0, w1: word.w0, w2: word.w1, w3: word.w2) }
        guard bits != 0 else { return word }
        return UInt256(
            w0: word.w0 &<< bits,
            w1: word.w1 &<< bits | word.w0 &>> (64 &- bits),
            w2: word.w2 &<< bits | word.w1 &>> (64 &- bits),
            w3: word.w3 &<< bits | word.w2 &>> (64 &- bits)
        )
    }

    @inline(__always)
    private var isBeyondBits: Bool { !isSmall || w0 > 255 }

    @inline(__always)
    func leftShift(by count: UInt256) -> UInt256 {
        count.isBeyondBits ? .zero : shiftedLeft(count.w0)
    }

    @inline(__always)
    func rightShift(by count: UInt256) -> UInt256 {
        count.isBeyondBits ? .zero : shiftedRight(count.w0)
    }

    func signedRightShift(by count: UInt256) -> UInt256 {
        guard !count.isBeyondBits else { return isNegative ? Self.ones : .zero }
        let shifted = shiftedRight(count.w0)
        guard isNegative, count.w0 != 0 else { return shifted }
        let sign = Self.ones.shiftedLeft(256 - count.w0)
        return UInt256(
            w0: shifted.w0 | sign.w0,
            w1: shifted.w1 | sign.w1,
            w2: shifted.w2 | sign.w2,
            w3: shifted.w3 | sign.w3
        )
    }

    /// A number of so many bytes and one, in two's complement, as a word.
    func signExtended(from byte: UInt256) -> UInt256 {
        guard byte.isSmall, byte.w0 < 31 else { return self }
        let count = 8 * (31 - byte.w0)
        return shiftedLeft(count).signedRightShift(by: UInt256(small: count))
    }

    /// The byte at an index from the highest.
    @inline(__always)
    func byte(at index: UInt256) -> UInt256 {
        guard index.isSmall, index.w0 < 32 else { return .zero }
        return UInt256(small: shiftedRight(8 &* (31 &- index.w0)).w0 & 0xFF)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The 32 bytes at an offset; zeros behind the end.
    @inline(__always)
    func word(at offset: UInt256) -> UInt256 {
        guard offset.isSmall, offset.w0 < UInt64(count), let baseAddress else { return .zero }
        let first = Int(offset.w0)
        guard count - first < 32 else { return UInt256(loading: baseAddress + first) }
        return UInt256(rest: UnsafeBufferPointer(rebasing: self[first...]))
    }
}

extension UInt256 {
    /// At most 32 bytes, and zeros behind them.
    @inline(never)
    fileprivate init(rest bytes: UnsafeBufferPointer<UInt8>) {
        let number = UInt256(bigEndian: bytes) ?? .zero
        self = number.leftShift(by: UInt256(small: UInt64(8 * (32 - bytes.count))))
    }
}
