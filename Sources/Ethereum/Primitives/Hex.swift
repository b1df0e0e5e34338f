/// Hexadecimal text of bytes, as JSON-RPC and the relay API write it.
public enum Hex {
    /// Lower-case digits after `0x`, two a byte.
    ///
    /// Example: `Hex.encode([0xde, 0xad])` is `0xdead`.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let direct = bytes.withContiguousStorageIfAvailable { encode(UnsafeRawBufferPointer($0)) }
        return direct ?? Array(bytes).withUnsafeBytes { encode($0) }
    }

    /// Encodes bytes in memory.
    static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: 2 + 2 * bytes.count) { text in
            text[0] = UInt8(ascii: "0")
            text[1] = UInt8(ascii: "x")
            write(digitsOf: bytes, to: UnsafeMutableBufferPointer(rebasing: text[2...]))
            return 2 + 2 * bytes.count
        }
    }

    /// The 16 lower-case digits of a word, without `0x`.
    ///
    /// Example: `Hex.digits(0x7f3a)` is `0000000000007f3a`.
    package static func digits(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Appends lower-case digits, two a byte, without `0x`.
    package static func append(digitsOf bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * bytes.count) { text in
            write(digitsOf: bytes, to: text)
            output.append(contentsOf: text)
        }
    }

    /// Writes lower-case digits, two a byte, into memory with room for them.
    ///
    /// It handles four bytes at a time without a branch per digit, as in `word(ofDigitsAt:in:)`.
    private static func write(
        digitsOf bytes: UnsafeRawBufferPointer,
        to text: UnsafeMutableBufferPointer<UInt8>
    ) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let target = UnsafeMutableRawBufferPointer(text)
        var index = 0
        while index + 4 <= bytes.count {
            let four = bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)
            // Spreads the half-bytes until each of the eight is in its own byte.
            var halves = UInt64(UInt32(bigEndian: four))
            halves = (halves | halves &<< 16) & 0x0000_FFFF_0000_FFFF
            halves = (halves | halves &<< 8) & 0x00FF_00FF_00FF_00FF
            halves = (halves | halves &<< 4) & (ones &* 0x0F)
            // Adding 6 reaches bit 4 only for 10 to 15; their letters are 0x27 above the digits.
            let isLetter = ((halves &+ ones &* 6) &>> 4) & ones
            let digits = halves &+ ones &* 0x30 &+ isLetter &* 0x27
            target.storeBytes(of: digits.bigEndian, toByteOffset: 2 * index, as: UInt64.self)
            index += 4
        }
        for index in index..<bytes.count {
            text.initializeElement(at: 2 * index, to: digit(bytes[index] >> 4))
            text.initializeElement(at: 2 * index + 1, to: digit(bytes[index] & 15))
        }
    }

    /// The bytes of `0x` and hexadecimal digits in any letter case.
    ///
    /// Example: `try Hex.decode("0xdead")` is `[222, 173]`.
    ///
    /// - Parameter text: `0x` and an even number of digits; `0x` alone has no bytes.
    /// - Throws: `HexError` for a missing prefix, an invalid digit or an odd number of digits.
    public static func decode(_ text: String) throws(HexError) -> [UInt8] {
        var text = text
        switch text.withUTF8({ decode(characters: $0) }) {
        case .success(let bytes): return bytes
        case .failure(.missingPrefix): throw .missingPrefix(text)
        case .failure(.oddLength): throw .oddLength(text)
        case .failure(.invalidDigit): throw .invalidDigit(text)
        }
    }

    /// The bytes of a text; nil where `decode(_:)` throws.
    public static func bytes(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { decode($0) }
    }

    /// Decodes ASCII characters in memory; nil where `decode(_:)` throws.
    package static func decode(_ characters: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        try? decode(characters: characters).get()  // nil: not hexadecimal
    }

    private static func decode(
        characters: UnsafeBufferPointer<UInt8>
    ) -> Result<[UInt8], Failure> {
        guard hasPrefix(characters) else { return .failure(.missingPrefix) }
        guard characters.count.isMultiple(of: 2) else { return .failure(.oddLength) }
        let count = characters.count / 2 - 1
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, initializedCount in
            let target = UnsafeMutableRawBufferPointer(bytes)
            var index = 0
            while index + 4 <= count {
                guard let four = word(ofDigitsAt: 2 + 2 * index, in: characters) else { return }
                target.storeBytes(of: four.bigEndian, toByteOffset: index, as: UInt32.self)
                index += 4
            }
            for index in index..<count {
                guard let high = value(ofDigit: characters[2 + 2 * index]),
                    let low = value(ofDigit: characters[3 + 2 * index])
                else { return }
                bytes.initializeElement(at: index, to: high << 4 | low)
            }
            initializedCount = count
        }
        return bytes.count == count ? .success(bytes) : .failure(.invalidDigit)
    }

    private enum Failure: Error {
        case missingPrefix, oddLength, invalidDigit
    }

    /// A text begins with `0x` or `0X`.
    static func hasPrefix(_ characters: UnsafeBufferPointer<UInt8>) -> Bool {
        characters.count >= 2 && characters[0] == UInt8(ascii: "0")
            && characters[1] | 0x20 == UInt8(ascii: "x")
    }

    /// The value, 0 to 15, of an ASCII hexadecimal digit; nil for any other byte.
    @inlinable
    public static func value(ofDigit byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The value of eight ASCII hexadecimal digits, the most significant first.
    ///
    /// nil if one of them is not a digit. There is no branch per digit: a book of 10,000 orders has
    /// millions of them, and a processor cannot predict which are letters.
    ///
    /// - Parameter start: the position of the first of eight digits, which must exist.
    @inlinable
    public static func word(
        ofDigitsAt start: Int,
        in characters: UnsafeBufferPointer<UInt8>
    ) -> UInt32? {
        let text = UInt64(
            bigEndian: UnsafeRawBufferPointer(characters)
                .loadUnaligned(fromByteOffset: start, as: UInt64.self)
        )
        let ones: UInt64 = 0x0101_0101_0101_0101
        let high = ones &* 0x80
        // For bytes below 0x80 each sum below stays in its byte, and its top bit shows whether the
        // byte is at least the bound.
        guard text & high == 0 else { return nil }
        let isDigit =
            (text &+ ones &* (0x80 - 0x30)) & ~(text &+ ones &* (0x80 - 0x3A)) & high
        let lower = text | ones &* 0x20
        let isLetter =
            (lower &+ ones &* (0x80 - 0x61)) & ~(lower &+ ones &* (0x80 - 0x67)) & high
        guard isDigit | isLetter == high else { return nil }
        // The low half of a letter is 1 to 6, for 10 to 15; then pairs of half-bytes join.
        var value = (text & (ones &* 0x0F)) &+ (isLetter &>> 7) &* 9
        value = (value | value &>> 4) & 0x00FF_00FF_00FF_00FF
        value = (value | value &>> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: value | value &>> 16)
    }

    /// The lower-case ASCII digit of a value, 0 to 15.
    @inlinable
    package static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }
}

/// The reason why a text is not hexadecimal bytes.
public enum HexError: Error, Hashable, Sendable, CustomStringConvertible {
    case missingPrefix(String)
    case oddLength(String)
    case invalidDigit(String)

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .missingPrefix(let text):
            "\(text.quotedExcerpt) is not hexadecimal: it does not begin with 0x."
        case .oddLength(let text):
            "\(text.quotedExcerpt) has an odd number of hexadecimal digits; two make a byte."
        case .invalidDigit(let text):
            "\(text.quotedExcerpt) has a character that is no hexadecimal digit."
        }
    }
}
