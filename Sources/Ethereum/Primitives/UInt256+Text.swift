import StrictJSON

extension UInt256: CustomStringConvertible, LosslessStringConvertible {
    /// The number of a decimal text: ASCII digits only, no sign.
    ///
    /// Leading zeros are accepted. nil for anything else or above 2^256 - 1.
    ///
    /// Example: `UInt256(decimal: "007")` is `Optional(7)`.
    public init?(decimal text: String) {
        var text = text
        guard let value = text.withUTF8({ UInt256(digits: $0) }) else { return nil }
        self = value
    }

    /// The number of a text in any notation that is exactly an integer, without a sign.
    ///
    /// nil for anything else, above 2^256 - 1, or for a text of more than 200 characters.
    ///
    /// Example: `UInt256(whole: "1.7e+21")` is 1,700,000,000,000,000,000,000.
    package init?(whole text: String) {
        guard text.utf8.count <= 200 else { return nil }
        if let number = UInt256(decimal: text) {
            self = number
        } else {
            guard let digits = WholeNumber.digits(text) else { return nil }
            self.init(decimal: digits)
        }
    }

    /// The number of ASCII decimal digits in memory.
    package init?(digits: UnsafeBufferPointer<UInt8>) {
        var value = UInt256.zero
        var chunk: UInt64 = 0
        var scale: UInt64 = 1
        guard !digits.isEmpty else { return nil }
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            // 19 digits fit in a limb, so one wide product handles all of them.
            chunk = chunk &* 10 &+ UInt64(digit)
            scale &*= 10
            if scale == Self.chunkScale {
                guard let next = value.multiplied(by: scale, adding: chunk) else { return nil }
                value = next
                chunk = 0
                scale = 1
            }
        }
        guard let last = value.multiplied(by: scale, adding: chunk) else { return nil }
        self = last
    }

    /// The number of a JSON-RPC quantity: `0x` and 1 to 64 digits, all in any letter case.
    ///
    /// nil for anything else. Leading zeros are accepted, since some nodes send them.
    ///
    /// Example: `UInt256(quantity: "0x3e8")` is `Optional(1000)`.
    public init?(quantity text: String) {
        let characters = text.utf8
        guard (3...66).contains(characters.count), text.hasPrefix("0x") || text.hasPrefix("0X")
        else { return nil }
        var value = UInt256.zero
        for character in characters.dropFirst(2) {
            guard let digit = Hex.value(ofDigit: character) else { return nil }
            value.w3 = value.w3 &<< 4 | value.w2 &>> 60
            value.w2 = value.w2 &<< 4 | value.w1 &>> 60
            value.w1 = value.w1 &<< 4 | value.w0 &>> 60
            value.w0 = value.w0 &<< 4 | UInt64(digit)
        }
        self = value
    }

    /// The same as `init(decimal:)`.
    public init?(_ description: String) {
        self.init(decimal: description)
    }

    /// The number in decimal digits.
    public var description: String {
        // At most 78 digits, written from the end.
        var digits: InlineArray<78, UInt8> = .init(repeating: UInt8(ascii: "0"))
        var start = 78
        var end = 78
        var rest = self
        repeat {
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: Self.chunkScale)
            var chunk = remainder
            start = end
            while chunk != 0 {
                start -= 1
                digits[start] += UInt8(truncatingIfNeeded: chunk % 10)
                chunk /= 10
            }
            rest = quotient
            end -= 19
        } while rest != .zero
        let first = start == 78 ? 77 : start
        return String(unsafeUninitializedCapacity: 78 - first) { buffer in
            for index in first..<78 { buffer[index - first] = digits[index] }
            return 78 - first
        }
    }

    /// The number as a JSON-RPC quantity: `0x` without leading zeros; zero is `0x0`.
    ///
    /// Example: `UInt256(1000).quantity` is `0x3e8`.
    public var quantity: String {
        let count = self == .zero ? 1 : (259 - leadingZeroBitCount) / 4
        return String(unsafeUninitializedCapacity: count + 2) { buffer in
            buffer[0] = UInt8(ascii: "0")
            buffer[1] = UInt8(ascii: "x")
            var rest = self
            for index in (2..<count + 2).reversed() {
                buffer[index] = Hex.digit(UInt8(truncatingIfNeeded: rest.w0 & 15))
                rest.w0 = rest.w0 &>> 4 | rest.w1 &<< 60
                rest.w1 = rest.w1 &>> 4 | rest.w2 &<< 60
                rest.w2 = rest.w2 &>> 4 | rest.w3 &<< 60
                rest.w3 = rest.w3 &>> 4
            }
            return count + 2
        }
    }

    /// 10^19, the largest power of ten in a limb.
    private static let chunkScale: UInt64 = 10_000_000_000_000_000_000

    /// `self * factor + addend`; nil if it exceeds 256 bits.
    private func multiplied(by factor: UInt64, adding addend: UInt64) -> UInt256? {
        var carry = addend
        var result = UInt256.zero
        (carry, result.w0) = Self.multiply(w0, factor, 0, carry)
        (carry, result.w1) = Self.multiply(w1, factor, 0, carry)
        (carry, result.w2) = Self.multiply(w2, factor, 0, carry)
        (carry, result.w3) = Self.multiply(w3, factor, 0, carry)
        return carry == 0 ? result : nil
    }
}
