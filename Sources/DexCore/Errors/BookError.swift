package import Ethereum
package import ZeroEx

/// An unknown order, or a book without suitable orders.
package enum BookError: ErrorArea {
    case unknownOrder(OrderHash, network: String)
    case noLiquidity(TradeSide, Pair)
    /// - Parameter isDear: orders were passed over for their fee.
    case nothingFillable(TradeSide, Pair, passedOver: Int, isDear: Bool)
    case nothingToFill
    /// Base units of BASE, for which no order gives anything.
    case amountTooSmall(UInt256, TradeSide, Pair)

    package var report: ErrorReport {
        switch self {
        case .unknownOrder(let hash, let network):
            ErrorReport(
                .usage,
                "unknown-order",
                "Neither the relay nor the journal knows the order \(hash).",
                hint: "Check the hash, and --network (now \"\(network)\") and --relay."
            )
        case .noLiquidity(let side, let pair):
            ErrorReport(
                .refused,
                "no-liquidity",
                "Nobody \(side == .buy ? "sells" : "buys") \(PlainText.name(pair.base.symbol)) "
                    + "for \(PlainText.name(pair.quote.symbol)) on this relay now.",
                hint:
                    "`dex orderbook \(pair.word)` shows the book and what was left "
                    + "out of it.",
                retryable: true
            )
        case .nothingFillable(let side, let pair, let passedOver, let isDear):
            ErrorReport(
                .refused,
                "no-liquidity",
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
        case .amountTooSmall(let amount, let side, let pair):
            ErrorReport(
                .refused,
                "amount-too-small",
                "\(Currency.token(pair.base).text(amount)) is too little to "
                    + (side == .buy ? "buy" : "sell")
                    + ": the orders of the book of \(pair.name) give nothing for it, or would round "
                    + "it by more than the contract allows.",
                hint: "Trade more: `dex orderbook \(pair.word)` shows the orders."
            )
        case .nothingToFill:
            ErrorReport(.refused, "no-liquidity", "There is nothing to fill.")
        }
    }

    /// The user named the order by its hash, and it is unknown.
    var isUnknownOrder: Bool {
        if case .unknownOrder = self { true } else { false }
    }
}
