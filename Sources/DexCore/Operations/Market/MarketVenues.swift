import Ethereum
import ZeroEx

/// Reads the venues of a market order beside each other and prepares the better one.
struct MarketVenues {
    let context: OperationContext
    let request: MarketRequest
    let size: MarketSize
    let pair: Pair
    let account: Address

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
            guard !isNative else { throw DexError(SwapError.nativeOnBook) }
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
        try await readBook().prepared(request, context: context)
    }

    private func readBook() async throws(DexError) -> BookTrade {
        try await BookTrade.read(
            request,
            size: size,
            pair: pair,
            account: account,
            confirmed: nil,
            context: context
        )
    }

    private func atSwap() async throws(DexError) -> PreparedSwap {
        let quoting = try quoting()
        async let priced = quoting.price()
        // The chain's answer comes first: a wrong chain takes precedence.
        let head = try await readHead()
        return try await prepared(quoting, after: try await priced.get(), at: head)
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
        at head: AccountHead
    ) async throws(DexError) -> PreparedSwap {
        let preparer = preparer(quoting)
        let (quote, reads) = try await preparer.quote(after: price, at: head)
        return try await prepared(preparer, quote, reads, at: head, beside: nil)
    }

    private func preparer(_ quoting: SwapQuoting) -> SwapPreparer {
        SwapPreparer(
            session: session,
            journal: context.journal,
            settings: settings,
            quoting: quoting
        )
    }

    /// - Parameter book: to compare the price with; nil without one.
    private func prepared(
        _ preparer: SwapPreparer,
        _ quote: SwapQuote,
        _ reads: SwapPreparer.Reads,
        at head: AccountHead,
        beside book: BookTrade?
    ) async throws(DexError) -> PreparedSwap {
        let amount: UInt256
        switch size {
        case .base(let base): amount = base
        case .spend: amount = quote.price.bought
        }
        let depth = book.map {
            BookDepth($0.book.entries(for: request.side), side: request.side)
        }
        var swap = try await preparer.prepare(quote, reads, at: head) { average in
            depth?.impact(of: average, for: amount)
        }
        swap.plan.mid = book?.book.mid
        if let points = swap.plan.impactBasisPoints, points > BookDepth.impactLimit,
            !settings.allowsHighImpact
        {
            throw DexError(
                TradeError.impactTooHigh(
                    percent: DecimalText.format(UInt256(points), decimals: 2),
                    cheapPart: nil
                )
            )
        }
        swap.slippage = request.limitPrice == nil ? settings.slippage : swap.plan.worstSlippage
        return swap
    }

    // MARK: Both

    private func better() async throws(DexError) -> MarketTrade {
        let quoting = try quoting()
        async let priced = quoting.price()
        let book: Result<BookTrade, DexError>
        do {
            book = .success(try await readBook())
        } catch {
            guard error.isOfVenue else { throw error }
            book = .failure(error)
        }
        switch (book, await priced) {
        case (.failure(let bookError), .failure(let swapError)):
            throw bothFail(bookError, swapError)
        case (.success(let book), .failure(let error)):
            return .book(try await prepared(book, instead: failed(.swap, error)))
        case (.failure(let error), .success(let price)):
            let head = try await readHead()
            var swap: PreparedSwap
            do {
                swap = try await prepared(quoting, after: price, at: head)
            } catch {
                guard error.isOfVenue, case .failure(let bookError) = book else { throw error }
                throw bothFail(bookError, error)
            }
            swap.plan.alternatives = [failed(.book, error)]
            return .swap(swap)
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
        let choice = VenueChoosing(
            side: request.side,
            pair: book.book.pair,
            book: book.offer(session, gasPrice: gasPrice),
            name: quoting.source.rules.name
        )
        func offer(_ price: SwapPrice, gas: UInt64?) -> VenueOffer? {
            choice.swap(price, gas: gas, network: session.network, gasPrice: gasPrice)
        }
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
        let second = offer(quote.price, gas: quote.gas ?? price.gas)
        guard let second, choice.prefers(second) else {
            return .book(try await prepared(book, instead: choice.reason(against: second)))
        }
        var swap = try await prepared(preparer, quote, reads, at: head, beside: book)
        swap.plan.alternatives = [choice.reason(beside: second)]
        return .swap(swap)
    }

    private func prepared(
        _ book: BookTrade,
        instead alternative: VenueAlternative
    ) async throws(DexError) -> PreparedTrade {
        var trade = try await book.prepared(request, context: context)
        trade.plan.alternatives = [alternative]
        return trade
    }

    private func failed(_ venue: Venue, _ error: DexError) -> VenueAlternative {
        VenueAlternative(
            venue: venue,
            average: nil,
            worst: nil,
            gas: nil,
            reason: PlainText.sentence(error.message, limit: 300)
        )
    }

    private func bothFail(_ book: DexError, _ swap: DexError) -> DexError {
        DexError(
            SwapError.noVenue(
                reasons: [book, swap].map { PlainText.sentence($0.message, limit: 300) },
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

extension TradeError {
    /// The book's orders do not allow it.
    fileprivate var isOfBook: Bool {
        switch self {
        case .takerFeeCap, .tooManyOrders, .priceLimit, .thinBook, .thinForSpend, .spendTooSmall,
            .impactTooHigh:
            true
        default: false
        }
    }
}
