import Ethereum
import ZeroEx

/// Compares a limit price with the book.
///
/// An order that fills at once at a price worse than the market's is usually a typing error.
struct LimitPriceCheck {
    let session: Session
    let settings: TradeSettings

    /// How far a limit price may cross the best opposite price, in hundredths of a percent: 1 %.
    static let crossingLimit: UInt64 = 100

    /// The comparison with a book, and its warnings.
    struct Answer {
        /// nil without opposite orders.
        var comparison: PriceComparison?
        var warnings: [String] = []
        /// The maker gets more than 20 % less than the book shows.
        var isFarFromBook = false
    }

    /// Compares a limit price with the orders that a trade of the same side would fill.
    ///
    /// - Parameters:
    ///   - price: quote per base.
    ///   - amount: base units of base.
    /// - Throws: `DexError`, exit 6, `crosses-book`, if the price crosses the best of them by more
    ///   than 1 % and that was not allowed.
    func check(
        _ price: Price,
        amount: UInt256,
        side: TradeSide,
        pair: Pair,
        against reading: BookReading
    ) throws(DexError) -> Answer {
        let book: BookSnapshot
        switch reading {
        case .book(let read): book = read
        case .unread(let sentence):
            guard !settings.postsOnly else { throw LimitError.postOnlyUnread(sentence) }
            return Answer(warnings: [UncheckedPrice.warning(sentence)])
        }
        let unchecked = uncheckedWarning(of: price, side: side, in: book)
        let far = farWarning(of: price, side: side, in: book)
        let upsideDown = UpsideDownPrice.question(
            price,
            near: book.bid ?? book.ask,
            pair: pair
        )
        let first = [upsideDown, unchecked].compactMap(\.self) + book.relayWarnings
        let comparison = book.comparison(
            of: price,
            amount: amount,
            side: side
        )
        guard let comparison else {
            return Answer(
                warnings: first + [far ?? Self.nothing(book, side: side, pair: pair)],
                isFarFromBook: far != nil
            )
        }
        if settings.postsOnly, PriceBounds.isWithin(comparison.best, limit: price, side: side) {
            let best = comparison.best.text(of: pair) ?? "?"
            throw LimitError.wouldFill(side, best: best, pair: pair)
        }
        let words = Self.words(comparison, side: side, pair: pair)
        guard comparison.distance <= Self.crossingLimit || settings.allowsCrossing else {
            let verb = side == .buy ? "market-buy" : "market-sell"
            let amount = TokenAmount(raw: comparison.base, token: pair.base).value
            let market =
                comparison.base == .zero || upsideDown != nil
                ? upsideDown.map { $0 + " " } ?? ""
                : "Take them at their price with `dex \(verb) \(pair.word) "
                    + "\(amount)`. "
            throw LimitError.crossesBook(words: words, market: market)
        }
        var answer = Answer(
            comparison: comparison,
            warnings: first + [far].compactMap(\.self),
            isFarFromBook: far != nil
        )
        guard comparison.distance > 0 else { return answer }
        let mark = comparison.distance > Self.crossingLimit ? "CROSSES THE BOOK. " : ""
        answer.warnings.append(mark + words)
        return answer
    }

    /// Says that a price is compared with nothing; nil if it is compared, or if others' orders of the
    /// same kind are at least as bad for their makers.
    ///
    /// It is only said: the maker named the price, as a taker does with a limit.
    private func uncheckedWarning(
        of price: Price,
        side: TradeSide,
        in book: BookSnapshot
    ) -> String? {
        if let others = side == .buy ? book.bid : book.ask,
            PriceBounds.isWithin(price, limit: others, side: side)
        {
            return nil
        }
        return book.gap(for: side).map(UncheckedPrice.warning)
    }

    /// Compares a price with the orders of its own kind where no other can be compared with it, and
    /// with the middle where bid and ask are far apart.
    ///
    /// - Returns: a warning of a price that is far from the book; nil if it is near.
    private func farWarning(
        of price: Price,
        side: TradeSide,
        in book: BookSnapshot
    ) -> String? {
        guard let reference = book.farReference(for: side) else { return nil }
        let points = BookDepth.distance(of: price, behind: reference, side: side)
        guard points > BookDepth.impactLimit else { return nil }
        let percent = DecimalText.format(UInt256(points), decimals: 2)
        let quote = PlainText.name(book.pair.quote.symbol)
        let place = reference.text(of: book.pair).map { ", \($0) \(quote)" } ?? ""
        return "FAR FROM THE BOOK. The price is \(percent) % worse than what the book "
            + "shows\(place)."
    }

