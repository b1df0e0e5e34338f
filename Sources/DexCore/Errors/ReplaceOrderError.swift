package import Ethereum
package import ZeroEx

/// An order that is not replaced, or only by half.
package enum ReplaceOrderError: ErrorArea {
    /// The order's state is nil if it is not known.
    case notOpen(OrderHash, OrdersState.Standing?)
    /// The old order is cancelled; so much of its BASE was filled before.
    case filledMeanwhile(OrderHash, amount: TokenAmount)
    /// The old order is cancelled, and the new one does not stand for sure.
    case notPlaced(ErrorSummary)

    package var report: ErrorReport {
        switch self {
        case .notOpen(let hash, let standing):
            ErrorReport(
                .refused,
                "not-open",
                "Only an open order can be replaced: \(hash) is \(standing?.rawValue ?? "not open").",
                hint: "Place a new one with `dex place-limit`. After a `dex replace` that was "
                    + "interrupted, `dex resume` says what it left."
            )
        case .filledMeanwhile(let hash, let amount):
            ErrorReport(
                .filledLess,
                "filled-meanwhile",
                "\(amount.value) \(PlainText.name(amount.token.symbol)) of the order were "
                    + "filled before its cancel was mined. The new order was not signed, so "
                    + "nothing is traded twice.",
                hint: "See what is left to do with `dex order \(hash)`, then place it with "
                    + "`dex place-limit`."
            )
        case .notPlaced(let cause):
            ErrorReport(
                cause.kind,
                "cancelled-not-replaced",
                "The old order is cancelled, and the new one does not stand for sure: "
                    + cause.message,
                hint: "`dex resume` posts it if it was signed. If it was not, place it with "
                    + "`dex place-limit`. \(cause.hint ?? "")"
            )
        }
    }
}

/// Another error, as part of a sentence.
package struct ErrorSummary: Hashable, Sendable {
    let kind: ErrorKind
    let message: String
    let hint: String?

    init(_ error: DexError) {
        kind = error.kind
        message = PlainText.sentence(error.message)
        hint = error.hint
    }
}
