import DexStore
package import Ethereum
package import ZeroEx

/// A limit order that is impossible or not allowed.
package enum LimitError: ErrorArea {
    package static let concerns: ErrorConcerns = .market

    package static func outOfRange(_ what: String, pair: Pair) -> DexError {
        row(
            .usage("amount-out-of-range"),
            "The amount times the price comes to \(what) of \(PlainText.name(pair.quote.symbol)).",
            hint:
                "Check the amount (in \(PlainText.name(pair.base.symbol))) and the price."
        )
    }

    package static let wrongSignature = row(
        .wallet("wrong-signature"),
        "The key made a signature that does not verify; the order was not used."
    )

    package static let wrongHash = row(
        .fault("wrong-hash"),
        "The signed order is not the one that was planned; it was not used."
    )

    package static func impossible(_ error: OrderError) -> DexError {
        row(.usage("impossible-order"), error.description)
    }

    package static func relayTerms(_ error: OrderError) -> DexError {
        row(
            .refused("relay-terms"),
            "The relay wants what no order can have. "
                + PlainText.clean(error.description),
            hint: "Use another relay (--relay)."
        )
    }

    package static func relayFeeCap(
        _ name: String,
        fee: UInt256,
        cap: UInt256,
        token: Token
    ) -> DexError {
        row(
            .refused("relay-fee-cap"),
            "The relay wants a \(name) fee of "
                + "\(TokenAmount(raw: fee, token: token).value) \(PlainText.name(token.symbol)); at most "
                + "\(TokenAmount(raw: cap, token: token).value) \(PlainText.name(token.symbol)) are allowed.",
            hint: "Use another relay (--relay), or sign the order without one (--no-post)."
        )
    }

    package static let badExpiry = row(
        .usage("bad-expiry"),
        "The order would already have expired.",
        hint: "Give a time to live such as --expires 24h."
    )

    /// Whole base units cannot express the price.
    ///
    /// - Parameters:
    ///   - signed: the price that would be signed instead, QUOTE per BASE as text; nil without one.
    ///   - distance: from the wanted price, in hundredths of a percent.
    ///   - nearest: the amounts of BASE around the typed one that are exact, in base units.
    package static func coarsePrice(
        signed: String?,
        distance: UInt64,
        nearest: [UInt256],
        pair: Pair
    ) -> DexError {
        let percent =
            distance < 1_000_000
            ? DecimalText.format(UInt256(distance), decimals: 2) : "more than 10000"
        let base = PlainText.name(pair.base.symbol)
        let amounts = nearest.map { "\(TokenAmount(raw: $0, token: pair.base).value) \(base)" }
        return row(
            .refused("price-too-coarse"),
            "Whole base units of these tokens cannot express this price for this amount: the order "
                + "would be at \(signed ?? "another price"), \(percent) % off. Nothing was signed.",
            hint: amounts.isEmpty
                ? "Choose another amount or another price."
                : "Exact at this price: \(amounts.joined(separator: " or "))."
        )
    }

    /// The book was compared for the plan, and cannot be read right before the signature.
    package static func bookUnread(_ sentence: String) -> DexError {
        row(
            .unreachable("book-unread"),
            "The book was compared for the plan and cannot be read now, right before the "
                + "signature. Nothing was signed. \(sentence)",
            hint: "Run the command again once the relay answers.",
            retryable: true
        )
    }

    /// It crosses the book by more than what was confirmed; hundredths of a percent.
    package static func crossesFurther(confirmed: UInt64, now: UInt64) -> DexError {
        row(
            .refused("crosses-book"),
            "The price crosses the book by \(DecimalText.format(UInt256(now), decimals: 2)) % now, "
                + "and by \(DecimalText.format(UInt256(confirmed), decimals: 2)) % when it was "
                + "confirmed. Nothing was signed.",
            hint: "Run the command again to see the new plan.",
            retryable: true
        )
    }

    package static func crossesBook(words: String, market: String) -> DexError {
        row(
            .refused("crosses-book"),
            words + " Nothing was signed.",
            hint: "Check the price. \(market)If you mean this price: --allow-crossing."
        )
    }

    /// A post-only order that meets the best opposite price.
    package static func wouldFill(_ side: TradeSide, best: String, pair: Pair) -> DexError {
        row(
            .refused("post-only"),
            "The price meets the best \(side == .buy ? "sell" : "buy") orders, which are at "
                + "\(best) \(PlainText.name(pair.quote.symbol)). Nothing was signed.",
            hint: "Choose a price \(side == .buy ? "below" : "above") it, such as "
                + "--price \(side == .buy ? "ask-1" : "bid+1"), or leave --post-only out."
        )
    }

    /// A post-only order without a book; the sentence with the reason.
    package static func postOnlyUnread(_ sentence: String) -> DexError {
        row(
            .refused("post-only"),
            "With --post-only the price must be compared with the book. " + sentence,
            hint: "Try again later, or leave --post-only out.",
            retryable: true
        )
    }

    /// The book has no price to start from; the amount is in base units of BASE.
    package static func noReference(
        _ reason: NoReference,
        amount: UInt256,
        pair: Pair
    ) -> DexError {
        row(
            .refused("no-reference-price"),
            reason.words(amount: amount, pair: pair),
            hint: "Type the price as a number, such as --price 0.0025. See the book: "
                + "`dex orderbook \(pair.word)`."
        )
    }

    package static func saltUnknown(words: String) -> DexError {
        row(
            .refused("salt-unknown"),
            "The exchange does not say which orders of the pair it takes as "
                + "cancelled, so a new one may be cancelled already: "
                + PlainText.sentence(words),
            hint: "Try another node with --rpc."
        )
    }

    package static let pairCancelled = row(
        .refused("pair-cancelled"),
        "The account's orders of this pair were cancelled meanwhile, this one's salt "
            + "among theirs, so it could never be filled; it was not signed.",
        hint: "Run the command again for one with a higher salt.",
        retryable: true
    )

    /// The sandbox is a fork, and the order would be valid on the live chain with this id.
    package static func validOnLiveChain(_ chain: UInt64) -> DexError {
        row(
            .refused("order-live-chain"),
            "An order signed on this fork would be valid on the live chain \(chain), too, "
                + "and anybody who has it could fill it there. Nothing was signed.",
            hint: "Make orders on a sandbox of its own; on a fork, trade at the pools, and "
                + "fill orders of others."
        )
    }

    /// Less is proven than the order needs.
    package static func unbacked(
        isAllowance: Bool,
        has: TokenAmount,
        needs: TokenAmount,
        block: UInt64
    ) -> DexError {
        row(
            .refused("order-unbacked"),
            "At block \(block) the account's \(isAllowance ? "allowance" : "balance") of "
                + "\(PlainText.name(has.token.symbol)) is proven to be \(has.value), and its orders "
                + "need \(needs.value). The order was not signed.",
            hint: "Run the command again: it plans on what the account has now.",
            retryable: true
        )
    }

    /// The approval before it did not get through.
    package static func unapproved(_ sent: SentTransaction) -> DexError {
        let status = sent.stage.sentWord
        let code: ErrorCode =
            switch sent.stage.ending {
            case .notMinedYet: .notMinedYet("approval-STATUS", status)
            case .replacedOrDropped: .replacedOrDropped("approval-STATUS", status)
            case .done, .less, .reverted: .reverted("approval-STATUS", status)
            }
        return row(
            code,
            "The approval \(sent.hash) is \(sent.stage == .mined ? "unconfirmed" : status), so "
                + "the order was not signed."
                + (sent.stage == .reverted ? sent.reason.map { " \($0)" } ?? "" : ""),
            hint: "Look with `dex status \(sent.hash) --wait`, then run the command again.",
            retryable: code.kind == .notMinedYet
        )
    }

    /// The reason why a book has no price for an order to start from.
    package enum NoReference: Hashable, Sendable {
        /// No relay gave a book; the sentence with the reason.
        case unread(String)
        /// No order to take of this side: sell orders of `.buy`.
        case oneSided(TradeSide)
        /// QUOTE per BASE as text.
        case crossed(bid: String, ask: String)
        /// The orders of a side are smaller than the order itself; base units of BASE.
        case thin(TradeSide, found: UInt256)
        /// Hundredths of a percent of the bid.
        case wide(spread: UInt64)
        case outOfRange
    }
}

