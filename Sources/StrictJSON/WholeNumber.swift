/// The digits of numbers that are whole, however they are written.
///
/// `262144`, `262144.0` and `2.62144e5` are one number, and programs whose numbers are
/// floating-point write the last two.
public enum WholeNumber {
    /// The decimal digits of a non-negative number that is exactly an integer.
    ///
    /// `digits("1.7e+21")` is `1700000000000000000000`; `digits("1.5")` and `digits("-1")` are nil.
    ///
    /// - Parameters:
    ///   - text: a number in JSON's grammar; leading zeros are accepted too.
    ///   - maximum: the maximum number of digits of the result.
    /// - Returns: digits without leading zeros; nil for any other text, or for more digits.
    public static func digits(_ text: String, maximum: Int = 78) -> String? {
        let parts = text.utf8.split(maxSplits: 1, omittingEmptySubsequences: false) { byte in
            byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
        }
        let numbers = parts[0].split(
            separator: UInt8(ascii: "."),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard numbers.allSatisfy(isDigits), let exponent = exponent(parts.dropFirst().first) else {
            return nil
        }
        let fraction = numbers.dropFirst().first ?? ""[...].utf8
        var digits = String(decoding: Array(numbers[0]) + Array(fraction), as: UTF8.self)
        let shift = exponent - fraction.count
        if shift < 0 {
            guard digits.utf8.suffix(-shift).allSatisfy({ $0 == UInt8(ascii: "0") }) else {
                return nil
            }
            digits = String(digits.dropLast(-shift))
        }
        digits = String(digits.drop { $0 == "0" })
        guard !digits.isEmpty else { return "0" }
        guard digits.utf8.count + max(shift, 0) <= maximum else { return nil }
        return digits + String(repeating: "0", count: max(shift, 0))
    }

    /// The exponent behind `e`: 0 if there is none; nil if it is malformed or beyond a thousand.
    private static func exponent(_ text: Substring.UTF8View?) -> Int? {
        guard let text else { return 0 }
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative || text.first == UInt8(ascii: "+") ? text.dropFirst() : text
        guard isDigits(digits), let value = Int(Substring(digits)), value <= 1_000 else {
            return nil
        }
        return isNegative ? -value : value
    }

    private static func isDigits(_ text: Substring.UTF8View) -> Bool {
        !text.isEmpty && text.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
