package import Ethereum
package import ZeroEx

/// An order that is not replaced, or only by half.
package enum ReplaceOrderError: ErrorArea {
    /// The order's state is nil if it is not known.
    package static func notOpen(_ hash: OrderHash, _ standing: OrdersState.Standing?) -> DexError {
        row(
            .refused("not-open"),
            "Only an open order can be replaced: \(hash) is \(standing?.rawValue ?? "not open").",
            hint: "Place a new one with `dex place-limit`. After a `dex replace` that was "
                + "interrupted, `dex resume` says what it left."
        )
    }

    /// The old order is cancelled; so much of its BASE was filled before.
    package static func filledMeanwhile(_ hash: OrderHash, amount: TokenAmount) -> DexError {
        row(
            .filledLess("filled-meanwhile"),
            "\(amount.value) \(PlainText.name(amount.token.symbol)) of the order were "
                + "filled before its cancel was mined. The new order was not signed, so "
                + "nothing is traded twice.",
            hint: "See what is left to do with `dex order \(hash)`, then place it with "
                + "`dex place-limit`."
        )
    }

    /// The old order is cancelled, and the new one does not stand for sure.
    package static func notPlaced(_ cause: DexError) -> DexError {
        row(
            ErrorCode(cause.kind, "cancelled-not-replaced"),
            "The old order is cancelled, and the new one does not stand for sure: "
                + PlainText.sentence(cause.message),
            hint: "`dex resume` posts it if it was signed. If it was not, place it with "
                + "`dex place-limit`. \(cause.hint ?? "")"
        )
    }
}
