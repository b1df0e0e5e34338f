import Ethereum
import ZeroEx

/// The price of a venue that quotes whole trades, and its quote once that was asked for.
struct QuotedOffer: Offer {
    let order: MarketOrder
    let quoting: SwapQuoting
    let price: SwapPrice
    /// nil before it is firm.
    private(set) var quote: (quote: SwapQuote, reads: SwapPreparer.Reads)?

    init(order: MarketOrder, quoting: SwapQuoting, price: SwapPrice) {
        self.order = order
        self.quoting = quoting
        self.price = price
    }

    private var venue: any QuotedVenue { quoting.at }

    private var preparer: SwapPreparer {
        SwapPreparer(order: order, quoting: quoting)
    }

    // MARK: The offer

    /// A rollup's fee depends on the bytes, which only the quote has.
    func price(in market: OrderMarket) async throws(DexError) -> OfferPrice? {
        guard let quote = quote?.quote else {
            return price(price, gas: price.gas, gasPrice: market.gasPrice)
        }
        let units = quote.gas ?? price.gas
        var rollupFee = Wei.zero
        if let units {
            let call = CallRequest(
                from: order.account,
                to: quote.call.to,
                data: quote.call.data,
                value: quote.call.value
            )
            rollupFee = try await order.rollupFee(of: call, gas: units, market.head.fees)
        }
        return price(quote.price, gas: units, gasPrice: market.gasPrice, rollupFee: rollupFee)
    }

    private func price(
        _ price: SwapPrice,
        gas: UInt64?,
        gasPrice: Wei?,
        rollupFee: Wei = .zero
    ) -> OfferPrice? {
        let trade = quoting.trade
        guard let average = trade.price(pay: price.sold, receive: price.bought),
            let worst = trade.price(pay: price.maximumSold, receive: price.minimumBought)
        else { return nil }
        return OfferPrice(
            pay: price.sold,
            receive: price.bought,
            average: average,
            worst: worst,
            gas: gas,
            gasValue: GasValue(order.session.network, pair: order.pair, average: average)
                .value(of: gas, at: gasPrice, rollupFee: rollupFee)
        )
    }

    func firm(in market: OrderMarket) async throws(DexError) -> any Offer {
        var offer = self
        offer.quote = try await preparer.quote(after: price, at: market.head)
        return offer
    }

    // MARK: The plan

    func plan(
        in market: OrderMarket,
        instead alternatives: [VenueAlternative]
    ) async throws(DexError) -> Plan<TradePlan> {
        var swap = try await prepared(in: market)
        swap.plan.alternatives = alternatives
        swap.plan.origin = order.origin
        swap.plan.mid = market.reference.mid
        swap.plan.warnings = market.reference.warnings(for: order.side) + swap.plan.warnings
        try order.checkImpact(swap.plan.impactBasisPoints)
        swap.plan.priceGap = venue.gap(in: market.reference, for: order.side)
        try order.check(&swap.plan, gap: swap.plan.priceGap)
        swap.slippage =
            order.request.limitPrice == nil
            ? order.settings.slippage(usual: venue.usualSlippage) : swap.plan.worstSlippage
        return order.plan(swap.planned)
    }

    private func prepared(in market: OrderMarket) async throws(DexError) -> QuotedStep {
        let asked: (quote: SwapQuote, reads: SwapPreparer.Reads)
        if let quote {
            asked = quote
        } else {
            asked = try await preparer.quote(after: price, at: market.head)
        }
        let amount = order.amount(receiving: asked.quote.price.bought)
        return try await preparer.prepare(asked.quote, asked.reads, at: market.head) { average in
            market.reference.impact(of: average, for: amount, side: order.side)
        }
    }
}

extension MarketOrder {
    /// Compares a quote's price right before the signature, as the plan's was.
    ///
    /// - Throws: as `check` of the points.
    func compare(
        _ price: SwapPrice,
        of venue: any QuotedVenue,
        withThatOf plan: TradePlan
    ) async throws(DexError) {
        try await venue.check(self)
        guard let confirmed = plan.impactBasisPoints,
            let average = side == .buy
                ? Price(quote: price.sold, base: price.bought)
                : Price(quote: price.bought, base: price.sold)
        else { return }
        let reference = try await reference().get()
        try check(
            reference.impact(
                of: average,
                for: amount(receiving: price.bought),
                side: side
            ),
            gap: venue.gap(in: reference, for: side),
            confirmed: confirmed,
            of: plan
        )
    }
}
