package import Ethereum

/// A trade at a swap venue that is not allowed, or no longer possible.
package enum SwapError: ErrorArea {
    /// The venue's price is beyond `--max-price` or `--min-price`.
    ///
    /// - Parameter average: in QUOTE per BASE; nil if it has no decimal text.
    case beyondLimit(TradeSide, venue: String, average: String?)
    /// Only worse quotes than the confirmed one.
    case quoteMoved(venue: String)
    /// Each quote was too old before it could be signed.
    case quotesTooOld(venue: String)
    /// Less than the minimum would arrive: the token keeps a part of each transfer, and the pool's
    /// contract does not see it.
    case arrivesShort(TokenAmount)
    /// No venue can trade it; a sentence for each.
    case noVenue(reasons: [String], isUnreachable: Bool)
    /// The venue sees less of the sold token than it takes.
    case shortBalance(venue: String, owned: TokenAmount)
    /// The native coin on a relay's book.
    case nativeOnBook(CoinSymbol)
    /// A venue that does not do this trade's kind of payment.
    case permitOfNative

    package var report: ErrorReport {
        switch self {
        case .beyondLimit(let side, let venue, let average):
            ErrorReport(
                .refused,
                "price-limit",
                "\(PlainText.clean(venue, limit: 40)) has no price within "
                    + "\(side == .buy ? "--max-price" : "--min-price")"
                    + (average.map { ": it would be \($0) on average." } ?? "."),
                hint: "Give another \(side == .buy ? "--max-price" : "--min-price"), or place a "
                    + "limit order.",
                retryable: true
            )
        case .quoteMoved(let venue):
            ErrorReport(
                .refused,
                "quote-moved",
                "The price of \(PlainText.clean(venue, limit: 40)) moved beyond what was confirmed, "
                    + "so nothing was traded.",
                hint: "Run the command again to see the new plan.",
                retryable: true
            )
        case .quotesTooOld(let venue):
            ErrorReport(
                .refused,
                "quote-too-old",
                "Every quote of \(PlainText.clean(venue, limit: 40)) was older than 20 s before it "
                    + "could be signed, so nothing was traded.",
                hint: "Run the command again; a quicker node or signer helps.",
                retryable: true
            )
        case .arrivesShort(let minimum):
            ErrorReport(
                .refused,
                "fee-on-transfer",
                "Less than the minimum of \(minimum.value) \(PlainText.name(minimum.token.symbol)) "
                    + "would arrive: the token keeps a part of each transfer, and the pool does not "
                    + "see that. The trade was not signed.",
                hint:
                    "Give a --slippage that covers what the token keeps; of a fixed purchase, fix "
                    + "what is paid instead: --spend N."
            )
        case .noVenue(let reasons, let isUnreachable):
            ErrorReport(
                isUnreachable ? .unreachable : .refused,
                isUnreachable ? "no-venue" : "no-liquidity",
                "No venue can trade it now. \(reasons.joined(separator: " "))",
                hint:
                    "Try again, another amount, or one venue alone with --via book or --via swap.",
                retryable: true
            )
        case .shortBalance(let venue, let owned):
            ErrorReport(
                .refused,
                "insufficient-balance",
                "\(PlainText.clean(venue, limit: 40)) sees only \(owned.value) "
                    + "\(PlainText.name(owned.token.symbol)) of this account, less than "
                    + "the trade takes.",
                hint: "See `dex balance`; after a transfer or wrap, try again in a few seconds.",
                retryable: true
            )
        case .nativeOnBook(let coin):
            ErrorReport(
                .refused,
                "native-on-book",
                "A relay's book trades tokens, and \(coin) is the chain's coin.",
                hint: "Trade wrapped \(coin) instead (`dex wrap` makes it), or trade it at another "
                    + "venue: --via pools, --via swap."
            )
        case .permitOfNative:
            ErrorReport(
                .usage,
                "permit-of-native",
                "--permit2 is for tokens: the chain's own coin needs no allowance.",
                hint: "Leave --permit2 out."
            )
        }
    }
}
