extension UInt256 {
    /// The four 64-bit words of a number, the least significant first; no allocation.
    public struct Words: RandomAccessCollection, Sendable {
        fileprivate let value: UInt256

        /// 0.
        public var startIndex: Int { 0 }
        /// 4.
        public var endIndex: Int { 4 }

        /// One word; 0 is the least significant.
        public subscript(position: Int) -> UInt {
            switch position {
            case 0: return UInt(value.w0)
            case 1: return UInt(value.w1)
            case 2: return UInt(value.w2)
            default:
                precondition(position == 3, "word index out of range")
                return UInt(value.w3)
            }
        }
    }

    /// A number from an integer literal from 0 to 2^256 - 1; others trap, like Swift's literals.
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
        let fill: UInt64 = source < 0 ? .max : 0
        var words = source.words.makeIterator()
        let w0 = words.next().map { UInt64($0) } ?? fill
        let w1 = words.next().map { UInt64($0) } ?? fill
        let w2 = words.next().map { UInt64($0) } ?? fill
        let w3 = words.next().map { UInt64($0) } ?? fill
        self.init(w0: w0, w1: w1, w2: w2, w3: w3)
    }

    /// The low 64 bits.
    public init(_truncatingBits bits: UInt) {
        self.init(UInt64(bits))
    }

    /// The words, the least significant first.
    public var words: Words {
        Words(value: self)
    }

    /// The number of zero bits above the highest one.
    public var leadingZeroBitCount: Int {
        if w3 != 0 { return w3.leadingZeroBitCount }
        if w2 != 0 { return 64 + w2.leadingZeroBitCount }
        if w1 != 0 { return 128 + w1.leadingZeroBitCount }
        return 192 + w0.leadingZeroBitCount
    }

    /// The number of zero bits below the lowest one.
    public var trailingZeroBitCount: Int {
        if w0 != 0 { return w0.trailingZeroBitCount }
        if w1 != 0 { return 64 + w1.trailingZeroBitCount }
        if w2 != 0 { return 128 + w2.trailingZeroBitCount }
        return 192 + w3.trailingZeroBitCount
    }

    /// The number of one bits.
    public var nonzeroBitCount: Int {
        w0.nonzeroBitCount + w1.nonzeroBitCount + w2.nonzeroBitCount + w3.nonzeroBitCount
    }

    /// The number with its bytes reversed.
    public var byteSwapped: UInt256 {
        UInt256(w0: w3.byteSwapped, w1: w2.byteSwapped, w2: w1.byteSwapped, w3: w0.byteSwapped)
    }

    /// The value if it fits in 64 bits; else nil.
    ///
    /// Example: `UInt256.max.uint64` is `nil`.
    public var uint64: UInt64? {
        w1 | w2 | w3 == 0 ? w0 : nil
    }

    /// Shifts to the left; bits beyond the 256th are lost, a negative amount shifts to the right.
    ///
    /// It matches the standard library's generic operator and is ten times as fast.
    public static func << (left: UInt256, right: Int) -> UInt256 {
        if right < 0 { return right > -256 ? left &>> UInt256(UInt64(-right)) : .zero }
        return right < 256 ? left &<< UInt256(UInt64(right)) : .zero
    }

    /// Shifts to the right; bits below the first are lost, a negative amount shifts to the left.
    ///
    /// It matches the standard library's generic operator and is ten times as fast.
    public static func >> (left: UInt256, right: Int) -> UInt256 {
        if right < 0 { return right > -256 ? left &<< UInt256(UInt64(-right)) : .zero }
        return right < 256 ? left &>> UInt256(UInt64(right)) : .zero
    }

    public static func <<= (left: inout UInt256, right: Int) { left = left << right }
    public static func >>= (left: inout UInt256, right: Int) { left = left >> right }

    /// Shifts to the left by the low eight bits of the right side: 256 shifts by 0.
    public static func &<<= (left: inout UInt256, right: UInt256) {
        let bits = right.w0 & 63
        switch right.w0 & 192 {
        case 64: left = UInt256(w0: 0, w1: left.w0, w2: left.w1, w3: left.w2)
        case 128: left = UInt256(w0: 0, w1: 0, w2: left.w0, w3: left.w1)
        case 192: left = UInt256(w0: 0, w1: 0, w2: 0, w3: left.w0)
        default: break
        }
        // A shift by 64 - 0 would be masked to a shift by 0.
        guard bits != 0 else { return }
        left = UInt256(
            w0: left.w0 &<< bits,
            w1: left.w1 &<< bits | left.w0 &>> (64 - bits),
            w2: left.w2 &<< bits | left.w1 &>> (64 - bits),
            w3: left.w3 &<< bits | left.w2 &>> (64 - bits)
        )
    }

    /// Shifts to the right by the low eight bits of the right side: 256 shifts by 0.
    public static func &>>= (left: inout UInt256, right: UInt256) {
        let bits = right.w0 & 63
        switch right.w0 & 192 {
        case 64: left = UInt256(w0: left.w1, w1: left.w2, w2: left.w3, w3: 0)
        case 128: left = UInt256(w0: left.w2, w1: left.w3, w2: 0, w3: 0)
        case 192: left = UInt256(w0: left.w3, w1: 0, w2: 0, w3: 0)
        default: break
        }
        guard bits != 0 else { return }
        left = UInt256(
            w0: left.w0 &>> bits | left.w1 &<< (64 - bits),
            w1: left.w1 &>> bits | left.w2 &<< (64 - bits),
            w2: left.w2 &>> bits | left.w3 &<< (64 - bits),
            w3: left.w3 &>> bits
        )
    }
}

extension UInt64 {
    /// The number, or 2^64 - 1 if it is larger.
    ///
    /// The same as the general initializer, which looks at any integer word by word.
    public init(clamping number: UInt256) {
        self = number.w1 | number.w2 | number.w3 == 0 ? number.w0 : .max
    }
}
