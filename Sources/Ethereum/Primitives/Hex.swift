/// Hexadecimal text of bytes, as JSON-RPC and the relay API write it.
public enum Hex {
    /// Lower-case digits behind `0x`, two a byte.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = [UInt8(ascii: "0"), UInt8(ascii: "x")]
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text of hexadecimal digits in any letter case, with `0x` in front.
    ///
    /// - Parameter text: `0x` and an even number of digits; `0x` alone is no bytes.
    /// - Throws: `HexError` where the prefix is missing, a digit is no digit or one is left over.
    public static func decode(_ text: String) throws(HexError) -> [UInt8] {
        let characters = Array(text.utf8)
        guard characters.count >= 2, characters[0] == UInt8(ascii: "0"),
            characters[1] == UInt8(ascii: "x") || characters[1] == UInt8(ascii: "X")
        else { throw .missingPrefix(text) }
        guard characters.count.isMultiple(of: 2) else { throw .oddLength(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 2 - 1)
        for index in stride(from: 2, to: characters.count, by: 2) {
            guard let high = value(ofDigit: characters[index]),
                let low = value(ofDigit: characters[index + 1])
            else { throw .invalidDigit(text) }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The value, 0 to 15, of an ASCII hexadecimal digit; nil for any other byte.
    public static func value(ofDigit byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

/// Why a text is not hexadecimal bytes.
public enum HexError: Error, Hashable, Sendable, CustomStringConvertible {
    case missingPrefix(String)
    case oddLength(String)
    case invalidDigit(String)

    /// The sentence for people.
    public var description: String {
        switch self {
        case .missingPrefix(let text):
            "\"\(text.prefix(80))\" is not hexadecimal: it does not begin with 0x."
        case .oddLength(let text):
            "\"\(text.prefix(80))\" has an odd number of hexadecimal digits; two make a byte."
        case .invalidDigit(let text):
            "\"\(text.prefix(80))\" has a character that is no hexadecimal digit."
        }
    }
}
