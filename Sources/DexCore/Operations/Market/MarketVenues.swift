import Ethereum
import ZeroEx

/// Reads the venues of a market order beside each other and prepares the best one.
///
/// A venue beside the book has to be better by 0.05 %: where the book sells 100 ZRX for 0.075 WETH,
/// it takes at most 0.0749625 WETH, fees and gas included.
struct MarketVenues {
    var context: OperationContext
    var request: MarketRequest
    var size: MarketSize
    /// The origin of the amount; nil if that was typed as a number of BASE.
    var origin: AmountOrigin?
    let pair: Pair
    let account: Address
    /// Refuses a book that the order must not be planned from.
    var admits = MarketAdmission.all

    var session: Session { context.session }
    var settings: TradeSettings { context.settings }
    private var isNative: Bool { pair.base.isNativeCoin || pair.quote.isNativeCoin }

    /// The trade at the venue that was asked for, or at the best one.
    ///
    /// - Throws: `DexError`: exit 3 if a required venue is not set up; exit 4 or 6 if none can
    ///   trade it.
    func plan() async throws(DexError) -> Plan<TradePlan> {
        let (hasBook, sources) = try choice()
        guard let first = sources.first else { return plan(try await onBook()) }
        guard !hasBook, sources.count == 1 else {
            return try await best(sources, hasBook: hasBook)
        }
        return plan(try await only(first))
    }

    /// What was asked for, as far as the network has it.
    func choice() throws(DexError) -> (hasBook: Bool, sources: [VenueSource]) {
        if request.usesPermit,
            request.side == .buy ? pair.quote.isNativeCoin : pair.base.isNativeCoin
        {
            throw SwapError.permitOfNative
        }
        let hasBook = session.relay != nil && session.network.hasExchange && !isNative
        switch request.via ?? (request.usesPermit ? .swap : session.network.swap?.via ?? .best) {
        case .book:
            guard !isNative else { throw SwapError.nativeOnBook(session.network.coin) }
            return (true, [])
        case .swap: return (false, [try session.required(.swap)])
        case .pools: return (false, [try session.required(.pools)])
        case .best:
            let sources = session.sources
            // Without any, what is missing is named: the key, or the relay.
            if sources.isEmpty, !hasBook, session.network.swap != nil || isNative {
                _ = try session.required(.swap)
            }
            return (hasBook || sources.isEmpty, sources)
        }
    }

    // MARK: One venue

    private func onBook() async throws(DexError) -> PreparedTrade {
        let reader = BookReader(session: session, settings: settings.reading)
        let book = try await reader.snapshot(of: pair, account: account, sides: [request.side])
        return try await prepared(try choose(from: book), instead: [])
    }

    func choose(from book: BookSnapshot) throws(DexError) -> BookTrade {
        try admits.book(book)
        return try BookTrade.choose(
            request,
            size: size,
            from: book,
            confirmed: nil,
            context: context
        )
    }

    private func only(_ source: VenueSource) async throws(DexError) -> PreparedSwap {
        let quoting = try quoting(source)
        if source.venue == .pools { try await admits.pools() }
        async let priced = quoting.price()
        async let read = reference()
        // The chain's answer comes first: a wrong chain takes precedence.
        let head = try await readHead()
        let reference = try await read.get()
        return try await prepared(
            quoting,
            after: try await priced.get(),
            at: head,
            against: reference,
            instead: []
        )
    }

    /// What a price is compared with, whichever venue trades.
    func reference() async -> Result<PriceReference, DexError> {
        await PriceReference.read(
            of: pair,
            side: request.side,
            size: size,
            account: account,
            context: context
        )
    }

    func readHead() async throws(DexError) -> AccountHead {
        var batch = ReadBatch()
        let asked = AccountHead.ask(session, account, in: &batch)
        return try await batch.send(to: session.chain).value(asked)
    }

    func quoting(_ source: VenueSource) throws(DexError) -> SwapQuoting {
        SwapQuoting(
            session: session,
            at: source,
            trade: SwapTrade(
                side: request.side,
                pair: pair,
                size: size,
                limit: try request.limit(settings, pair: pair, at: source.venue),
                payment: request.usesPermit ? .permit : .allowance,
                within: request.exact?.within
            ),
            account: account
        )
    }

    func prepared(
        _ quoting: SwapQuoting,
        after price: SwapPrice,
        at head: AccountHead,
        against reference: PriceReference,
        instead alternatives: [VenueAlternative]
    ) async throws(DexError) -> PreparedSwap {
        let preparer = preparer(quoting)
        let (quote, reads) = try await preparer.quote(after: price, at: head)
        return try await prepared(
            preparer,
            quote,
            reads,
            at: head,
            against: reference,
            instead: alternatives
        )
    }

    func preparer(_ quoting: SwapQuoting) -> SwapPreparer {
        SwapPreparer(
            session: session,
            journal: context.journal,
            settings: settings,
            quoting: quoting
        )
    }

