package import Ethereum

/// An invalid text or number from the user.
package enum InputError: ErrorArea {
    case blockAhead(UInt64, latest: UInt64, option: String)
    case badTime(String)
    /// A place in a list that no list named.
    case badCursor(String)
    case badInterval(String)
    case tooManyCandles(UInt64, most: UInt64)
    case badPercent(String)
    case malformedPrice(error: DecimalTextError, pair: Pair)
    case priceOutOfRange(String, pair: Pair)
    /// A reference to the book with something else behind it than a distance.
    case badRelativePrice(String)
    case zeroAmount(hint: String?)
    /// `max` or a percentage where a number is expected.
    case relativeAmount(String)
    /// Of an amount.
    case badShare(String)
    case badFeeCap(String)
    case badTag(String)
    /// An account or a contract is named by an address that neither can have.
    case reservedAddress(ReservedAddress)

    package var report: ErrorReport {
        switch self {
        case .blockAhead(let first, let latest, let option):
            ErrorReport(
                .usage,
                "block-ahead",
                "The chain has no block \(first) yet: its latest is "
                    + "\(latest).",
                hint: "Name an earlier block with \(option)."
            )
        case .badTag(let text):
            ErrorReport(
                .usage,
                "bad-tag",
                "\(PlainText.quoted(text, limit: 80)) is not a tag: 1 to 64 characters on one "
                    + "line are expected, without spaces at the ends."
            )
        case .reservedAddress(let reserved):
            ErrorReport(
                .usage,
                "bad-address",
                "\(reserved.address.checksummed) is \(reserved.meaning): no account and no contract "
                    + "has it.",
                hint: "Give the address of an account or of a contract."
            )
        case .badTime(let text):
            ErrorReport(
                .usage,
                "bad-time",
                "\(PlainText.quoted(text, limit: 40)) is not a time: a day, a time in UTC, "
                    + "or how long ago is expected.",
                hint: "Such as --since 2026-11-01, --since 2026-11-01T12:30:00Z or --since 7d."
            )
        case .badCursor(let text):
            ErrorReport(
                .usage,
                "bad-cursor",
                "\(PlainText.quoted(text, limit: 40)) is no place in a list of activity.",
                hint: "dex activity names it below a list that goes on, and JSON in next."
            )
        case .badInterval(let text):
            ErrorReport(
                .usage,
                "bad-interval",
                "\(PlainText.quoted(text, limit: 40)) is not the length of a candle: minutes, "
                    + "hours or days are expected, from 1m to 7d.",
                hint: "Such as --interval 15m, --interval 1h or --interval 1d."
            )
        case .tooManyCandles(let count, let most):
            ErrorReport(
                .usage,
                "too-many-candles",
                "That would be \(count) candles; a chart has at most \(most).",
                hint: "Name a later time with --since, or a longer --interval."
            )
        case .badPercent(let text):
            ErrorReport(
                .usage,
                "bad-percent",
                "\"\(text.prefix(40))\" is not a percentage.",
                hint: (NumberSuggestion.question(text).map { $0 + " " } ?? "")
                    + "Write a number from 0 to 100 with at most two digits behind the point, "
                    + "such as 0.5."
            )
        case .malformedPrice(let error, let pair):
            ErrorReport(
                .usage,
                "bad-price",
                PlainText.clean(error.description),
                hint: (error.malformed.flatMap(NumberSuggestion.question).map { $0 + " " } ?? "")
                    + "Write the price as \(PlainText.name(pair.quote.symbol)) per "
                    + "\(PlainText.name(pair.base.symbol)), such as 0.0025."
            )
        case .priceOutOfRange(let text, let pair):
            ErrorReport(
                .usage,
                "bad-price",
                "A price of \(PlainText.clean(text, limit: 80)) \(PlainText.name(pair.quote.symbol)) per "
                    + "\(PlainText.name(pair.base.symbol)) is out of range.",
                hint: "A price is above zero and fits the tokens' decimals."
            )
        case .badRelativePrice(let text):
            ErrorReport(
                .usage,
                "bad-price",
                "\(PlainText.quoted(text, limit: 80)) is not a price: mid, bid or ask take + or "
                    + "- with a percentage of at most two digits behind the point, or a whole number "
                    + "of ticks.",
                hint: "Such as mid-0.1%, bid+1 or ask."
            )
        case .zeroAmount(let hint):
            ErrorReport(.usage, "bad-amount", "The amount is zero.", hint: hint)
        case .relativeAmount(let text):
            ErrorReport(
                .usage,
                "bad-amount",
                "\(PlainText.quoted(text, limit: 40)) is not a number: what there is to take a part "
                    + "of is not known here.",
                hint: "Write an amount such as 1.5."
            )
        case .badShare(let text):
            ErrorReport(
                .usage,
                "bad-amount",
                "\(PlainText.quoted(text, limit: 40)) is not a part of a balance: above 0% and "
                    + "at most 100%, with at most two digits behind the point.",
                hint: "Such as 50%. Everything is max."
            )
        case .badFeeCap(let text):
            ErrorReport(
                .usage,
                "bad-amount",
                "\(PlainText.quoted(text, limit: 40)) is no cap of taker fees.",
                hint: "Write an amount of the fee token such as 10, or a share such as 0.5%."
            )
        }
    }
}
