package import Ethereum

/// A trade at a swap venue that is not allowed, or no longer possible.
package enum SwapError: ErrorArea {
    package static let concerns: ErrorConcerns = [.venue, .market]

    /// The venue's price is beyond `--max-price` or `--min-price`.
    ///
    /// - Parameter average: in QUOTE per BASE; nil if it has no decimal text.
    package static func beyondLimit(
        _ side: TradeSide,
        venue: String,
        average: String?
    ) -> DexError {
        row(
            .refused("price-limit"),
            "\(PlainText.clean(venue, limit: 40)) has no price within "
                + "\(side == .buy ? "--max-price" : "--min-price")"
                + (average.map { ": it would be \($0) on average." } ?? "."),
            hint: "Give another \(side == .buy ? "--max-price" : "--min-price"), or place a "
                + "limit order.",
            retryable: true
        )
    }

    /// Only worse quotes than the confirmed one.
    package static func quoteMoved(venue: String) -> DexError {
        row(
            .refused("quote-moved"),
            "The price of \(PlainText.clean(venue, limit: 40)) moved beyond what was confirmed, "
                + "so nothing was traded.",
            hint: "Run the command again to see the new plan.",
            retryable: true
        )
    }

    /// Each quote was too old before it could be signed.
    package static func quotesTooOld(venue: String) -> DexError {
        row(
            .refused("quote-too-old"),
            "Every quote of \(PlainText.clean(venue, limit: 40)) was older than 20 s before it "
                + "could be signed, so nothing was traded.",
            hint: "Run the command again; a quicker node or signer helps.",
            retryable: true
        )
    }

    /// Less than the minimum would arrive: the token keeps a part of each transfer, and the pool's
    /// contract does not see it.
    package static func arrivesShort(_ minimum: TokenAmount) -> DexError {
        row(
            .refused("fee-on-transfer"),
            "Less than the minimum of \(minimum.value) \(PlainText.name(minimum.token.symbol)) "
                + "would arrive: the token keeps a part of each transfer, and the pool does not "
                + "see that. The trade was not signed.",
            hint:
                "Give a --slippage that covers what the token keeps; of a fixed purchase, fix "
                + "what is paid instead: --spend N."
        )
    }

    /// No venue can trade it; a sentence for each.
    package static func noVenue(reasons: [String], isUnreachable: Bool) -> DexError {
        row(
            isUnreachable ? .unreachable("no-venue") : .refused("no-liquidity"),
            "No venue can trade it now. \(reasons.joined(separator: " "))",
            hint:
                "Try again, another amount, or one venue alone with --via book or --via swap.",
            retryable: true
        )
    }

    /// The venue sees less of the sold token than it takes.
    package static func shortBalance(venue: String, owned: TokenAmount) -> DexError {
        row(
            .refused("insufficient-balance"),
            "\(PlainText.clean(venue, limit: 40)) sees only \(owned.value) "
                + "\(PlainText.name(owned.token.symbol)) of this account, less than "
                + "the trade takes.",
            hint: "See `dex balance`; after a transfer or wrap, try again in a few seconds.",
            retryable: true
        )
    }

    /// The native coin on a relay's book.
    package static func nativeOnBook(_ coin: CoinSymbol) -> DexError {
        row(
            .refused("native-on-book"),
            "A relay's book trades tokens, and \(coin) is the chain's coin.",
            hint: "Trade wrapped \(coin) instead (`dex wrap` makes it), or trade it at another "
                + "venue: --via pools, --via swap."
        )
    }

    /// A venue that does not do this trade's kind of payment.
    package static let permitOfNative = row(
        .usage("permit-of-native"),
        "--permit2 is for tokens: the chain's own coin needs no allowance.",
        hint: "Leave --permit2 out."
    )
}
