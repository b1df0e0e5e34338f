package import ZeroEx

/// A ladder of orders that is impossible, or ended early.
package enum LadderError: ErrorArea {
    package static func badCount(_ count: Int, maximum: Int) -> DexError {
        row(
            .usage("bad-ladder"),
            "A ladder has 2 to \(maximum) orders, not \(count).",
            hint: "Such as --ladder 5."
        )
    }

    package static func tooSmall(count: Int) -> DexError {
        row(
            .usage("bad-ladder"),
            "The amount is too small for \(count) orders.",
            hint: "Give a larger amount, or fewer orders."
        )
    }

    package static let samePrices = row(
        .usage("bad-ladder"),
        "The prices are so close that two orders of the ladder would have the same one.",
        hint: "Choose --to further from --price, or fewer orders."
    )

    /// It is unknown whether a relay has an order of the same terms.
    package static func unconfirmed(_ hash: OrderHash) -> DexError {
        row(
            .refused("unacknowledged-order"),
            "It is unknown whether a relay took \(hash), an earlier order like one of this ladder.",
            hint: "Finish it first: `dex resume`. To place the ladder besides it: "
                + "--despite-pending."
        )
    }

    package static func stopped(standing: Int, of count: Int, cause: DexError) -> DexError {
        row(
            ErrorCode(cause.kind, "ladder-stopped"),
            "\(standing) of \(count) orders stand, in the order of the plan; the others were "
                + "not posted for sure: \(PlainText.sentence(cause.message))",
            hint:
                "See them with `dex orders --mine`; `dex resume` finishes one that was signed."
        )
    }
}
