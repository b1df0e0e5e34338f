package import Ethereum

/// A wrong, unknown or running guard.
package enum GuardError: ErrorArea {
    /// A limit that does not fit the tokens' decimals.
    case limitOutOfRange
    case noSuchGuard(Int64, network: String, known: [Int64])
    case isFiring(Int64)
    case noGuards(account: Address)

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
        }
    }
}