    /// A price relative to a book, as a number.
    ///
    /// - Parameter amount: base units of base.
    /// - Throws: `DexError`, exit 6, `no-reference-price`.
    func relative(
        _ reference: PriceExpression.Reference,
        _ offset: PriceExpression.Offset,
        typed: String,
        amount: UInt256,
        side: TradeSide,
        pair: Pair,
        of reading: BookReading
    ) throws(DexError) -> RelativePrice {
        let book: BookSnapshot
        switch reading {
        case .book(let read): book = read
        case .unread(let sentence):
            throw LimitError.noReference(.unread(sentence), amount: amount, pair: pair)
        }
        let price = try RelativePricing(side: side, pair: pair, amount: amount).price(
            reference,
            offset,
            bids: BookDepth(book.bids, side: .sell),
            asks: BookDepth(book.asks, side: .buy)
        )
        return RelativePrice(
            typed: typed,
            price: price,
            bid: book.bid,
            ask: book.ask,
            block: book.block.number
        )
    }

    /// Compares a signed order's price before it is posted again.
    ///
    /// - Returns: the warnings.
    /// - Throws: as `check` with a draft's terms; exit 4 if the node does not answer.
    func check(_ order: any SignedOrder) async throws(DexError) -> [String] {
        let pair = try await TokenResolver(session: session).pair(of: order)
        let side: TradeSide = order.makerToken == pair.quote.address ? .buy : .sell
        let (base, quote) =
            side == .buy
            ? (order.takerAmount, order.makerAmount) : (order.makerAmount, order.takerAmount)
        guard let price = Price(quote: quote, base: base) else { return [] }
        let reading = await BookReading.read(
            of: pair,
            account: order.maker,
            session: session,
            settings: settings.reading
        )
        return try check(
            price,
            amount: base,
            side: side,
            pair: pair,
            against: reading.get()
        ).warnings
    }

    /// The book for comparing a price.
    func book(of pair: Pair, account: Address) async -> Result<BookReading, DexError> {
        await BookReading.read(
            of: pair,
            account: account,
            session: session,
            settings: ReadSettings(expiryMargin: settings.expiryMargin)
        )
    }

    /// Compares a confirmed plan's price again: it may cross the book by now.
    ///
    /// - Throws: `DexError`: exit 4, `book-unread`, if there is no book to read, unless the plan said
    ///   so; as `check` with a draft's terms; exit 6, `crosses-book`, if crossing was allowed and it
    ///   crosses by over 1 % more than what was confirmed.
    func check(_ plan: LimitPlan) async throws(DexError) {
        let reading = try await book(of: plan.pair, account: plan.account).get()
        if plan.hasBook, case .unread(let sentence) = reading {
            throw LimitError.bookUnread(sentence)
        }
        let answer = try check(
            plan.price,
            amount: plan.base.raw,
            side: plan.side,
            pair: plan.pair,
            against: reading
        )
        let (confirmed, now) = (plan.comparison?.distance ?? 0, answer.comparison?.distance ?? 0)
        guard now <= confirmed.addingSaturating(Self.crossingLimit) else {
            throw LimitError.crossesFurther(confirmed: confirmed, now: now)
        }
        for warning in answer.warnings where !plan.warnings.contains(warning) {
            session.environment.warn(warning)
        }
    }

    private static func words(
        _ comparison: PriceComparison,
        side: TradeSide,
        pair: Pair
    ) -> String {
        let percent = DecimalText.format(UInt256(comparison.distance), decimals: 2)
        let quote = PlainText.name(pair.quote.symbol)
        let base = PlainText.name(pair.base.symbol)
        let orders = side == .buy ? "sell orders" : "buy orders"
        let best = comparison.best.text(of: pair).map { ", which are at \($0) \(quote)" } ?? ""
        let amount = TokenAmount(raw: comparison.base, token: pair.base).value
        let total = TokenAmount(raw: comparison.quote, token: pair.quote).value
        let verb = side == .buy ? "buys" : "sells"
        return "The price crosses the best \(orders)\(best), by \(percent) %. A market order "
            + "\(verb) \(amount) \(base) for \(total) \(quote) now."
    }

    /// The text for a side without orders, with the best price of the other side.
    private static func nothing(_ book: BookSnapshot, side: TradeSide, pair: Pair) -> String {
        let orders = side == .buy ? "sell orders" : "buy orders"
        let sentence = "The book has no \(orders) to compare the price with."
        let own = side == .buy ? book.bid : book.ask
        guard let best = own?.text(of: pair) else { return sentence + " Check it yourself." }
        return sentence + " The best \(side == .buy ? "buy" : "sell") orders are at \(best) "
            + "\(PlainText.name(pair.quote.symbol))."
    }
}
