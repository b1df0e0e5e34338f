import Ethereum

/// A price as traders type it: `0.00075`, `mid`, `bid+1`, `ask-0.1%`.
package enum PriceExpression: Hashable, Sendable {
    /// QUOTE per BASE in human units; its digits are checked when the pair is known.
    case number(String)
    /// A distance from a price of the book.
    case relative(Reference, Offset)

    /// The price of the book that it starts from.
    package enum Reference: String, Hashable, Sendable, CaseIterable {
        /// Halfway between bid and ask.
        case mid
        /// The best price that others pay.
        case bid
        /// The best price at which others sell.
        case ask
    }

    /// The distance from the reference: up if `isPlus`, else down.
    package struct Offset: Hashable, Sendable {
        package enum Size: Hashable, Sendable {
            /// Hundredths of a percent of the reference, up to 10,000.
            case percent(UInt64)
            /// Units of the reference's seventh significant digit, the last that `dex orderbook`
            /// shows.
            case ticks(UInt64)
        }

        package let isPlus: Bool
        package let size: Size

        package static let none = Offset(isPlus: true, size: .ticks(0))
    }

    /// Reads a reference, alone or with `+` or `-` and a percentage or a number of ticks; all else
    /// is taken as a number.
    ///
    /// - Throws: `DexError`, exit 2, `bad-price`, for a reference with anything else behind it.
    package init(_ text: String) throws(DexError) {
        guard let reference = Reference.allCases.first(where: { text.hasPrefix($0.rawValue) })
        else {
            self = .number(text)
            return
        }
        let rest = text.dropFirst(reference.rawValue.count)
        guard let sign = rest.first else {
            self = .relative(reference, .none)
            return
        }
        guard sign == "+" || sign == "-", let size = Self.size(String(rest.dropFirst())) else {
            throw InputError.badRelativePrice(text)
        }
        self = .relative(reference, Offset(isPlus: sign == "+", size: size))
    }

    /// It needs the book.
    package var isRelative: Bool {
        if case .relative = self { true } else { false }
    }

    /// `0.1%`, or a whole number of ticks up to a million; nil for everything else.
    private static func size(_ text: String) -> Offset.Size? {
        let isShare = text.hasSuffix("%")
        let digits = isShare ? String(text.dropLast()) : text
        guard !digits.hasSuffix("k"), isShare || !digits.contains(".") else { return nil }
        let number: UInt64?
        do {
            number = try DecimalNumber(digits).units(decimals: isShare ? 2 : 0).uint64
        } catch {
            return nil  // the caller names the whole text
        }
        guard let number, number <= (isShare ? 10_000 : 1_000_000) else { return nil }
        return isShare ? .percent(number) : .ticks(number)
    }
}
