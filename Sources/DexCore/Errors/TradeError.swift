package import Ethereum
package import ZeroEx

/// A trade that is not allowed, or would not work.
package enum TradeError: ErrorArea {
    package static let concerns: ErrorConcerns = .market

    package static func slippageTooHigh(_ percent: String) -> DexError {
        row(
            .refused("slippage-too-high"),
            "A slippage of \(percent) % is more than 5 %: the order could be "
                + "filled far beyond its quote.",
            hint: "Lower --slippage, or allow it with --allow-high-slippage."
        )
    }

    package static let noAccount = row(.fault("no-account"), "The account was not read.")

    package static func takerFeeCap(
        cap: String,
        symbol: String,
        found: String,
        base: String,
        needed: String,
        pair: Pair,
        instead: String?
    ) -> DexError {
        row(
            .refused("taker-fee-cap"),
            "Within the cap of taker fees (\(cap) \(symbol) for a trade) the book has "
                + "only \(found) \(base).\(needed)",
            hint:
                "See the fees in `dex orderbook \(pair.word)`; --max-taker-fee "
                + "allows more. \(instead ?? "")",
            retryable: true,
            concerns: .venue
        )
    }

    package static func impactTooHigh(percent: String, cheapPart: String?) -> DexError {
        row(
            .refused("impact-too-high"),
            "The price impact is \(percent) %, more than 20 %: the average would be that "
                + "much worse than the best price.",
            hint: cheapPart.map {
                "Run `\($0)` for what is at most 20 % above the best price, or trade all of it with "
                    + "--allow-high-impact."
            } ?? "Trade a smaller amount, or allow it with --allow-high-impact.",
            concerns: [.venue, .price]
        )
    }

    package static let sumOutOfRange = row(
        .refused("amount-out-of-range"),
        "The orders' amounts exceed the largest possible amount.",
        hint: "Try a smaller amount."
    )

    package static let bookMoved = row(
        .refused("book-moved"),
        "The book moved beyond what was confirmed, so nothing was filled.",
        hint: "Run the command again to see the new plan.",
        retryable: true
    )

    package static func tooManyOrders(
        _ side: TradeSide,
        _ pair: Pair,
        maximum: Int,
        found: UInt256
    ) -> DexError {
        row(
            .refused("too-many-orders"),
            "The amount needs more than the \(maximum) orders that fit into "
                + "one transaction; they come to \(Self.base(found, pair)).",
            hint: Self.offer(side, pair, found),
            concerns: .venue
        )
    }

    /// - Parameter found: base units within the limit; nil if there are none.
    package static func priceLimit(_ side: TradeSide, _ pair: Pair, found: UInt256?) -> DexError {
        row(
            .refused("price-limit"),
            "Within \(Self.limit(side)) the book has "
                + (found.map { "only \(Self.base($0, pair))" } ?? "nothing") + ".",
            hint: found.map { Self.offer(side, pair, $0) }
                ?? "Give another \(Self.limit(side)), or place a limit order.",
            retryable: true,
            concerns: [.venue, .priceLimit]
        )
    }

    package static func thinBook(
        _ side: TradeSide,
        _ pair: Pair,
        found: UInt256,
        amount: UInt256
    ) -> DexError {
        row(
            .refused("thin-book"),
            "The book \(side == .buy ? "sells" : "buys") only \(Self.base(found, pair)) of the "
                + "\(TokenAmount(raw: amount, token: pair.base).value) asked for.",
            hint: Self.offer(side, pair, found),
            retryable: true,
            concerns: .venue
        )
    }

    /// All sell orders cost less than is to be spent; base units of QUOTE.
    package static func thinForSpend(_ pair: Pair, cost: UInt256, spend: UInt256) -> DexError {
        row(
            .refused("thin-book"),
            "All that the book sells costs only \(Self.quote(cost, pair)), less than the "
                + "\(TokenAmount(raw: spend, token: pair.quote).value) to spend.",
            hint: "Run `dex market-buy \(pair.word) --spend "
                + "\(TokenAmount(raw: cost, token: pair.quote).value)` for what is there.",
            retryable: true,
            concerns: .venue
        )
    }

    /// It buys less than any order sells; base units of QUOTE.
    package static func spendTooSmall(_ spend: UInt256, _ pair: Pair) -> DexError {
        row(
            .refused("spend-too-small"),
            "\(Self.quote(spend, pair)) buys nothing: no order sells so little.",
            hint: "Spend more.",
            concerns: .venue
        )
    }

    package static func wouldFillLess(isNothing: Bool) -> DexError {
        row(
            isNothing
                ? .simulationFailed("would-fill-nothing") : .simulationFailed("would-fill-less"),
            isNothing
                ? "The simulation filled nothing: the orders were taken, cancelled or expired "
                    + "since they were read."
                : "The simulation filled only a part: orders were taken, cancelled or expired "
                    + "since they were read.",
            hint: "Run the command again to plan with the present book.",
            retryable: true
        )
    }

    package static func fillFails(words: String) -> DexError {
        row(
            .simulationFailed("would-revert"),
            "The simulation of the fill fails\(words); nothing was signed.",
            hint:
                "A token may be paused or have blocked an account, or an order's maker may have "
                + "moved its funds; run the command again to plan with the present book.",
            retryable: true
        )
    }

    package static let approvalMissing = row(
        .refused("approval-missing"),
        "The allowance is still not enough after the approval; nothing was filled.",
        hint: "See the allowance with `dex balance`, and run the command again."
    )

    package static let nothingFills = row(
        .simulationFailed("would-fill-nothing"),
        "In the simulation order after order filled less than it should, so nothing was signed.",
        hint:
            "A token may be paused or have blocked this account; otherwise run the command "
            + "again to plan with the present book.",
        retryable: true
    )

    /// nil where it cannot be read.
    package static func badOrder(_ reason: DropReason?) -> DexError {
        row(
            .refused("bad-order"),
            "The order is not valid: \(reason?.words ?? "it cannot be read.")"
        )
    }

    package static func notFillable(
        _ hash: OrderHash,
        _ flag: OrderFlag,
        reason: String,
        remedy: String
    ) -> DexError {
        row(
            .refused("order-FLAG", flag.rawValue),
            "The order \(hash) cannot be filled: \(reason).",
            hint: flag == .own
                ? "Cancel it with `dex cancel \(hash)`."
                : flag == .expiring
                    ? "Fill another order, or lower the margin: `\(remedy)`." : nil,
            concerns: flag == .expiring ? .expiry : []
        )
    }

    package static func takerFeeAboveCap(_ fee: UInt256, _ token: Token) -> DexError {
        row(
            .refused("taker-fee-cap"),
            "The order charges its taker \(TokenAmount(raw: fee, token: token).value) "
                + "\(PlainText.name(token.symbol)), which is above your cap of taker fees.",
            hint: "Fill another order, or less of this one; --max-taker-fee allows more."
        )
    }

    package static func amountTooLarge(maximum: UInt256, base: Token) -> DexError {
        row(
            .refused("amount-too-large"),
            "Of the order only \(TokenAmount(raw: maximum, token: base).value) "
                + "\(PlainText.name(base.symbol)) can be filled.",
            hint: "Leave the amount out to fill all of it."
        )
    }

    package static let rounding = row(
        .refused("rounding-error"),
        "The contract refuses this amount: rounding would take too large a part of it.",
        hint: "Fill a larger or a rounder amount of the order."
    )

    package static let orderMoved = row(
        .refused("book-moved"),
        "The order can no longer be filled by the confirmed amount, so nothing was filled.",
        hint: "Run the command again to see the new plan.",
        retryable: true
    )

    package static func priceFarFromBook(percent: String, best: String, pair: Pair) -> DexError {
        row(
            .refused("impact-too-high"),
            "The order's price is \(percent) % worse than the best orders of the "
                + "book\(best), more than 20 %: nothing was signed.",
            hint:
                "See the others with `dex orderbook \(pair.word)`. If you mean "
                + "this price: --allow-high-impact."
        )
    }

    /// What the plan's price was compared with cannot be read again; the sentence with the reason.
    package static func referenceUnread(_ reason: String) -> DexError {
        row(
            .unreachable("book-unread"),
            "The price was compared with the market for the plan, and cannot be compared again "
                + "right before the signature. \(reason)",
            hint: "Run the command again once the relay, or the node, answers.",
            retryable: true
        )
    }

    /// Nothing can be compared with the price; the sentence with the reason.
    ///
    /// - Parameters:
    ///   - amount: what is traded of the chain's coin; nil if its value is unknown.
    ///   - limitFlag: the option that names the worst price; nil if the command has none.
    package static func priceUnchecked(
        _ reason: String,
        amount: TokenAmount?,
        limitFlag flag: String?
    ) -> DexError {
        row(
            .refused("price-unchecked"),
            "The price can be compared with nothing, and "
                + (amount.map { Self.stake($0) } ?? "the value of this trade is unknown")
                + ": nothing was signed. \(reason)",
            hint: (flag.map { "Name the worst price with \($0), or allow any" } ?? "Allow any")
                + " with --allow-unchecked-price.",
            concerns: [.venue, .price]
        )
    }

    /// What is at stake: `41.9 WETH are traded, more than 0.5`.
    private static func stake(_ amount: TokenAmount) -> String {
        let limit = TokenAmount(raw: UncheckedPrice.limit, token: amount.token).value
        return
            "\(amount.value) \(PlainText.name(amount.token.symbol)) are traded, more than \(limit)"
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
