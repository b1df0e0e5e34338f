import Ethereum
import ZeroEx

/// A market order with its pair and its amount in base units, before it has a venue.
package struct MarketOrder: Sendable {
    var context: OperationContext
    var request: MarketRequest
    var size: MarketSize
    /// The origin of the amount; nil if that was typed as a number of BASE.
    var origin: AmountOrigin?
    let pair: Pair
    let account: Address
    /// Refuses a market that the order must not be planned from.
    var admits = MarketAdmission.all

    var session: Session { context.session }
    var settings: TradeSettings { context.settings }
    var side: TradeSide { request.side }
    private var isNative: Bool { pair.base.isNativeCoin || pair.quote.isNativeCoin }

    /// The venues that were asked for, as far as the network has them, in the order in which equals
    /// are taken.
    ///
    /// - Throws: `DexError`: exit 3 if a required venue is not set up; exit 6 for what it cannot
    ///   trade.
    func venues() throws(DexError) -> [any Venue] {
        if request.usesPermit,
            side == .buy ? pair.quote.isNativeCoin : pair.base.isNativeCoin
        {
            throw SwapError.permitOfNative
        }
        switch request.via ?? (request.usesPermit ? .swap : session.network.swap?.via ?? .best) {
        case .book:
            guard !isNative else { throw SwapError.nativeOnBook(session.network.coin) }
            return [OrderBookVenue()]
        case .swap: return [try session.required(.swap)]
        case .pools: return [try session.required(.pools)]
        case .best:
            let others = session.venues
            let hasBook = session.relay != nil && session.network.hasExchange && !isNative
            // Without any, what is missing is named: the key, or the relay.
            if others.isEmpty, !hasBook, session.network.swap != nil || isNative {
                _ = try session.required(.swap)
            }
            return (hasBook || others.isEmpty ? [OrderBookVenue()] : []) + others
        }
    }

    /// The same for another amount.
    func with(_ size: MarketSize) -> MarketOrder {
        var order = self
        order.size = size
        return order
    }

    /// The same with what another command works with.
    func with(_ context: OperationContext) -> MarketOrder {
        var order = self
        order.context = context
        return order
    }

    /// Base units of BASE, where a trade brings so much of what it receives.
    func amount(receiving received: UInt256) -> UInt256 {
        switch size {
        case .base(let base): base
        case .spend: received
        }
    }

    /// The worst price that it allows at a venue.
    ///
    /// - Parameters:
    ///   - pair: with the decimals that a typed price is in.
    ///   - usual: the venue's slippage unless the user chose another one, in hundredths of a percent.
    /// - Throws: `DexError`, exit 2, `bad-price`.
    func limit(pair: Pair, usual: UInt64) throws(DexError) -> MarketPlanner.Limit {
        if let limit = request.exact?.limit { return .price(limit) }
        return try request.limitPrice.map { text throws(DexError) in
            .price(try PriceBounds.price(text, pair: pair))
        } ?? .slippage(settings.slippage(usual: usual))
    }

    // MARK: The market

    /// The market that a price is compared with, whichever venue trades.
    func reference() async -> Result<PriceReference, DexError> {
        await PriceReference.read(
            of: pair,
            side: side,
            size: size,
            account: account,
            context: context
        )
    }

    /// The book as it is now, with the account's part.
    func readBook() async throws(DexError) -> BookSnapshot {
        try await BookReader(session: session, settings: settings.reading)
            .snapshot(of: pair, account: account, sides: [side])
    }

    func readHead() async throws(DexError) -> AccountHead {
        var batch = ReadBatch()
        let asked = AccountHead.ask(session, account, in: &batch)
        return try await batch.send(to: session.chain).value(asked)
    }

    /// The fee that a rollup takes now beside the gas of a call; zero where there is none.
    ///
    /// - Throws: `DexError`, exit 4, if the chain does not say it.
    func rollupFee(
        of call: CallRequest,
        gas: UInt64,
        _ fees: FeeSnapshot
    ) async throws(DexError) -> Wei {
        guard session.network.fees.rollupFee != .none else { return .zero }
        let limit = GasLimit(units: gas, needed: gas, request: call)
        return try await CallPricing(session: session).priced(fees, for: [limit]).rollup.present
    }

    /// A trade's plan with the terms by which a plan of an agent is planned again.
    ///
    /// - Parameter planned: makes it of the command's name.
    func plan(_ planned: (String) -> Plan<TradePlan>) -> Plan<TradePlan> {
        var plan = planned(side == .buy ? "market-buy" : "market-sell")
        plan.terms = .trade(
            PairTerms(pair),
            venue: plan.content.venue,
            size,
            within: plan.content.confirmed
        )
        return plan
    }
}