    /// - Throws: `DexError`, exit 6: `impact-too-high`, `price-unchecked`; as `SwapPreparer`.
    func prepared(
        _ preparer: SwapPreparer,
        _ quote: SwapQuote,
        _ reads: SwapPreparer.Reads,
        at head: AccountHead,
        against reference: PriceReference,
        instead alternatives: [VenueAlternative]
    ) async throws(DexError) -> PreparedSwap {
        let amount: UInt256
        switch size {
        case .base(let base): amount = base
        case .spend: amount = quote.price.bought
        }
        var swap = try await preparer.prepare(quote, reads, at: head) { average in
            reference.impact(of: average, for: amount, side: request.side)
        }
        swap.plan.mid = reference.mid
        swap.plan.alternatives = alternatives
        swap.plan.warnings = reference.warnings(for: request.side) + swap.plan.warnings
        if let points = swap.plan.impactBasisPoints, points > BookDepth.impactLimit,
            !settings.allowsHighImpact
        {
            throw Self.impactTooHigh(points)
        }
        swap.plan.priceGap = reference.gap(for: request.side, at: swap.plan.venue)
        try check(&swap.plan, gap: swap.plan.priceGap)
        swap.slippage =
            request.limitPrice == nil
            ? settings.slippage(at: swap.plan.venue) : swap.plan.worstSlippage
        return swap
    }

    /// Compares a quote's price right before the signature, as the plan's was.
    ///
    /// - Throws: as `check` of the distance.
    func compare(_ price: SwapPrice, againstThatOf plan: TradePlan) async throws(DexError) {
        if plan.venue == .pools { try await admits.pools() }
        guard let confirmed = plan.impactBasisPoints,
            let average = plan.side == .buy
                ? Price(quote: price.sold, base: price.bought)
                : Price(quote: price.bought, base: price.sold)
        else { return }
        let amount: UInt256
        switch size {
        case .base(let base): amount = base
        case .spend: amount = price.bought
        }
        let reference = try await reference().get()
        try check(
            reference.impact(of: average, for: amount, side: request.side),
            against: reference,
            confirmed: confirmed,
            of: plan
        )
    }

    /// Compares a plan's price on the book right before the signature.
    ///
    /// Unlike at other venues the book is the venue itself: it is read in any case.
    ///
    /// - Throws: as `check` of the distance; what refuses a book to plan from.
    func compareOnBook(_ plan: TradePlan) async throws(DexError) {
        let amount: UInt256
        switch size {
        case .base(let base): amount = base
        case .spend: amount = plan.expectedReceive
        }
        let reader = BookReader(session: session, settings: settings.reading)
        let book: BookSnapshot
        do {
            book = try await reader.snapshot(of: pair, account: account, sides: [request.side])
        } catch {
            throw error.ofUnreadBook
        }
        try admits.book(book)
        guard let confirmed = plan.impactBasisPoints else { return }
        let reference = PriceReference.book(book)
        // Measured as for the plan: by the side that it fills, as long as that has orders.
        let points =
            BookDepth(book.entries(for: request.side), side: request.side)
            .impact(of: plan.average, for: amount)
            ?? reference.impact(of: plan.average, for: amount, side: request.side)
        try check(points, against: reference, confirmed: confirmed, of: plan)
    }

    /// - Throws: `DexError`: exit 4, `book-unread`, if what the plan was compared with cannot be
    ///   read again, or lacks a side by now; exit 6, `impact-too-high`, above 20 % and above what
    ///   was confirmed.
    private func check(
        _ points: UInt64?,
        against reference: PriceReference,
        confirmed: UInt64,
        of plan: TradePlan
    ) throws(DexError) {
        let gap = reference.gap(for: request.side, at: plan.venue)
        // What the plan was compared with in full must be there in full.
        if let gap, plan.mid != nil, plan.priceGap == nil {
            throw TradeError.referenceUnread(gap)
        }
        guard let points else {
            throw TradeError.referenceUnread(gap ?? "There is no book of this pair.")
        }
        guard points > max(BookDepth.impactLimit, confirmed), !settings.allowsHighImpact else {
            return
        }
        throw Self.impactTooHigh(points)
    }

    private static func impactTooHigh(_ points: UInt64) -> DexError {
        TradeError.impactTooHigh(
            percent: DecimalText.format(UInt256(points), decimals: 2),
            cheapPart: nil
        )
    }

    /// Warns of a price that can be compared neither with a book nor with another venue, and
    /// refuses it where much is traded.
    private func check(_ plan: inout TradePlan, gap: String?) throws(DexError) {
        guard let gap, plan.alternatives.allSatisfy({ $0.average == nil }) else { return }
        try UncheckedPrice(
            reason: gap,
            hasLimit: request.limitPrice != nil,
            limitFlag: request.side == .buy ? "--max-price" : "--min-price"
        ).check(&plan, network: session.network, settings: settings)
    }

    /// What a rollup takes now beside the gas of a call; zero where nothing is taken.
    ///
    /// - Throws: `DexError`, exit 4, if the chain does not say it.
    func rollupFee(
        of call: (request: CallRequest, gas: UInt64)?,
        _ fees: FeeSnapshot
    ) async throws(DexError) -> Wei {
        guard let call, session.network.fees.rollupFee != .none else { return .zero }
        let limit = GasLimit(units: call.gas, needed: call.gas, request: call.request)
        return try await CallPricing(session: session).priced(fees, for: [limit]).rollup.present
    }

    /// The same for a fill of the book; zero without one.
    func rollupFee(of trade: BookTrade?, _ fees: FeeSnapshot) async throws(DexError) -> Wei {
        guard let trade, let call = trade.call(session) else { return .zero }
        let revision = session.network.fees.revision(in: trade.book.block)
        let request = CallRequest(from: account, to: call.to, data: call.data)
        return try await rollupFee(of: (request, call.gasFloor.units(revision)), fees)
    }

    func prepared(
        _ book: BookTrade,
        instead alternatives: [VenueAlternative]
    ) async throws(DexError) -> PreparedTrade {
        var trade = try await book.prepared(request, context: context)
        trade.plan.alternatives = alternatives
        try check(&trade.plan, gap: book.book.gap(for: request.side))
        return trade
    }
}
