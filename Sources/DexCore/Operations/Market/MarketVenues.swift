import Ethereum
import ZeroEx

/// Reads the venues of a market order beside each other and prepares the better one.
struct MarketVenues {
    let context: OperationContext
    let request: MarketRequest
    let size: MarketSize
    let pair: Pair
    let account: Address
    /// Refuses a book that the order must not be planned from.
    var admits: MarketOrderModel.BookCheck = { _ in }

    private var session: Session { context.session }
    private var settings: TradeSettings { context.settings }
    private var isNative: Bool { pair.base.isNativeCoin || pair.quote.isNativeCoin }

    /// The trade at the venue that was asked for, or at the better one.
    ///
    /// - Throws: `DexError`: exit 3 if a required venue is not set up; exit 4 or 6 if none can
    ///   trade it.
    func prepared() async throws(DexError) -> MarketTrade {
        switch try choice() {
        case .book: return .book(try await onBook())
        case .swap: return .swap(try await atSwap())
        case .best: return try await better()
        }
    }

    /// What was asked for, as far as the network has it.
    private func choice() throws(DexError) -> VenueChoice {
        if request.usesPermit,
            request.side == .buy ? pair.quote.isNativeCoin : pair.base.isNativeCoin
        {
            throw DexError(SwapError.permitOfNative)
        }
        let hasBook = session.relay != nil && session.network.hasExchange && !isNative
        switch request.via ?? (request.usesPermit ? .swap : session.network.swap?.via ?? .best) {
        case .book:
            guard !isNative else { throw DexError(SwapError.nativeOnBook(session.network.coin)) }
            return .book
        case .swap:
            _ = try session.requiredSwap()
            return .swap
        case .best:
            guard session.swap != nil else {
                // Without both, what is missing is named: the key, or the relay.
                if !hasBook, session.network.swap != nil || isNative {
                    _ = try session.requiredSwap()
                }
                return .book
            }
            return hasBook ? .best : .swap
        }
    }

    // MARK: One venue

    private func onBook() async throws(DexError) -> PreparedTrade {
        let reader = BookReader(session: session, settings: settings.reading)
        let book = try await reader.snapshot(of: pair, account: account, sides: [request.side])
        return try await prepared(try choose(from: book), instead: nil)
    }

    private func choose(from book: BookSnapshot) throws(DexError) -> BookTrade {
        try admits(book)
        return try BookTrade.choose(
            request,
            size: size,
            from: book,
            confirmed: nil,
            context: context
        )
    }

