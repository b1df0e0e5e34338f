import Ethereum
import ZeroEx

/// A market order on the relay's book: the orders that it fills, and what was read for it.
struct BookTrade: Offer {
    let order: MarketOrder
    let planner: MarketPlanner
    let book: BookSnapshot
    let route: TradeRoute

    /// Chooses the orders of a verified book.
    ///
    /// - Parameter confirmed: the bounds of an earlier plan; nil for a first one.
    /// - Throws: `DexError`, exit 6, if the book cannot trade it, or the order must not be traded on
    ///   it.
    init(
        _ order: MarketOrder,
        on book: BookSnapshot,
        confirmed: MarketPlanner.Confirmed? = nil
    ) throws(DexError) {
        try order.admits.book(book)
        let planner = try MarketPlanner(order, on: book, confirmed: confirmed)
        var sized = planner
        do {
            let entries = book.entries(for: order.side)
            let within = confirmed == nil ? order.request.exact?.within : nil
            sized.outer = within
            sized = try sized.sized(order.size, through: entries)
            let first = try sized.route(through: entries)
            if let within, !first.keeps(within) {
                // Backups may be what takes it beyond.
                sized.confirmed = within
                route = try sized.route(through: entries)
            } else {
                route = first
            }
        } catch {
            if error.concerns(.priceLimit) {
                // Beyond an earlier plan, not beyond a price that was typed.
                if sized.outer != nil { throw planner.bookMoved }
                throw error.adding(try order.request.upsideDown(in: book))
            }
            throw error.concerns(.book) ? error.adding(book.leftOut) : error
        }
        try sized.checkImpact(of: route, isAllowed: order.settings.allowsHighImpact)
        self.order = order
        self.planner = sized
        self.book = book
    }

    // MARK: The offer

    func price(in market: OrderMarket) async throws(DexError) -> OfferPrice? {
        price(
            gasPrice: market.gasPrice,
            rollupFee: try await rollupFee(market.head.fees)
        )
    }

    /// - Parameters:
    ///   - gasPrice: the present price of gas; nil if the node does not report it.
    ///   - rollupFee: what a rollup takes beside the gas.
    func price(gasPrice: Wei?, rollupFee: Wei) -> OfferPrice {
        let session = order.session
        let revision = session.network.fees.revision(in: book.block)
        let gas = call.map {
            $0.gasFloor.units(revision).addingSaturating($0.protocolFeeGas)
        }
        return OfferPrice(
            pay: planner.side == .buy ? route.cost : route.pay,
            receive: route.receive,
            average: route.average,
            worst: route.worst,
            gas: gas,
            gasValue: GasValue(session.network, pair: book.pair, average: route.average)
                .value(of: gas, at: gasPrice, rollupFee: rollupFee)
        )
    }

    /// The fee that a rollup takes now beside the gas of the fill; zero without one.
    func rollupFee(_ fees: FeeSnapshot) async throws(DexError) -> Wei {
        guard let call else { return .zero }
        let revision = order.session.network.fees.revision(in: book.block)
        return try await order.rollupFee(
            of: CallRequest(from: order.account, to: call.to, data: call.data),
            gas: call.gasFloor.units(revision),
            fees
        )
    }

    /// The fill as it would be sent first.
    private var call: ExchangeCall? {
        let exchange = order.session.exchangeProtocol
        return route.call(
            mode: exchange.fillModes.first ?? .throwing,
            exchangeProtocol: exchange,
            contracts: book.contracts
        )
    }

    /// Itself: the orders are signed.
    func firm(in market: OrderMarket) async throws(DexError) -> any Offer { self }

    // MARK: The plan

    func plan(
        in market: OrderMarket,
        instead alternatives: [VenueAlternative]
    ) async throws(DexError) -> Plan<TradePlan> {
        var trade = try await prepared()
        trade.plan.alternatives = alternatives
        trade.plan.origin = order.origin
        try order.check(&trade.plan, gap: book.gap(for: order.side))
        return order.plan { trade.planned($0, order.context) }
    }

