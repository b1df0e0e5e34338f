import Ethereum
import ZeroEx

/// Compares the price of a chosen order with other fillable orders.
extension FillModel {
    /// The book of an order's pair.
    func book(
        of order: any SignedOrder,
        account: Address
    ) async -> Result<BookReading, DexError> {
        do throws(DexError) {
            let found = try await TokenResolver(session: session)
                .tokens(at: [order.makerToken, order.takerToken])
            let pair = QuoteRank(session: session).pair(
                found[order.makerToken] ?? .unknown(order.makerToken),
                found[order.takerToken] ?? .unknown(order.takerToken)
            )
            return await BookReading.read(
                of: pair,
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
        case .unread(let sentence): return [sentence]
        }
        // The maker's counterpart.
        let side: TradeSide = row.side == .buy ? .sell : .buy
        let entry = book.entries(for: side).first { $0.order.hash == row.order.hash }
        let comparison = book.comparison(
            filling: row.order.hash,
            at: entry?.price ?? row.price,
            amount: side == .buy ? route.receive : route.pay,
            side: side,
            exchangeProtocol: session.exchangeProtocol
        )
        guard let comparison else {
            return ["The book has no other order to compare the price with. Check it yourself."]
        }
        route.impactBasisPoints = comparison.distance
        try checkImpact(comparison, pair: row.pair)
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

    private func checkImpact(
        _ comparison: PriceComparison,
        pair: Pair
    ) throws(DexError) {
        guard comparison.distance > BookDepth.impactLimit, !settings.allowsHighImpact else {
            return
        }
        let percent = DecimalText.format(UInt256(comparison.distance), decimals: 2)
        let quote = PlainText.clean(pair.quote.symbol, limit: 20)
        let best = comparison.best.text(of: pair).map { " at \($0) \(quote)" } ?? ""
        throw DexError(TradeError.orderTooDear(percent: percent, best: best, pair: pair))
    }
}