extension LimitError.NoReference {
    fileprivate func words(amount: UInt256, pair: Pair) -> String {
        let base = PlainText.name(pair.base.symbol)
        let quote = PlainText.name(pair.quote.symbol)
        func orders(_ side: TradeSide) -> String { side == .buy ? "sell orders" : "buy orders" }
        switch self {
        case .unread(let sentence): return sentence
        case .oneSided(let side):
            return "The book has no \(orders(side)) that could be taken, so it has no "
                + "\(side == .buy ? "ask" : "bid") to take the price from."
        case .crossed(let bid, let ask):
            return
                "The book is crossed: its bid of \(bid) \(quote) is not below its ask of \(ask), so "
                + "no price can be taken from it."
        case .thin(let side, let found):
            return
                "The \(orders(side)) of the book come to \(value(found, pair)) \(base), less than "
                + "the \(value(amount, pair)) of this order: too few to take a price from."
        case .wide(let spread):
            let percent = DecimalText.format(UInt256(spread), decimals: 2)
            return "Bid and ask are \(percent) % apart, more than 20 %: the middle is no price of "
                + "this market."
        case .outOfRange:
            return "That comes to no price above zero."
        }
    }

    private func value(_ amount: UInt256, _ pair: Pair) -> String {
        TokenAmount(raw: amount, token: pair.base).value
    }
}