    private func atSwap() async throws(DexError) -> PreparedSwap {
        let quoting = try quoting()
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
            instead: nil
        )
    }

    /// What a price is compared with, whichever venue trades.
    private func reference() async -> Result<PriceReference, DexError> {
        await PriceReference.read(
            of: pair,
            side: request.side,
            account: account,
            context: context
        )
    }

    private func readHead() async throws(DexError) -> AccountHead {
        var batch = ReadBatch()
        let asked = AccountHead.ask(session, account, in: &batch)
        return try await batch.send(to: session.chain).value(asked)
    }

    private func quoting() throws(DexError) -> SwapQuoting {
        let source = try session.requiredSwap()
        return SwapQuoting(
            session: session,
            source: source,
            trade: SwapTrade(
                side: request.side,
                pair: pair,
                size: size,
                limit: try request.limit(settings, pair: pair),
                payment: request.usesPermit ? .permit : .allowance
            ),
            account: account
        )
    }

    private func prepared(
        _ quoting: SwapQuoting,
        after price: SwapPrice,
        at head: AccountHead,
        against reference: PriceReference,
        instead alternative: VenueAlternative?
    ) async throws(DexError) -> PreparedSwap {
        let preparer = preparer(quoting)
        let (quote, reads) = try await preparer.quote(after: price, at: head)
        return try await prepared(
            preparer,
            quote,
            reads,
            at: head,
            against: reference,
            instead: alternative
        )
    }

    private func preparer(_ quoting: SwapQuoting) -> SwapPreparer {
        SwapPreparer(
            session: session,
            journal: context.journal,
            settings: settings,
            quoting: quoting
        )
    }

    /// - Throws: `DexError`, exit 6: `impact-too-high`, `price-unchecked`; as `SwapPreparer`.
    private func prepared(
        _ preparer: SwapPreparer,
        _ quote: SwapQuote,
        _ reads: SwapPreparer.Reads,
        at head: AccountHead,
        against reference: PriceReference,
        instead alternative: VenueAlternative?
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
        swap.plan.alternatives = [alternative].compactMap(\.self)
        swap.plan.warnings = reference.warnings(for: request.side) + swap.plan.warnings
        if let points = swap.plan.impactBasisPoints, points > BookDepth.impactLimit,
            !settings.allowsHighImpact
        {
            throw Self.impactTooHigh(points)
        }
        try check(&swap.plan, gap: reference.gap(for: request.side))
        swap.slippage = request.limitPrice == nil ? settings.slippage : swap.plan.worstSlippage
        return swap
    }

    /// Compares a quote's price right before the signature, as the plan's was.
    ///
    /// - Throws: as `check` of the distance.
    func compare(_ price: SwapPrice, againstThatOf plan: TradePlan) async throws(DexError) {
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
        try admits(book)
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
        let gap = reference.gap(for: request.side)
        if let gap, plan.mid != nil {
            throw DexError(TradeError.referenceUnread(gap))
        }
        guard let points else {
            throw DexError(
                TradeError.referenceUnread(gap ?? "There is no book of this pair.")
            )
        }
        guard points > max(BookDepth.impactLimit, confirmed), !settings.allowsHighImpact else {
            return
        }
        throw Self.impactTooHigh(points)
    }

    private static func impactTooHigh(_ points: UInt64) -> DexError {
        DexError(
            TradeError.impactTooHigh(
                percent: DecimalText.format(UInt256(points), decimals: 2),
                cheapPart: nil
            )
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

    // MARK: Both

    private func better() async throws(DexError) -> MarketTrade {
        let quoting = try quoting()
        async let priced = quoting.price()
        let reader = BookReader(session: session, settings: settings.reading)
        let read = await Result { () async throws(DexError) in
            try await reader.snapshot(of: pair, account: account, sides: [request.side])
        }
        let book = read.flatMap { read in
            Result { () throws(DexError) in try choose(from: read) }
        }
        if case .failure(let error) = book, !error.isOfVenue { throw error }
        // Too thin to trade on, a book is a reference all the same.
        let reference = PriceReference(read)
        switch (book, await priced) {
        case (.failure(let bookError), .failure(let swapError)):
            throw bothFail(bookError, swapError)
        case (.success(let book), .failure(let error)):
            return .book(try await prepared(book, instead: failed(.swap, error)))
        case (.failure(let error), .success(let price)):
            let head = try await readHead()
            do {
                return .swap(
                    try await prepared(
                        quoting,
                        after: price,
                        at: head,
                        against: reference,
                        instead: failed(.book, error)
                    )
                )
            } catch {
                guard error.isOfVenue, case .failure(let bookError) = book else { throw error }
                // What a flag allows is refused by its own name.
                guard !error.isOfPrice else { throw error.adding(bookError.message) }
                throw bothFail(bookError, error)
            }
        case (.success(let book), .success(let price)):
            return try await better(book, quoting, price)
        }
    }

    private func better(
        _ book: BookTrade,
        _ quoting: SwapQuoting,
        _ price: SwapPrice
    ) async throws(DexError) -> MarketTrade {
        guard let state = book.book.account, let fees = book.book.fees else {
            throw DexError(TradeError.noAccount)
        }
        // nil: without a price of gas it is left out of the comparison
        let gasPrice = (try? GasPricing.fee(fees, settings.fees)).map {
            GasPricing.present($0, fees)
        }
        let fill = book.call(session).map {
            (CallRequest(from: account, to: $0.to, data: $0.data), $0.gasFloor)
        }
        let choice = VenueChoosing(
            side: request.side,
            pair: book.book.pair,
            book: book.offer(
                session,
                gasPrice: gasPrice,
                rollupFee: try await rollupFee(of: fill, fees)
            ),
            name: quoting.source.rules.name
        )
        func offer(_ price: SwapPrice, gas: UInt64?, rollupFee: Wei = .zero) -> VenueOffer? {
            choice.swap(
                price,
                gas: gas,
                network: session.network,
                gasPrice: gasPrice,
                rollupFee: rollupFee
            )
        }
        // A rollup's fee depends on the bytes, which only the quote has.
        guard let first = offer(price, gas: price.gas), choice.prefers(first) else {
            let reason = choice.reason(against: offer(price, gas: price.gas))
            return .book(try await prepared(book, instead: reason))
        }
        let head = AccountHead(
            address: account,
            block: book.book.block,
            pendingNonce: state.pendingNonce,
            fees: fees
        )
        let preparer = preparer(quoting)
        let quote: SwapQuote
        let reads: SwapPreparer.Reads
        do {
            (quote, reads) = try await preparer.quote(after: price, at: head)
        } catch {
            guard error.isOfVenue else { throw error }
            return .book(try await prepared(book, instead: failed(.swap, error)))
        }
        // A quote may be worse than the price that it was asked for.
        let gas = quote.gas ?? price.gas
        let call = CallRequest(
            from: account,
            to: quote.call.to,
            data: quote.call.data,
            value: quote.call.value
        )
        let second = offer(
            quote.price,
            gas: gas,
            rollupFee: try await rollupFee(of: gas.map { (call, $0) }, fees)
        )
        guard let second, choice.prefers(second) else {
            return .book(try await prepared(book, instead: choice.reason(against: second)))
        }
        return .swap(
            try await prepared(
                preparer,
                quote,
                reads,
                at: head,
                against: .book(book.book),
                instead: choice.reason(beside: second)
            )
        )
    }

    /// What a rollup takes now beside the gas of a call; zero where nothing is taken.
    ///
    /// - Throws: `DexError`, exit 4, if the chain does not say it.
    private func rollupFee(
        of call: (request: CallRequest, gas: UInt64)?,
        _ fees: FeeSnapshot
    ) async throws(DexError) -> Wei {
        guard let call, session.network.fees.rollupFee != .none else { return .zero }
        let limit = GasLimit(units: call.gas, needed: call.gas, request: call.request)
        return try await CallPricing(session: session).priced(fees, for: [limit]).rollup.present
    }

    private func prepared(
        _ book: BookTrade,
        instead alternative: VenueAlternative?
    ) async throws(DexError) -> PreparedTrade {
        var trade = try await book.prepared(request, context: context)
        trade.plan.alternatives = [alternative].compactMap(\.self)
        try check(&trade.plan, gap: book.book.gap(for: request.side))
        return trade
    }

    private func failed(_ venue: Venue, _ error: DexError) -> VenueAlternative {
        VenueAlternative(
            venue: venue,
            average: nil,
            worst: nil,
            gas: nil,
            reason: PlainText.sentence(error.message)
        )
    }

    private func bothFail(_ book: DexError, _ swap: DexError) -> DexError {
        DexError(
            SwapError.noVenue(
                reasons: [book, swap].map { PlainText.sentence($0.message) },
                isUnreachable: [book, swap].contains { $0.kind == .unreachable }
            )
        )
    }
}

extension DexError {
    /// One venue cannot trade it, and another may.
    var isOfVenue: Bool {
        switch cause {
        case is RelayError, is BookError, is ExchangeError, is LiquidityError, is SwapError: true
        case let error as TradeError: error.isOfBook
        case let error as NetworkError:
            if case .noRelay = error { true } else { false }
        default: false
        }
    }
}

extension DexError {
    /// The price is refused unless a flag allows it.
    fileprivate var isOfPrice: Bool {
        switch cause as? TradeError {
        case .impactTooHigh, .priceUnchecked: true
        default: false
        }
    }
}

extension TradeError {
    /// The book's orders do not allow it.
    fileprivate var isOfBook: Bool {
        switch self {
        case .takerFeeCap, .tooManyOrders, .priceLimit, .thinBook, .thinForSpend, .spendTooSmall,
            .impactTooHigh, .priceUnchecked:
            true
        default: false
        }
    }
}
