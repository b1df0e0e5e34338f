import Ethereum
package import ZeroEx

/// An order that nobody knows, or a book with nothing to take.
package enum BookError: ErrorArea {
    case unknownOrder(OrderHash, network: String)
    case noLiquidity(TradeSide, Pair)

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
                "Nobody \(side == .buy ? "sells" : "buys") \(PlainText.clean(pair.base.symbol)) "
                    + "for \(PlainText.clean(pair.quote.symbol)) on this relay now.",
                hint:
                    "`dex orderbook \(PlainText.clean(pair.name))` shows the book and what was left "
                    + "out of it.",
                retryable: true
            )
        }
    }
}
