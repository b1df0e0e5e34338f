import DexStore
import Ethereum
import ZeroEx

/// A market order on the relay's book: its route, and what was read for it.
struct BookTrade: Sendable {
    let planner: MarketPlanner
    let size: MarketSize
    let book: BookSnapshot
    let route: TradeRoute

    /// Reads and verifies the book, and chooses the orders.
    ///
    /// - Parameter confirmed: the bounds of an earlier plan; nil for a first one.
    /// - Throws: `DexError`, exit 6, if the book cannot trade it.
    static func read(
        _ request: MarketRequest,
        size: MarketSize,
        pair: Pair,
        account: Address,
        confirmed: MarketPlanner.Confirmed?,
        context: OperationContext,
        admits: MarketAdmission = .all
    ) async throws(DexError) -> BookTrade {
        let reader = BookReader(session: context.session, settings: context.settings.reading)
        let book = try await reader.snapshot(of: pair, account: account, sides: [request.side])
        try admits.book(book)
        return try choose(
            request,
            size: size,
            from: book,
            confirmed: confirmed,
            context: context
        )
    }

    /// Chooses the orders of a verified book.
    ///
    /// - Parameter confirmed: the bounds of an earlier plan; nil for a first one.
    /// - Throws: `DexError`, exit 6, if the book cannot trade it.
    static func choose(
        _ request: MarketRequest,
        size: MarketSize,
        from book: BookSnapshot,
        confirmed: MarketPlanner.Confirmed?,
        context: OperationContext
    ) throws(DexError) -> BookTrade {
        let settings = context.settings
        let planner = try planner(
            request,
            size: size,
            for: book,
            confirmed: confirmed,
            context: context
        )
        var sized = planner
        let route: TradeRoute
        do {
            let entries = book.entries(for: request.side)
            let within = confirmed == nil ? request.exact?.within : nil
            sized.outer = within
            sized = try sized.sized(size, through: entries)
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
                throw error.adding(try request.upsideDown(in: book))
            }
            throw error.concerns(.book) ? error.adding(book.leftOut) : error
        }
        try sized.checkImpact(of: route, isAllowed: settings.allowsHighImpact)
        return BookTrade(planner: sized, size: size, book: book, route: route)
    }

    /// The planner of a verified book's orders.
    ///
    /// - Parameter confirmed: the bounds of an earlier plan; nil for a first one.
    /// - Throws: `DexError`, exit 2, `bad-price`.
    static func planner(
        _ request: MarketRequest,
        size: MarketSize,
        for book: BookSnapshot,
        confirmed: MarketPlanner.Confirmed? = nil,
        context: OperationContext
    ) throws(DexError) -> MarketPlanner {
        let (session, settings) = (context.session, context.settings)
        var amount = UInt256.max
        if case .base(let base) = size { amount = base }
        return MarketPlanner(
            exchangeProtocol: session.exchangeProtocol,
            contracts: book.contracts,
            pair: book.pair,
            side: request.side,
            amount: amount,
            limit: try request.limit(settings, pair: book.pair),
            backupPercent: settings.backupPercent,
            maximumOrders: session.maximumOrders(in: book.block),
            takerFees: settings.takerFees,
            feeRate: book.feeRate,
            confirmed: confirmed
        )
    }

    /// The trade with its approvals, simulation and gas.
    func prepared(
        _ request: MarketRequest,
        context: OperationContext
    ) async throws(DexError) -> PreparedTrade {
        let (session, settings) = (context.session, context.settings)
        guard let state = book.account, let fees = book.fees else {
            throw TradeError.noAccount
        }
        var planner = planner
        let entries = book.entries(for: request.side)
        var trade = try await TradePreparer(
            session: session,
            journal: context.journal,
            settings: settings
        ).prepare(
            route,
            in: TradeContext(
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
            planner = try planner.sized(size, through: entries)
            let route = try planner.route(through: entries)
            try planner.checkImpact(of: route, isAllowed: settings.allowsHighImpact)
            return route
        }
        trade.slippage =
            request.limitPrice == nil ? settings.slippage : trade.plan.worstSlippage
        return trade
    }

    /// What it offers, to be compared with other venues.
    ///
    /// - Parameters:
    ///   - gasPrice: the present price of gas; nil if the node does not report it.
    ///   - rollupFee: what a rollup takes beside the gas.
    func offer(_ session: Session, gasPrice: Wei?, rollupFee: Wei) -> VenueOffer {
        let revision = session.network.fees.revision(in: book.block)
        let gas = call(session).map {
            $0.gasFloor.units(revision).addingSaturating($0.protocolFeeGas)
        }
        return VenueOffer(
            venue: .book,
            pay: planner.side == .buy ? route.cost : route.pay,
            receive: route.receive,
            average: route.average,
            worst: route.worst,
            gas: gas,
            gasValue: GasValue(session.network, pair: book.pair, average: route.average)
                .value(of: gas, at: gasPrice, rollupFee: rollupFee)
        )
    }

    /// The fill as it would be sent first.
    func call(_ session: Session) -> ExchangeCall? {
        route.call(
            mode: session.exchangeProtocol.fillModes.first ?? .throwing,
            exchangeProtocol: session.exchangeProtocol,
            contracts: book.contracts
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

    /// - Throws: `DexError`, exit 2, `bad-price`.
    func limit(
        _ settings: TradeSettings,
        pair: Pair,
        at venue: Venue = .book
    ) throws(DexError) -> MarketPlanner.Limit {
        if let limit = exact?.limit { return .price(limit) }
        return try limitPrice.map { text throws(DexError) in
            .price(try PriceBounds.price(text, pair: pair))
        } ?? .slippage(settings.slippage(at: venue))
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
