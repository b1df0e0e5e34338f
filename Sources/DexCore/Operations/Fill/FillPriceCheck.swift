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
        _ row: OrdersState.Row,
        with reading: BookReading
    ) throws(DexError) -> [String] {
        let book: BookSnapshot
        switch reading {
        case .book(let read): book = read
        // Said with the price itself.
        case .unread: return []
        }
        // The maker's counterpart.
        let side: TradeSide = row.side == .buy ? .sell : .buy
        let entry = book.entries(for: side).first { $0.order.hash == row.order.hash }
        let comparison = book.comparison(
            filling: row.order.hash,
            at: entry?.price ?? row.price,
            amount: side == .buy ? route.receive : route.pay,
            side: side
        )
        guard let comparison else { return try compare(&route, row, withOtherSideOf: book, side) }
        route.impactBasisPoints = comparison.distance
        try checkImpact(comparison.distance, best: comparison.best, pair: row.pair)
        guard comparison.base > .zero else { return [] }
        let verb = side == .buy ? "sell" : "buy"
        let text = { (raw: UInt256, token: Token) in
            "\(TokenAmount(raw: raw, token: token).value) "
                + PlainText.clean(token.symbol, limit: 20)
        }
        return [
            "Other orders \(verb) \(text(comparison.base, row.pair.base)) at better prices, for "
                + "\(text(comparison.quote, row.pair.quote))."
        ]
    }

    /// Without another order of its side, the best price of the other one counts.
    private func compare(
        _ route: inout TradeRoute,
        _ row: OrdersState.Row,
        withOtherSideOf book: BookSnapshot,
        _ side: TradeSide
    ) throws(DexError) -> [String] {
        guard let best = side == .buy ? book.bid : book.ask else { return [] }
        let distance = BookDepth.distance(of: row.price, behind: best, side: side)
        route.impactBasisPoints = distance
        try checkImpact(distance, best: best, pair: row.pair)
        let (own, other) = side == .buy ? ("sell", "buy") : ("buy", "sell")
        return [
            "The book has no other \(own) order: the price is compared with its \(other) orders."
        ]
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
        let quote = PlainText.clean(pair.quote.symbol, limit: 20)
        let best = best.text(of: pair).map { " at \($0) \(quote)" } ?? ""
        throw DexError(TradeError.orderTooDear(percent: percent, best: best, pair: pair))
    }
}
