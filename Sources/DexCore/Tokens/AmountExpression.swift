package import Ethereum

/// An amount as traders type it: `1.5`, `.5`, `1k`, `50%` or `max`.
package enum AmountExpression: Hashable, Sendable {
    /// Human units of a token.
    case number(DecimalNumber)
    /// A part of what can be spent now, in hundredths of a percent: 1 to 10,000.
    case share(UInt64)

    /// All that can be spent now.
    package static let max = AmountExpression.share(10_000)

    /// Reads `max`, a percentage above 0 and up to 100 with at most two decimals, or else a number.
    ///
    /// The digits of a number are checked when the token is known.
    ///
    /// - Throws: `DexError`, exit 2, `bad-amount`, for another percentage.
    package init(_ text: String) throws(DexError) {
        if text == "max" {
            self = .max
        } else if text.hasSuffix("%") {
            let share = Self.hundredths(text)
            guard let share, (1...10_000).contains(share) else {
                throw InputError.badShare(text)
            }
            self = .share(share)
        } else {
            self = .number(DecimalNumber(text))
        }
    }

    /// The digits before `%` in hundredths of a percent; nil if they are malformed or too large.
    private static func hundredths(_ text: String) -> UInt64? {
        let digits = String(text.dropLast())
        guard !digits.hasSuffix("k") else { return nil }
        do {
            return try DecimalNumber(digits).units(decimals: 2).uint64
        } catch {
            return nil  // the caller names the whole text
        }
    }

    /// A share of an amount, rounded down: never more than there is.
    ///
    /// Example: 5,000 hundredths of a percent of 3 is 1.
    static func part(_ share: UInt64, of amount: UInt256) -> UInt256 {
        UInt256.mulDiv(amount, UInt256(min(share, 10_000)), PriceBounds.whole)?.quotient ?? .zero
    }
}

/// A decimal number as traders type it: digits with at most one point, which may come first, and
/// `k` for thousands.
package struct DecimalNumber: Hashable, Sendable {
    /// As typed.
    package let text: String

    package init(_ text: String) { self.text = text }

    /// The digits as `DecimalText` takes them, and how many powers of ten they are short of.
    private var parts: (digits: String, thousands: Int) {
        let thousands = text.hasSuffix("k") ? 3 : 0
        let digits = thousands == 0 ? text : String(text.dropLast())
        return (digits.hasPrefix(".") ? "0" + digits : digits, thousands)
    }

    /// Digits behind the point, as typed.
    var places: Int {
        let (digits, thousands) = parts
        guard let point = digits.utf8.firstIndex(of: UInt8(ascii: ".")) else { return 0 }
        return max(0, digits.utf8.distance(from: point, to: digits.utf8.endIndex) - 1 - thousands)
    }

    /// The number in units of so many decimals, exactly.
    ///
    /// Example: `try DecimalNumber("1.5k").units(decimals: 2)` is `150000`.
    ///
    /// - Throws: `DecimalTextError`: malformed, more fraction digits than the decimals, or above
    ///   2^256 - 1.
    package func units(decimals: UInt8) throws(DecimalTextError) -> UInt256 {
        let (digits, thousands) = parts
        guard let places = UInt8(exactly: Int(decimals) + thousands) else {
            throw .tooLarge(text)
        }
        do {
            return try DecimalText.parse(digits, decimals: places)
        } catch {
            switch error {
            case .malformed: throw .malformed(text)
            case .tooManyDigits: throw .tooManyDigits(text, decimals: decimals)
            case .tooLarge: throw .tooLarge(text)
            }
        }
    }
}
