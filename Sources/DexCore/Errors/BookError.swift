package import Ethereum
package import ZeroEx

/// An unknown order, or a book without suitable orders.
package enum BookError: ErrorArea {
    package static let concerns: ErrorConcerns = [.venue, .market, .book]

    package static func unknownOrder(_ hash: OrderHash, network: String) -> DexError {
        row(
            .usage("unknown-order"),
            "Neither the relay nor the journal knows the order \(hash).",
            hint: "Check the hash, and --network (now \"\(network)\") and --relay.",
            concerns: .unknownOrder
        )
    }

    package static func noLiquidity(_ side: TradeSide, _ pair: Pair) -> DexError {
        row(
            .refused("no-liquidity"),
            "Nobody \(side == .buy ? "sells" : "buys") \(PlainText.name(pair.base.symbol)) "
                + "for \(PlainText.name(pair.quote.symbol)) on this relay now.",
            hint:
                "`dex orderbook \(pair.word)` shows the book and what was left out of it.",
            retryable: true
        )
    }

    /// - Parameter isDear: orders were passed over for their fee.
    package static func nothingFillable(
        _ side: TradeSide,
        _ pair: Pair,
        passedOver: Int,
        isDear: Bool
    ) -> DexError {
        row(
            .refused("no-liquidity"),
            "The book of \(pair.shownName) has no \(side == .buy ? "sell" : "buy") orders that can "
                + "be filled"
                + (passedOver == 0
                    ? "."
                    : " (\(passedOver) \(passedOver == 1 ? "was" : "were") passed over: "
                        + "expiring, ours, for another taker, dust, or above the cap of taker "
                        + "fees)."),
            hint: isDear
                ? "See the fees in `dex orderbook \(pair.word)`; --max-taker-fee allows more."
                : "See `dex orderbook \(pair.word)`, or place a limit order.",
            retryable: true
        )
    }

    package static let nothingToFill = row(.refused("no-liquidity"), "There is nothing to fill.")

    /// Base units of BASE, for which no order gives anything.
    package static func amountTooSmall(
        _ amount: UInt256,
        _ side: TradeSide,
        _ pair: Pair
    ) -> DexError {
        row(
            .refused("amount-too-small"),
            "\(Currency.token(pair.base).text(amount)) is too little to "
                + (side == .buy ? "buy" : "sell")
                + ": the orders of the book of \(pair.name) give nothing for it, or would round "
                + "it by more than the contract allows.",
            hint: "Trade more: `dex orderbook \(pair.word)` shows the orders."
        )
    }
}
