package import Ethereum

/// An invalid text or number from the user.
package enum InputError: ErrorArea {
    package static func blockAhead(_ first: UInt64, latest: UInt64, option: String) -> DexError {
        row(
            .usage("block-ahead"),
            "The chain has no block \(first) yet: its latest is \(latest).",
            hint: "Name an earlier block with \(option)."
        )
    }

    package static func badTime(_ text: String) -> DexError {
        row(
            .usage("bad-time"),
            "\(PlainText.quoted(text, limit: 40)) is not a time: a day, a time in UTC, "
                + "or how long ago is expected.",
            hint: "Such as --since 2026-11-01, --since 2026-11-01T12:30:00Z or --since 7d."
        )
    }

    /// A place in a list that no list named.
    package static func badCursor(_ text: String) -> DexError {
        row(
            .usage("bad-cursor"),
            "\(PlainText.quoted(text, limit: 40)) is no place in a list of activity.",
            hint: "dex activity names it below a list that goes on, and JSON in next."
        )
    }

    package static func badInterval(_ text: String) -> DexError {
        row(
            .usage("bad-interval"),
            "\(PlainText.quoted(text, limit: 40)) is not the length of a candle: minutes, "
                + "hours or days are expected, from 1m to 7d.",
            hint: "Such as --interval 15m, --interval 1h or --interval 1d."
        )
    }

    package static func tooManyCandles(_ count: UInt64, maximum: UInt64) -> DexError {
        row(
            .usage("too-many-candles"),
            "That would be \(count) candles; a chart has at most \(maximum).",
            hint: "Name a later time with --since, or a longer --interval."
        )
    }

    package static func badPercent(_ text: String) -> DexError {
        row(
            .usage("bad-percent"),
            "\"\(text.prefix(40))\" is not a percentage.",
            hint: (NumberSuggestion.question(text).map { $0 + " " } ?? "")
                + "Write a number from 0 to 100 with at most two digits behind the point, "
                + "such as 0.5."
        )
    }

    package static func malformedPrice(error: DecimalTextError, pair: Pair) -> DexError {
        row(
            .usage("bad-price"),
            PlainText.clean(error.description),
            hint: (error.malformed.flatMap(NumberSuggestion.question).map { $0 + " " } ?? "")
                + "Write the price as \(PlainText.name(pair.quote.symbol)) per "
                + "\(PlainText.name(pair.base.symbol)), such as 0.0025."
        )
    }

    package static func priceOutOfRange(_ text: String, pair: Pair) -> DexError {
        row(
            .usage("bad-price"),
            "A price of \(PlainText.clean(text, limit: 80)) \(PlainText.name(pair.quote.symbol)) per "
                + "\(PlainText.name(pair.base.symbol)) is out of range.",
            hint: "A price is above zero and fits the tokens' decimals."
        )
    }

    /// A reference to the book with something else behind it than a distance.
    package static func badRelativePrice(_ text: String) -> DexError {
        row(
            .usage("bad-price"),
            "\(PlainText.quoted(text, limit: 80)) is not a price: mid, bid or ask take + or "
                + "- with a percentage of at most two digits behind the point, or a whole number "
                + "of ticks.",
            hint: "Such as mid-0.1%, bid+1 or ask."
        )
    }

    package static func zeroAmount(hint: String?) -> DexError {
        row(.usage("bad-amount"), "The amount is zero.", hint: hint)
    }

    /// `max` or a percentage where a number is expected.
    package static func relativeAmount(_ text: String) -> DexError {
        row(
            .usage("bad-amount"),
            "\(PlainText.quoted(text, limit: 40)) is not a number: what there is to take a part "
                + "of is not known here.",
            hint: "Write an amount such as 1.5."
        )
    }

    /// Of an amount.
    package static func badShare(_ text: String) -> DexError {
        row(
            .usage("bad-amount"),
            "\(PlainText.quoted(text, limit: 40)) is not a part of a balance: above 0% and "
                + "at most 100%, with at most two digits behind the point.",
            hint: "Such as 50%. Everything is max."
        )
    }

    package static func badFeeCap(_ text: String) -> DexError {
        row(
            .usage("bad-amount"),
            "\(PlainText.quoted(text, limit: 40)) is no cap of taker fees.",
            hint: "Write an amount of the fee token such as 10, or a share such as 0.5%."
        )
    }

    package static func badTag(_ text: String) -> DexError {
        row(
            .usage("bad-tag"),
            "\(PlainText.quoted(text, limit: 80)) is not a tag: 1 to 64 characters on one "
                + "line are expected, without spaces at the ends."
        )
    }

    /// An account or a contract is named by an address that neither can have.
    package static func reservedAddress(_ reserved: ReservedAddress) -> DexError {
        row(
            .usage("bad-address"),
            "\(reserved.address.checksummed) is \(reserved.meaning): no account and no contract "
                + "has it.",
            hint: "Give the address of an account or of a contract."
        )
    }
}
