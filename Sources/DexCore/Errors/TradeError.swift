package import Ethereum
package import ZeroEx

/// A trade that is not allowed, or would not work.
package enum TradeError: ErrorArea {
    case slippageTooHigh(String)
    case noAccount
    case takerFeeCap(
        cap: String,
        symbol: String,
        found: String,
        base: String,
        needed: String,
        pair: Pair,
        instead: String?
    )
    case impactTooHigh(percent: String, cheapPart: String?)
    case sumOutOfRange
    case bookMoved
    case tooManyOrders(TradeSide, Pair, most: Int, found: UInt256)
    /// - Parameter found: base units within the limit; nil if there are none.
    case priceLimit(TradeSide, Pair, found: UInt256?)
    case thinBook(TradeSide, Pair, found: UInt256, amount: UInt256)
    /// All sell orders cost less than is to be spent; base units of QUOTE.
    case thinForSpend(Pair, cost: UInt256, spend: UInt256)
    /// It buys less than any order sells; base units of QUOTE.
    case spendTooSmall(UInt256, Pair)
    case wouldFillLess(isNothing: Bool)
    case fillFails(words: String)
    case approvalMissing
    case nothingFills
    /// nil where it cannot be read.
    case badOrder(DropReason?)
    case notFillable(OrderHash, OrderFlag, reason: String, remedy: String)
    case takerFeeAboveCap(UInt256, Token)
    case amountTooLarge(most: UInt256, base: Token)
    case rounding
    case orderMoved
    case orderTooDear(percent: String, best: String, pair: Pair)
    /// What the plan's price was compared with cannot be read again; the sentence with the reason.
    case referenceUnread(String)
    /// Nothing can be compared with the price; the sentence with the reason.
    ///
    /// - Parameters:
    ///   - amount: what is traded of the chain's coin; nil if its value is unknown.
    ///   - limitFlag: the option that names the worst price; nil if the command has none.
    case priceUnchecked(String, amount: TokenAmount?, limitFlag: String?)

    package var report: ErrorReport {
        switch self {
        case .slippageTooHigh(let percent):
            ErrorReport(
                .refused,
                "slippage-too-high",
                "A slippage of \(percent) % is more than 5 %: the order could be "
                    + "filled far beyond its quote.",
                hint: "Lower --slippage, or allow it with --allow-high-slippage."
            )
        case .noAccount:
            ErrorReport(.fault, "no-account", "The account was not read.")
        case .takerFeeCap(
            let cap,
            let symbol,
            let found,
            let base,
            let needed,
            let pair,
            let instead
        ):
            ErrorReport(
                .refused,
                "taker-fee-cap",
                "Within the cap of taker fees (\(cap) \(symbol) for a trade) the book has "
                    + "only \(found) \(base).\(needed)",
                hint:
                    "See the fees in `dex orderbook \(pair.word)`; --max-taker-fee "
                    + "allows more. \(instead ?? "")",
                retryable: true
            )
        case .impactTooHigh(let percent, let cheapPart):
            ErrorReport(
                .refused,
                "impact-too-high",
                "The price impact is \(percent) %, more than 20 %: the average would be that "
                    + "much worse than the best price.",
                hint: cheapPart.map {
                    "Run `\($0)` for what is at most 20 % above the best price, or trade all of it with "
                        + "--allow-high-impact."
                } ?? "Trade a smaller amount, or allow it with --allow-high-impact."
            )
        case .sumOutOfRange:
            ErrorReport(
                .refused,
                "amount-out-of-range",
                "The orders' amounts add up to more than any token has.",
                hint: "Try a smaller amount."
            )
        case .bookMoved:
            ErrorReport(
                .refused,
                "book-moved",
                "The book moved beyond what was confirmed, so nothing was filled.",
                hint: "Run the command again to see the new plan.",
                retryable: true
            )
        case .tooManyOrders(let side, let pair, let most, let found):
            ErrorReport(
                .refused,
                "too-many-orders",
                "The amount needs more than the \(most) orders that fit into "
                    + "one transaction; they come to \(Self.base(found, pair)).",
                hint: Self.offer(side, pair, found)
            )
        case .priceLimit(let side, let pair, let found):
            ErrorReport(
                .refused,
                "price-limit",
                "Within \(Self.limit(side)) the book has "
                    + (found.map { "only \(Self.base($0, pair))" } ?? "nothing") + ".",
                hint: found.map { Self.offer(side, pair, $0) }
                    ?? "Give another \(Self.limit(side)), or place a limit order.",
                retryable: true
            )
        case .thinBook(let side, let pair, let found, let amount):
            ErrorReport(
                .refused,
                "thin-book",
                "The book \(side == .buy ? "sells" : "buys") only \(Self.base(found, pair)) of the "
                    + "\(TokenAmount(raw: amount, token: pair.base).value) asked for.",
                hint: Self.offer(side, pair, found),
                retryable: true
            )
        case .thinForSpend(let pair, let cost, let spend):
            ErrorReport(
                .refused,
                "thin-book",
                "All that the book sells costs only \(Self.quote(cost, pair)), less than the "
                    + "\(TokenAmount(raw: spend, token: pair.quote).value) to spend.",
                hint: "Run `dex market-buy \(pair.word) --spend "
                    + "\(TokenAmount(raw: cost, token: pair.quote).value)` for what is there.",
                retryable: true
            )
        case .spendTooSmall(let spend, let pair):
            ErrorReport(
                .refused,
                "spend-too-small",
                "\(Self.quote(spend, pair)) buys nothing: no order sells so little.",
                hint: "Spend more."
            )
        case .wouldFillLess(let isNothing):
            ErrorReport(
                .simulationFailed,
                isNothing ? "would-fill-nothing" : "would-fill-less",
                isNothing
                    ? "The simulation filled nothing: the orders were taken, cancelled or expired "
                        + "since they were read."
                    : "The simulation filled only a part: orders were taken, cancelled or expired "
                        + "since they were read.",
                hint: "Run the command again to plan with the present book.",
                retryable: true
            )
        case .fillFails(let words):
            ErrorReport(
                .simulationFailed,
                "would-revert",
                "The simulation of the fill fails\(words); nothing was signed.",
                hint:
                    "A token may be paused or have blocked an account, or an order's maker may have "
                    + "moved its funds; run the command again to plan with the present book.",
                retryable: true
            )
        case .approvalMissing:
            ErrorReport(
                .refused,
                "approval-missing",
                "The allowance is still not enough after the approval; nothing was "
                    + "filled.",
                hint: "See the allowance with `dex balance`, and run the command again."
            )
        case .nothingFills:
            ErrorReport(
                .simulationFailed,
                "would-fill-nothing",
                "In the simulation order after order filled less than it should, so nothing was "
                    + "signed.",
                hint:
                    "A token may be paused or have blocked this account; otherwise run the command "
                    + "again to plan with the present book.",
                retryable: true
            )
        case .badOrder(let reason):
            ErrorReport(
                .refused,
                "bad-order",
                "The order is not valid: \(reason?.words ?? "it cannot be read.")"
            )
        case .notFillable(let hash, let flag, let reason, let remedy):
            ErrorReport(
                .refused,
                "order-\(flag.rawValue)",
                "The order \(hash) cannot be filled: \(reason).",
                hint: flag == .own
                    ? "Cancel it with `dex cancel \(hash)`."
                    : flag == .expiring
                        ? "Fill another order, or lower the margin: `\(remedy)`." : nil
            )
        case .takerFeeAboveCap(let fee, let token):
            ErrorReport(
                .refused,
                "taker-fee-cap",
                "The order charges its taker \(TokenAmount(raw: fee, token: token).value) "
                    + "\(PlainText.name(token.symbol)), which is above your cap of "
                    + "taker fees.",
                hint: "Fill another order, or less of this one; --max-taker-fee allows more."
            )
        case .amountTooLarge(let most, let base):
            ErrorReport(
                .refused,
                "amount-too-large",
                "Of the order only "
                    + "\(TokenAmount(raw: most, token: base).value) "
                    + "\(PlainText.name(base.symbol)) can be filled.",
                hint: "Leave the amount out to fill all of it."
            )
        case .rounding:
            ErrorReport(
                .refused,
                "rounding-error",
                "The contract refuses this amount: rounding would take too large a part of it.",
                hint: "Fill a larger or a rounder amount of the order."
            )
        case .orderMoved:
            ErrorReport(
                .refused,
                "book-moved",
                "The order can no longer be filled by the confirmed amount, so nothing "
                    + "was filled.",
                hint: "Run the command again to see the new plan.",
                retryable: true
            )
        case .orderTooDear(let percent, let best, let pair):
            ErrorReport(
                .refused,
                "impact-too-high",
                "The order's price is \(percent) % worse than the best orders of the "
                    + "book\(best), more than 20 %: nothing was signed.",
                hint:
                    "See the others with `dex orderbook \(pair.word)`. If you mean "
                    + "this price: --allow-high-impact."
            )
        case .referenceUnread(let reason):
            ErrorReport(
                .unreachable,
                "book-unread",
                "The price was compared with the market for the plan, and cannot be compared again "
                    + "right before the signature. \(reason)",
                hint: "Run the command again once the relay, or the node, answers.",
                retryable: true
            )
        case .priceUnchecked(let reason, let amount, let flag):
            ErrorReport(
                .refused,
                "price-unchecked",
                "The price can be compared with nothing, and "
                    + (amount.map { Self.stake($0) } ?? "the value of this trade is unknown")
                    + ": nothing was signed. \(reason)",
                hint: (flag.map { "Name the worst price with \($0), or allow any" } ?? "Allow any")
                    + " with --allow-unchecked-price."
            )
        }
    }
    /// What is at stake: `41.9 WETH are traded, more than 0.5`.
    private static func stake(_ amount: TokenAmount) -> String {
        let limit = TokenAmount(raw: UncheckedPrice.limit, token: amount.token).value
        return
            "\(amount.value) \(PlainText.name(amount.token.symbol)) are traded, more "
            + "than \(limit)"
    }

    private static func limit(_ side: TradeSide) -> String {
        side == .buy ? "--max-price" : "--min-price"
    }

    private static func quote(_ amount: UInt256, _ pair: Pair) -> String {
        "\(TokenAmount(raw: amount, token: pair.quote).value) "
            + PlainText.name(pair.quote.symbol)
    }

    private static func base(_ amount: UInt256, _ pair: Pair) -> String {
        "\(TokenAmount(raw: amount, token: pair.base).value) \(PlainText.name(pair.base.symbol))"
    }

    private static func offer(_ side: TradeSide, _ pair: Pair, _ found: UInt256) -> String {
        "Run `dex \(side == .buy ? "market-buy" : "market-sell") \(pair.word) "
            + "\(TokenAmount(raw: found, token: pair.base).value)` for what is there."
    }
}
