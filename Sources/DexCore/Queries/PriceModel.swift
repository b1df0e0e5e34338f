package import Ethereum
import ZeroEx

/// `dex price`: the best prices of a pair, and the cost or proceeds of an amount.
package struct PriceModel: ReadModel {
    package let context: ReadContext

    package init(_ context: ReadContext) { self.context = context }

    /// The prices now.
    ///
    /// - Parameters:
    ///   - side: the user's side for the amount; buy by default.
    ///   - amount: decimal units of BASE; nil requests only the best prices.
    ///   - account: the taker, whose own orders do not count.
    /// - Returns: with an amount, where Uniswap's pools are the market, their best prices; none where
    ///   the pair has no pool of its own.
    /// - Throws: `DexError`: `bad-amount` (exit 2), `no-liquidity` (exit 6), or the error of
    ///   reading the book.
    package func load(
        pairText: String,
        side: TradeSide? = nil,
        amount: String? = nil,
        account: Address? = nil
    ) async throws(DexError) -> PriceState {
        let resolved = try await MarketPair(session: session).pair(pairText)
        // An invalid amount is reported before any request.
        if let amount, resolved.base.decimals != nil {
            _ = try Self.parse(amount, of: resolved.base)
        }
        let isAtPools = isAtPools(resolved)
        guard let amount, !session.venues.isEmpty else {
            guard amount == nil, isAtPools else {
                return try await state(resolved, side: side, amount: amount, account: account)
            }
            return try await PoolBookModel(context).price(of: resolved)
        }
        let side = side ?? .buy
        let size = MarketSize.base(try Self.parse(amount, of: resolved.base))
        let quotings = session.venues.map { venue in
            SwapQuoting(
                session: session,
                at: venue,
                trade: SwapTrade(
                    side: side,
                    pair: resolved,
                    size: size,
                    limit: .slippage(TradeSettings().slippage(usual: venue.usualSlippage))
                ),
                account: account
            )
        }
        async let priced = quotings.concurrentMap { ($0, await $0.price()) }
        var state: PriceState
        var offers: [PriceState.Offer] = []
        var failures: [DexError] = []
        var bookFailure: DexError?
        // Why a book that there is has no offer, whatever else is read.
        let nativeOnBook =
            isAtPools && session.hasBook
            ? SwapError.nativeOnBook(session.network.coin) : nil
        do {
            // Read beside the quotes, which take no fewer round trips.
            state =
                isAtPools
                ? try await PoolBookModel(context).price(of: resolved)
                : try await self.state(resolved, side: side, amount: amount, account: account)
            if let quote = state.quote { offers.append(PriceState.Offer(quote)) }
            if let nativeOnBook { offers.append(PriceState.Offer(bookFailure: nativeOnBook)) }
        } catch {
            guard error.concerns(.venue) else { throw error }
            bookFailure = error
            let head = try await ChainHead.read(session)
            state = PriceState(
                pair: resolved,
                block: head.number,
                bid: nil,
                ask: nil,
                mid: nil,
                quote: nil
            )
            if session.hasBook {
                offers.append(PriceState.Offer(bookFailure: nativeOnBook ?? error))
            }
        }
        let present = await priced.present(isAlone: offers.isEmpty) { $0.1.failure }
        for (quoting, price) in present {
            switch price {
            case .success(let price): offers.append(PriceState.Offer(price, of: quoting))
            case .failure(let error):
                failures.append(error)
                offers.append(
                    PriceState.Offer(quoting.at.id, quoting.at.name, failure: error)
                )
            }
        }
        if state.quote == nil, failures.count == present.count,
            let error = failures.first ?? bookFailure
        {
            throw error
        }
        state.offers = offers
        return state
    }

    /// No relay's book has the chain's coin; the pools trade it as its wrapped token.
    private func isAtPools(_ pair: Pair) -> Bool {
        session.isOfPools
            || session.network.pools != nil
                && (pair.base.isNativeCoin || pair.quote.isNativeCoin)
    }

    /// The book's part.
    private func state(
        _ resolved: Pair,
        side: TradeSide?,
        amount: String?,
        account: Address?
    ) async throws(DexError) -> PriceState {
        guard !resolved.base.isNativeCoin, !resolved.quote.isNativeCoin else {
            throw SwapError.nativeOnBook(session.network.coin)
        }
        let book = try await BookReader(session: session, settings: settings)
            .snapshot(of: resolved, account: account)
        let (bid, ask) = (book.bid, book.ask)
        return PriceState(
            pair: book.pair,
            block: book.block.number,
            bid: bid,
            ask: ask,
            mid: Self.mid(bid, ask),
            quote: try amount.map { text throws(DexError) in
                try quote(side ?? .buy, Self.parse(text, of: book.pair.base), book)
            },
            leftOut: book.relayWarnings
        )
    }

    /// Halfway between the best prices; nil if one is missing.
    static func mid(_ bid: Price?, _ ask: Price?) -> Price? {
        guard let bid, let ask else { return nil }
        return bid.midpoint(with: ask)
    }

    private static func parse(_ text: String, of token: Token) throws(DexError) -> UInt256 {
        let amount = try reported(
            DecimalTextError.self,
            try DecimalNumber(text).units(decimals: token.decimals ?? 0)
        )
        guard amount != .zero else {
            throw InputError.zeroAmount(
                hint: "Name how much \(PlainText.name(token.symbol)) you would trade."
            )
        }
        return amount
    }

    private func quote(
        _ side: TradeSide,
        _ amount: UInt256,
        _ book: BookSnapshot
    ) throws(DexError) -> PriceState.Quote {
        let walk = walk(side, amount, book)
        let (fees, feeValue) = fees(of: walk, book)
        let value = feeValue ?? .zero
        // QUOTE including the value of fees in a third token: the basis of the average.
        let whole =
            side == .buy
            ? walk.quote.addingSaturating(value) : walk.quote - min(value, walk.quote)
        let depth = BookDepth(side: side, levels: walk.levels)
        guard let worst = walk.levels.last?.price,
            let average = Price(quote: whole, base: walk.base),
            let impact = depth.impact(of: average, for: amount)
        else {
            throw self.walk(side, .max, book).levels.isEmpty
                ? BookError.noLiquidity(side, book.pair)
                : BookError.amountTooSmall(amount, side, book.pair)
        }
        return PriceState.Quote(
            side: side,
            amount: amount,
            fillable: min(walk.base, amount),
            total: walk.quote,
            average: average,
            worst: worst,
            impactBasisPoints: impact,
            orders: walk.orders,
            fees: fees,
            feeValue: feeValue
        )
    }

    private func walk(_ side: TradeSide, _ amount: UInt256, _ book: BookSnapshot) -> BookWalk {
        BookWalk(
            book.entries(for: side),
            side: side,
            amount: amount,
            exchangeProtocol: session.exchangeProtocol,
            contracts: book.contracts,
            takerFees: settings.takerFees
        )
    }

    /// The taker fees of a walk, and their value in QUOTE if there is a book of the third token.
    private func fees(
        of walk: BookWalk,
        _ book: BookSnapshot
    ) -> (fees: TokenAmount?, value: UInt256?) {
        guard let address = walk.feeToken else { return (nil, nil) }
        let token =
            [book.pair.base, book.pair.quote].first { $0.address == address }
            ?? session.tokens.known(address) ?? .unknown(address)
        let rate = book.feeRate.flatMap { $0.token == address ? $0 : nil }
        return (TokenAmount(raw: walk.fee, token: token), rate?.value(of: walk.fee))
    }
}

extension PriceState.Offer {
    fileprivate init(_ quote: PriceState.Quote) {
        self.init(
            venue: .book,
            name: "the relay's book",
            total: quote.total,
            average: quote.average,
            worst: quote.worst,
            gas: nil,
            reason: nil
        )
    }

    fileprivate init(bookFailure failure: DexError) {
        self.init(.book, "the relay's book", failure: failure)
    }

    init(_ price: SwapPrice, of quoting: SwapQuoting) {
        let trade = quoting.trade
        let (maximum, minimum) = trade.bounds(price)
        self.init(
            venue: quoting.at.id,
            name: quoting.at.name,
            total: trade.side == .buy ? price.sold : price.bought,
            average: trade.price(pay: price.sold, receive: price.bought),
            worst: trade.price(
                pay: min(price.maximumSold, maximum),
                receive: max(price.minimumBought, minimum)
            ),
            gas: price.gas,
            reason: nil
        )
    }

    fileprivate init(_ venue: VenueID, _ name: String, failure: DexError) {
        self.init(
            venue: venue,
            name: name,
            total: nil,
            average: nil,
            worst: nil,
            gas: nil,
            reason: PlainText.sentence(failure.message)
        )
    }
}