    /// The trade with its approvals, simulation and gas.
    fileprivate func prepared() async throws(DexError) -> BookStep {
        let (session, settings, request) = (order.session, order.settings, order.request)
        guard let state = book.account, let fees = book.fees else {
            throw TradeError.noAccount
        }
        var planner = planner
        let entries = book.entries(for: request.side)
        var trade = try await TradePreparer(
            session: session,
            journal: order.context.journal,
            settings: settings
        ).prepare(
            route,
            in: TradeContext(
                source: .market(order),
                pair: book.pair,
                side: request.side,
                block: book.block,
                contracts: book.contracts,
                account: state,
                fees: fees,
                feeRate: book.feeRate,
                mid: book.mid,
                warnings: [planner.pair.base, planner.pair.quote]
                    .flatMap { session.tokens.warnings(for: $0) } + book.relayWarnings
                    + [try request.upsideDown(in: book), book.spreadWarning(for: request.side)]
                    .compactMap(\.self)
            )
        ) { limits throws(DexError) in
            planner.limits = limits
            // Worse orders step in: the same spend buys less.
            planner = try planner.sized(order.size, through: entries)
            let route = try planner.route(through: entries)
            try planner.checkImpact(of: route, isAllowed: settings.allowsHighImpact)
            return route
        }
        trade.slippage =
            request.limitPrice == nil ? settings.slippage : trade.plan.worstSlippage
        return trade
    }
}

// MARK: The recheck

extension MarketOrder {
    /// The trade on the book as it is now, of what a confirmed plan expects, within its bounds.
    func trade(again plan: TradePlan) async throws(DexError) -> BookStep {
        let order = with(.base(amount(receiving: plan.expectedReceive)))
        let trade: BookTrade
        do throws(DexError) {
            trade = try BookTrade(order, on: try await order.readBook(), confirmed: plan.confirmed)
        } catch {
            throw error.ofUnreadBook
        }
        var current = try await trade.prepared()
        // The venue was chosen with the confirmed plan.
        current.plan.alternatives = plan.alternatives
        current.plan.origin = plan.origin
        return current
    }

    /// Compares a plan's price on the book right before the signature.
    ///
    /// Unlike at other venues the book is the venue itself: it is read in any case.
    ///
    /// - Throws: as `check` of the points; what refuses a book to plan from.
    func compareOnBook(_ plan: TradePlan) async throws(DexError) {
        let book: BookSnapshot
        do {
            book = try await readBook()
        } catch {
            throw error.ofUnreadBook
        }
        try admits.book(book)
        guard let confirmed = plan.impactBasisPoints else { return }
        let amount = amount(receiving: plan.expectedReceive)
        // Measured as for the plan: by the side that it fills, as long as that has orders.
        let points =
            BookDepth(book.entries(for: side), side: side).impact(of: plan.average, for: amount)
            ?? PriceReference.book(book).impact(of: plan.average, for: amount, side: side)
        try check(points, gap: book.gap(for: side), confirmed: confirmed, of: plan)
    }
}

extension MarketPlanner {
    /// The planner of a verified book's orders.
    ///
    /// - Parameter confirmed: the bounds of an earlier plan; nil for a first one.
    /// - Throws: `DexError`, exit 2, `bad-price`.
    init(
        _ order: MarketOrder,
        on book: BookSnapshot,
        confirmed: Confirmed? = nil
    ) throws(DexError) {
        let (session, settings) = (order.session, order.settings)
        var amount = UInt256.max
        if case .base(let base) = order.size { amount = base }
        self.init(
            exchangeProtocol: session.exchangeProtocol,
            contracts: book.contracts,
            pair: book.pair,
            side: order.side,
            amount: amount,
            limit: try order.limit(pair: book.pair, usual: TradeSettings.usualSlippage),
            backupPercent: settings.backupPercent,
            maximumOrders: session.maximumOrders(in: book.block),
            takerFees: settings.takerFees,
            feeRate: book.feeRate,
            confirmed: confirmed
        )
    }
}

extension MarketRequest {
    /// The question whether a typed limit is upside down; nil if it is near the book.
    fileprivate func upsideDown(in book: BookSnapshot) throws(DexError) -> String? {
        guard exact == nil, let limitPrice else { return nil }
        return UpsideDownPrice.question(
            try PriceBounds.price(limitPrice, pair: book.pair),
            near: side == .buy ? book.ask ?? book.bid : book.bid ?? book.ask,
            pair: book.pair
        )
    }
}

extension Session {
    /// The orders that one transaction may fill: a larger one would wait for an empty block, or
    /// exceed the chain's cap with the margin of its gas limit.
    fileprivate func maximumOrders(in block: Block) -> Int {
        let gas = min(block.gasLimit / 2, network.fees.maximumGas(in: block) / 13 * 10)
        let each = exchangeProtocol.gasPerOrder.units(network.fees.revision(in: block))
        return Int(clamping: max(gas / each, 1))
    }
}
