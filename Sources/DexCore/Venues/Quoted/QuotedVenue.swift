import Ethereum
package import ZeroEx

/// A venue that prices a whole trade and quotes the call that makes it, such as 0x's Swap API.
package protocol QuotedVenue: Venue {
    /// The source of its prices and quotes.
    var source: any LiquiditySource { get }
    /// The slippage of a trade unless the user chose another one, in hundredths of a percent.
    var usualSlippage: UInt64 { get }

    /// How many nodes say its prices; nil of a venue that is not read from the chain.
    func nodes(_ network: Network) -> UInt64?

    /// Refuses to trade an order there, before its plan and before its signature.
    func check(_ order: MarketOrder) async throws(DexError)

    /// Why its price is compared with nothing but itself; nil where it is compared.
    func gap(in reference: PriceReference, for side: TradeSide) -> String?
}

extension QuotedVenue {
    package var name: String { source.rules.name }
    package var usualSlippage: UInt64 { TradeSettings.usualSlippage }

    package func nodes(_ network: Network) -> UInt64? { nil }

    package func check(_ order: MarketOrder) async throws(DexError) {}

    package func gap(in reference: PriceReference, for side: TradeSide) -> String? {
        reference.gap(for: side)
    }

    package func answer(_ order: MarketOrder) async -> VenueAnswer {
        let offer = await Result<any Offer, DexError> { () async throws(DexError) in
            let quoting = SwapQuoting(
                session: order.session,
                at: self,
                trade: SwapTrade(
                    side: order.side,
                    pair: order.pair,
                    size: order.size,
                    limit: try order.limit(pair: order.pair, usual: usualSlippage),
                    payment: order.request.usesPermit ? .permit : .allowance,
                    within: order.request.exact?.within
                ),
                account: order.account
            )
            try await check(order)
            let price = try await quoting.price().get()
            return QuotedOffer(order: order, quoting: quoting, price: price)
        }
        return VenueAnswer(venue: self, offer: offer)
    }
}
