/// Converts between decimal token amounts and integers in base units.
///
/// The conversion is exact, independent of locales and never rounds.
public enum DecimalText {
    /// Base units of a decimal text: with 18 decimals `"1.5"` is 1500000000000000000.
    ///
    /// Example: `try DecimalText.parse("1.5", decimals: 18)` is `1500000000000000000`.
    ///
    /// - Parameters:
    ///   - text: ASCII digits with at most one `.` between digits; no sign, exponent, group
    ///     separator or white space.
    ///   - decimals: the token's decimals, 0 to 255.
    /// - Throws: `DecimalTextError`: malformed, more fraction digits than the token has, or above
    ///   2^256 - 1.
    public static func parse(
        _ text: String,
        decimals: UInt8
    ) throws(DecimalTextError) -> UInt256 {
        let parts = text.utf8.split(
            separator: UInt8(ascii: "."),
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        let isDigits = { (part: Substring.UTF8View) in
            !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard (1...2).contains(parts.count), parts.allSatisfy(isDigits) else {
            throw .malformed(text)
        }
        let fraction = parts.count == 2 ? Array(parts[1]) : []
        let significant = fraction.reversed().drop { $0 == UInt8(ascii: "0") }.count
        guard significant <= Int(decimals) else {
            throw .tooManyDigits(text, decimals: decimals)
        }
        let padding = [UInt8](
            repeating: UInt8(ascii: "0"),
            count: Int(decimals) - significant
        )
        let digits = Array(parts[0]) + fraction.prefix(significant) + padding
        guard let value = UInt256(decimal: String(decoding: digits, as: UTF8.self)) else {
            throw .tooLarge(text)
        }
        return value
    }

    /// The shortest exact decimal text of an amount in base units: no trailing zeros, no
    /// separators.
    ///
    /// Example: `DecimalText.format(1_500_000_000_000_000_000, decimals: 18)` is `1.5`.
    public static func format(_ value: UInt256, decimals: UInt8) -> String {
        let places = Int(decimals)
        let digits = Array(value.description.utf8)
        let zero = UInt8(ascii: "0")
        var text = Array(repeating: zero, count: max(0, places + 1 - digits.count)) + digits
        let point = text.count - places
        while text.count > point, text.last == zero { text.removeLast() }
        if text.count > point { text.insert(UInt8(ascii: "."), at: point) }
        return String(decoding: text, as: UTF8.self)
    }
}

/// The reason why a text is not an amount.
public enum DecimalTextError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed(String)
    case tooManyDigits(String, decimals: UInt8)
    case tooLarge(String)

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .malformed(let text):
            "\(text.quotedExcerpt) is not an amount: digits with at most one point are expected, "
                + "such as 1.5."
        case .tooManyDigits(let text, let decimals):
            "\(text.excerpt) has more digits behind the point than the token's \(decimals); "
                + "amounts are never rounded."
        case .tooLarge(let text):
            "\(text.excerpt) is more than any token amount can be (2^256 - 1 base units)."
        }
    }
}
