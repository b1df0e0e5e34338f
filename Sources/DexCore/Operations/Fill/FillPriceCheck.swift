import Ethereum
import ZeroEx

/// Holds the price of a chosen order against the other orders that could be filled.
struct FillPriceCheck {
    let session: Session
    let settings: TradeSettings

    /// The book of an order's pair.
    func book(
        of order: any SignedOrder,
        account: Address
    ) async -> Result<BookReading, DexError> {
        do throws(DexError) {
            return await BookReading.read(
                of: try await TokenResolver(session: session).pair(of: order),
                account: account,
                session: session,
                settings: settings.reading
            )
        } catch {
            return .failure(error)
        }
    }

    /// Sets a route's distance from the best orders.
    ///
    /// - Returns: warnings other than the impact itself.
    /// - Throws: `DexError`, exit 6, `impact-too-high`, above 20 % unless that was allowed.
    func compare(
        _ route: inout TradeRoute,
        of pair: Pair,
        _ side: TradeSide,
        with reading: BookReading
    ) throws(DexError) -> [String] {
        guard let leg = route.legs.first else { return [] }
        let book: BookSnapshot
        switch reading {
        case .book(let read): book = read
        // Said with the price itself.
        case .unread: return []
        }
        let entry = book.entries(for: side).first { $0.order.hash == leg.order.hash }
        let comparison = book.comparison(
            filling: leg.order.hash,
            at: entry?.price ?? leg.price,
            amount: side == .buy ? route.receive : route.pay,
            side: side
        )
        guard let comparison else {
            return try compare(&route, of: pair, side, withOtherSideOf: book)
        }
        route.impactBasisPoints = comparison.distance
        try checkImpact(comparison.distance, best: comparison.best, pair: pair)
        guard comparison.base > .zero else { return [] }
        let verb = side == .buy ? "sell" : "buy"
        let text = { (raw: UInt256, token: Token) in
            "\(TokenAmount(raw: raw, token: token).value) "
                + PlainText.name(token.symbol)
        }
        return [
            "Other orders \(verb) \(text(comparison.base, pair.base)) at better prices, for "
                + "\(text(comparison.quote, pair.quote))."
        ]
    }

    /// Without another order of its side, the best price of the other one counts.
    private func compare(
        _ route: inout TradeRoute,
        of pair: Pair,
        _ side: TradeSide,
        withOtherSideOf book: BookSnapshot
    ) throws(DexError) -> [String] {
        guard let best = side == .buy ? book.bid : book.ask else { return [] }
        let distance = BookDepth.distance(of: route.average, behind: best, side: side)
        route.impactBasisPoints = distance
        try checkImpact(distance, best: best, pair: pair)
        let (own, other) = side == .buy ? ("sell", "buy") : ("buy", "sell")
        return [
            "The book has no other \(own) order: the price is compared with its \(other) orders."
        ]
    }

    /// Compares the price again right before the signature, if the plan's was.
    ///
    /// - Throws: `DexError`: exit 4, `book-unread`, if that cannot be done; exit 6, `impact-too-high`.
    func check(_ trade: BookStep) async throws(DexError) {
        guard trade.plan.impactBasisPoints != nil, let order = trade.route.legs.first?.order else {
            return
        }
        let reading = try await book(of: order, account: trade.plan.account).get()
        var route = trade.route
        route.impactBasisPoints = nil
        _ = try compare(&route, of: trade.plan.pair, trade.plan.side, with: reading)
        if let gap = gap(route, reading) { throw TradeError.referenceUnread(gap) }
    }

    /// Why the price can be compared with nothing; nil if it was compared.
    func gap(_ route: TradeRoute, _ reading: BookReading) -> String? {
        switch reading {
        case .unread(let sentence): sentence
        case .book:
            route.impactBasisPoints == nil ? "The book has no other order of this pair." : nil
        }
    }

    private func checkImpact(
        _ distance: UInt64,
        best: Price,
        pair: Pair
    ) throws(DexError) {
        guard distance > BookDepth.impactLimit, !settings.allowsHighImpact else { return }
        let percent = DecimalText.format(UInt256(distance), decimals: 2)
        let quote = PlainText.name(pair.quote.symbol)
        let best = best.text(of: pair).map { " at \($0) \(quote)" } ?? ""
        throw TradeError.priceFarFromBook(percent: percent, best: best, pair: pair)
    }
}
