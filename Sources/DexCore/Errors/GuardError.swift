package import Ethereum

/// A wrong, unknown or running guard.
package enum GuardError: ErrorArea {
    /// A limit that does not fit the tokens' decimals.
    case limitOutOfRange
    case noSuchGuard(Int64, network: String, known: [Int64])
    case isFiring(Int64)
    case noGuards(account: Address)
    /// Its terms are not those that its key confirmed.
    case changed(Int64)
    /// Some guards that wait are not confirmed, and no other waits.
    case unconfirmed
    /// The audit log has the signature of its trade, though the journal says that it waits.
    case alreadyFired(Int64)
    /// Its time is over.
    case expired(Int64)
    /// The price is no longer reached on the book that its order is planned from.
    case notReached(Int64)
    /// That book does not allow it; a sentence.
    case held(String)
    /// It would fire as soon as it runs. The amount is in human units, the price QUOTE per BASE.
    case immediate(TradeSide, Pair, amount: String, price: String)
    /// Its price is reached, and it could not fire; a sentence.
    case unable(String)
    /// The account lacks what it pays; a sentence.
    case unfunded(String)

    package var report: ErrorReport {
        switch self {
        case .limitOutOfRange:
            ErrorReport(
                .usage,
                "bad-price",
                "The price with this slippage is out of the range of prices.",
                hint: "Give another price, or a smaller --slippage."
            )
        case .noSuchGuard(let id, let network, let known):
            ErrorReport(
                .usage,
                "no-such-guard",
                "The network \(network) has no guard \(id).",
                hint: known.isEmpty
                    ? "It has none: add one with `dex guard add sell ZRX/WETH 100 --below 0.0007`."
                    : "It has \(known.map(String.init).joined(separator: ", ")): see "
                        + "`dex guard list`."
            )
        case .isFiring(let id):
            ErrorReport(
                .refused,
                "guard-firing",
                "Guard \(id) is firing: a running process signs and sends its order.",
                hint: "See how it ends with `dex guard list`.",
                retryable: true
            )
        case .noGuards(let account):
            ErrorReport(
                .refused,
                "no-guards",
                "\(account.checksummed) has no guard that waits on this network.",
                hint: "Add one: dex guard add sell ZRX/WETH 100 --below 0.0007"
            )
        case .changed(let id):
            ErrorReport(
                .refused,
                "guard-changed",
                "Guard \(id) does not fire. " + GuardCheck.unconfirmed,
                hint: "See it with `dex guard list`, then `dex guard remove \(id)`."
            )
        case .unconfirmed:
            ErrorReport(
                .refused,
                "guard-changed",
                "A guard waits that does not fire. " + GuardCheck.unconfirmed,
                hint: "See which with `dex guard list`."
            )
        case .alreadyFired(let id):
            ErrorReport(
                .refused,
                "guard-fired",
                "Guard \(id) has fired already: the audit log has the signature of its "
                    + "trade.",
                hint: "See what was signed with `dex history`, then `dex guard remove \(id)`."
            )
        case .expired(let id):
            ErrorReport(
                .refused,
                "guard-expired",
                "Guard \(id) does not fire. " + GuardCheck.expired,
                hint: "See it with `dex guard list`, then `dex guard remove \(id)`."
            )
        case .notReached(let id):
            ErrorReport(
                .refused,
                "guard-not-reached",
                "The price of guard \(id) is not reached any more: nothing was traded.",
                retryable: true
            )
        case .immediate(let side, let pair, let amount, let price):
            ErrorReport(
                .refused,
                "guard-immediate",
                "The best \(side == .buy ? "ask" : "bid") is \(price) "
                    + "\(PlainText.name(pair.quote.symbol)): the guard's price is reached, and it "
                    + "would fire at once.",
                hint: "Trade now: `dex market-\(side.rawValue) \(pair.word) \(amount)`. Or give "
                    + "another price, or the other of --below and --above. If you mean it: "
                    + "--allow-immediate."
            )
        case .unable(let reason):
            ErrorReport(
                .refused,
                "guard-held",
                "The guard's price is reached, and it could not fire. " + reason,
                hint: "Give another price, a smaller amount or a larger --slippage. To add it all "
                    + "the same: --allow-immediate."
            )
        case .unfunded(let sentence):
            ErrorReport(
                .refused,
                "insufficient-balance",
                sentence,
                hint: "Give a smaller amount, such as max. To add it all the same: "
                    + "--allow-unfunded."
            )
        case .held(let reason):
            ErrorReport(.refused, "guard-held", reason, retryable: true)
        }
    }
}
