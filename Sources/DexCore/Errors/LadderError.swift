package import ZeroEx

/// A ladder of orders that is impossible, or ended early.
package enum LadderError: ErrorArea {
    case badCount(Int, most: Int)
    case tooSmall(count: Int)
    case samePrices
    /// It is unknown whether a relay has an order of the same terms.
    case unconfirmed(OrderHash)
    case stopped(standing: Int, of: Int, cause: ErrorSummary)

    package var report: ErrorReport {
        switch self {
        case .badCount(let count, let most):
            ErrorReport(
                .usage,
                "bad-ladder",
                "A ladder has 2 to \(most) orders, not \(count).",
                hint: "Such as --ladder 5."
            )
        case .tooSmall(let count):
            ErrorReport(
                .usage,
                "bad-ladder",
                "The amount is too small for \(count) orders.",
                hint: "Give a larger amount, or fewer orders."
            )
        case .samePrices:
            ErrorReport(
                .usage,
                "bad-ladder",
                "The prices are so close that two orders of the ladder would have the same one.",
                hint: "Choose --to further from --price, or fewer orders."
            )
        case .unconfirmed(let hash):
            ErrorReport(
                .refused,
                "unacknowledged-order",
                "It is unknown whether a relay took \(hash), an earlier order like one of this "
                    + "ladder.",
                hint: "Finish it first: `dex resume`. To place the ladder besides it: "
                    + "--despite-pending."
            )
        case .stopped(let standing, let count, let cause):
            ErrorReport(
                cause.kind,
                "ladder-stopped",
                "\(standing) of \(count) orders stand, in the order of the plan; the others were "
                    + "not posted for sure: \(cause.message)",
                hint:
                    "See them with `dex orders --mine`; `dex resume` finishes one that was signed."
            )
        }
    }
}
