package import Ethereum

/// A wrong, unknown or running guard.
package enum GuardError: ErrorArea {
    /// A limit that does not fit the tokens' decimals.
    package static let limitOutOfRange = row(
        .usage("bad-price"),
        "The price with this slippage is out of the range of prices.",
        hint: "Give another price, or a smaller --slippage."
    )

    package static func noSuchGuard(_ id: Int64, network: String, known: [Int64]) -> DexError {
        row(
            .usage("no-such-guard"),
            "The network \(network) has no guard \(id).",
            hint: known.isEmpty
                ? "It has none: add one with `dex guard add sell ZRX/WETH 100 --below 0.0007`."
                : "It has \(known.map(String.init).joined(separator: ", ")): see "
                    + "`dex guard list`."
        )
    }

    package static func isFiring(_ id: Int64) -> DexError {
        row(
            .refused("guard-firing"),
            "Guard \(id) is firing: a running process signs and sends its order.",
            hint: "See how it ends with `dex guard list`.",
            retryable: true
        )
    }

    package static func noGuards(account: Address) -> DexError {
        row(
            .refused("no-guards"),
            "\(account.checksummed) has no guard that waits on this network.",
            hint: "Add one: dex guard add sell ZRX/WETH 100 --below 0.0007"
        )
    }

    /// Its terms are not those that its key confirmed.
    package static func changed(_ id: Int64) -> DexError {
        row(
            .refused("guard-changed"),
            "Guard \(id) does not fire. " + GuardCheck.unconfirmed,
            hint: "See it with `dex guard list`, then `dex guard remove \(id)`."
        )
    }

    /// Some guards that wait are not confirmed, and no other waits.
    package static let unconfirmed = row(
        .refused("guard-changed"),
        "A guard waits that does not fire. " + GuardCheck.unconfirmed,
        hint: "See which with `dex guard list`."
    )

    /// The audit log has the signature of its trade, though the journal says that it waits.
    package static func alreadyFired(_ id: Int64) -> DexError {
        row(
            .refused("guard-fired"),
            "Guard \(id) has fired already: the audit log has the signature of its trade.",
            hint: "See what was signed with `dex history`, then `dex guard remove \(id)`."
        )
    }

    /// Its time is over.
    package static func expired(_ id: Int64) -> DexError {
        row(
            .refused("guard-expired"),
            "Guard \(id) does not fire. " + GuardCheck.expired,
            hint: "See it with `dex guard list`, then `dex guard remove \(id)`."
        )
    }

    /// The price is no longer reached on the book that its order is planned from.
    package static func notReached(_ id: Int64) -> DexError {
        row(
            .refused("guard-not-reached"),
            "The price of guard \(id) is not reached any more: nothing was traded.",
            retryable: true
        )
    }

    /// That book does not allow it; a sentence.
    package static func held(_ reason: String) -> DexError {
        row(.refused("guard-held"), reason, retryable: true)
    }

    /// It would fire as soon as it runs.
    ///
    /// - Parameters:
    ///   - amount: in human units.
    ///   - price: QUOTE per BASE.
    package static func immediate(
        _ side: TradeSide,
        _ pair: Pair,
        amount: String,
        price: String
    ) -> DexError {
        row(
            .refused("guard-immediate"),
            "The best \(side == .buy ? "ask" : "bid") is \(price) "
                + "\(PlainText.name(pair.quote.symbol)): the guard's price is reached, and it "
                + "would fire at once.",
            hint: "Trade now: `dex market-\(side.rawValue) \(pair.word) \(amount)`. Or give "
                + "another price, or the other of --below and --above. If you mean it: "
                + "--allow-immediate."
        )
    }

    /// Its price is reached, and it could not fire; a sentence.
    package static func unable(_ reason: String) -> DexError {
        row(
            .refused("guard-held"),
            "The guard's price is reached, and it could not fire. " + reason,
            hint: "Give another price, a smaller amount or a larger --slippage. To add it all "
                + "the same: --allow-immediate."
        )
    }

    /// The account lacks what it pays; a sentence.
    package static func unfunded(_ sentence: String) -> DexError {
        row(
            .refused("insufficient-balance"),
            sentence,
            hint: "Give a smaller amount, such as max. To add it all the same: --allow-unfunded."
        )
    }
}
