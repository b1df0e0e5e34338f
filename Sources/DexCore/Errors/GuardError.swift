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
    /// The price is no longer reached on the book that its order is planned from.
    case notReached(Int64)
    /// That book does not allow it; a sentence.
    case held(String)

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
        case .notReached(let id):
            ErrorReport(
                .refused,
                "guard-not-reached",
                "The price of guard \(id) is not reached any more: nothing was traded.",
                retryable: true
            )
        case .held(let reason):
            ErrorReport(.refused, "guard-held", reason, retryable: true)
        }
    }
}
