import Ethereum
import ZeroEx

/// The way a market order is divided: the book's part, and the rest at another venue.
struct TradeSplit: Sendable {
    let book: MarketSize
    let rest: MarketSize
    let venue: Venue
}

extension MarketVenues {
    /// A division with what both parts together offer.
    private struct Candidate {
        let split: TradeSplit
        let offer: VenueOffer
    }

    /// What the search for a division has read.
    private struct Search {
        let book: BookSnapshot
        let gas: GasPrices
        /// What a rollup takes for a fill of the book.
        let rollupFee: Wei
        let sizes: [UInt256]
        let quotings: [SwapQuoting]
    }

    /// The division that is better than the whole order at one venue, and the venues that would take
    /// the whole; no division if there is none.
    ///
    /// A rollup's fee for the other venue's call data is not counted, as it is not known before the
    /// quote, nor are approvals.
    ///
    /// - Throws: `DexError`: exit 3 without a relay or another venue; exit 4 or 6 if no venue, and no
    ///   two of them, can trade it.
    func split() async throws(DexError) -> (split: TradeSplit?, instead: [VenueAlternative]) {
        guard !pair.base.isNativeCoin, !pair.quote.isNativeCoin else {
            throw SwapError.nativeOnBook(session.network.coin)
        }
        _ = try session.requiredRelay()
        var sources = try choice().sources
        // Without any, what is missing is named.
        if sources.isEmpty {
            sources = [try session.required(session.network.swap == nil ? .pools : .swap)]
        }
        let quotings = try sources.map { source throws(DexError) in try quoting(source) }
        async let priced = SwapQuoting.present(SwapQuoting.prices(of: quotings), besideBook: true)
        let reader = BookReader(session: session, settings: settings.reading)
        let read = await Result { () async throws(DexError) in
            try await reader.snapshot(of: pair, account: account, sides: [request.side])
        }
        let prices = await priced
        let book = try read.get()
        try admits.book(book)
        let onBook = Result { () throws(DexError) in try choose(from: book) }
        if let error = onBook.failure, !error.concerns(.venue) { throw error }
        let search = try await search(book, prices.map(\.quoting))
        let wholes = wholes(onBook, prices, search)
        let best = try await best(search)
        let chooser = VenueChooser(side: request.side)
        let offers = wholes.compactMap(\.offer)
        guard let best, offers.allSatisfy({ chooser.prefers(best.offer, to: $0) }) else {
            guard !offers.isEmpty else { throw noVenue(wholes.compactMap(\.error)) }
            return (nil, [])
        }
        let instead = wholes.map { whole in
            if let error = whole.error { return failed(whole.venue, error) }
            return VenueChoosing(
                side: request.side,
                pair: book.pair,
                reference: best.offer,
                venue: whole.venue,
                name: whole.venue.rawValue
            ).reason(against: whole.offer)
        }
        return (best.split, instead)
    }

    // MARK: Whole

    private typealias Whole = (venue: Venue, offer: VenueOffer?, error: DexError?)

    private func wholes(
        _ onBook: Result<BookTrade, DexError>,
        _ prices: [(quoting: SwapQuoting, price: Result<SwapPrice, DexError>)],
        _ search: Search
    ) -> [Whole] {
        let book: Whole =
            switch onBook {
            case .success(let trade): (.book, offer(trade, search), nil)
            case .failure(let error): (.book, nil, error)
            }
        return [book]
            + prices.map { priced in
                let venue = priced.quoting.at.venue
                return switch priced.price {
                case .success(let price): (venue, offer(price, at: venue, search), nil)
                case .failure(let error): (venue, nil, error)
                }
            }
    }

    private func offer(_ trade: BookTrade, _ search: Search) -> VenueOffer {
        trade.offer(session, gasPrice: search.gas.price, rollupFee: search.rollupFee)
    }

    private func offer(_ price: SwapPrice, at venue: Venue, _ search: Search) -> VenueOffer? {
        VenueChoosing.offer(
            price,
            at: venue,
            side: request.side,
            pair: search.book.pair,
            gas: price.gas,
            network: session.network,
            gasPrice: search.gas.price
        )
    }

    // MARK: The search

    private func search(
        _ book: BookSnapshot,
        _ quotings: [SwapQuoting]
    ) async throws(DexError) -> Search {
        guard let fees = book.fees else { throw TradeError.noAccount }
        let planner = try BookTrade.planner(request, size: size, for: book, context: context)
        let entries = planner.candidates(book.entries(for: request.side)).candidates
        let whole: UInt256
        var funds: UInt256?
        switch size {
        case .base(let base): whole = base
        case .spend(let spend): (whole, funds) = (spend, spend)
        }
        let legs = planner.walk(entries, funds: funds).legs
        let takes = legs.map { leg in
            guard case .spend = size else { return request.side == .buy ? leg.receive : leg.pay }
            let isOnTop = planner.feeToken(of: leg.order) == pair.quote.address
            return isOnTop ? leg.pay.addingSaturating(leg.fee) : leg.pay
        }
        let sizes = SplitSizes(of: takes, whole: whole).sizes
        // One fill stands for all: their call data differ by some orders.
        let fill = try? trade(of: book, sizes.last)  // nil: the book does not fill so much
        return Search(
            book: book,
            gas: gasPrices(fees),
            rollupFee: try await rollupFee(of: fill, fees),
            sizes: sizes,
            quotings: quotings
        )
    }

    /// The book's part of a size; nil without one.
    ///
    /// - Throws: `DexError`, exit 6, if the book's orders do not allow it.
    private func trade(of book: BookSnapshot, _ part: UInt256?) throws(DexError) -> BookTrade? {
        guard let part else { return nil }
        return try BookTrade.choose(
            request,
            size: size.with(part),
            from: book,
            confirmed: nil,
            context: context
        )
    }

    /// The best division: four sizes at all venues, then four more beside the best one.
    private func best(_ search: Search) async throws(DexError) -> Candidate? {
        guard !search.sizes.isEmpty else { return nil }
        let grid = SplitSizes.grid(0...(search.sizes.count - 1))
        var best: (index: Int, candidate: Candidate)?
        for quoting in search.quotings {
            best = better(best, try await priced(grid, quoting.at, search))
        }
        guard let found = best,
            let quoting = search.quotings.first(where: {
                $0.at.venue == found.candidate.split.venue
            })
        else { return nil }
        let near = SplitSizes.grid(SplitSizes.range(beside: found.index, in: grid))
        let more = near.filter { !grid.contains($0) }
        return better(found, try await priced(more, quoting.at, search))?.candidate
    }

    private func better(
        _ best: (index: Int, candidate: Candidate)?,
        _ others: [(index: Int, candidate: Candidate)]
    ) -> (index: Int, candidate: Candidate)? {
        let chooser = VenueChooser(side: request.side)
        return others.reduce(best) { best, other in
            guard let best else { return other }
            return chooser.distance(of: best.candidate.offer, behind: other.candidate.offer) > 0
                ? other : best
        }
    }

    /// The divisions at some sizes with another venue, priced at the same time; without those that
    /// either of both does not trade.
    private func priced(
        _ indices: [Int],
        _ source: VenueSource,
        _ search: Search
    ) async throws(DexError) -> [(index: Int, candidate: Candidate)] {
        var parts: [(index: Int, book: VenueOffer, split: TradeSplit)] = []
        var quotings: [SwapQuoting] = []
        for index in indices {
            let part = search.sizes[index]
            do {
                guard let trade = try trade(of: search.book, part) else { continue }
                let rest = size.without(part)
                var others = self
                others.size = rest
                quotings.append(try others.quoting(source))
                let split = TradeSplit(book: size.with(part), rest: rest, venue: source.venue)
                parts.append((index, offer(trade, search), split))
            } catch {
                guard error.concerns(.venue) else { throw error }
            }
        }
        let prices = await SwapQuoting.prices(of: quotings)
        return zip(parts, prices).compactMap { part, priced in
            guard case .success(let price) = priced.price,
                let rest = offer(price, at: source.venue, search),
                let sum = VenueOffer.sum(part.book, rest, side: request.side)
            else { return nil }
            return (part.index, Candidate(split: part.split, offer: sum))
        }
    }
}

extension MarketSize {
    /// Another amount of the same unit.
    fileprivate func with(_ raw: UInt256) -> MarketSize {
        switch self {
        case .base: .base(raw)
        case .spend: .spend(raw)
        }
    }

    /// What is left of it beside a part.
    fileprivate func without(_ part: UInt256) -> MarketSize {
        switch self {
        case .base(let base): .base(base.subtractingSaturating(part))
        case .spend(let spend): .spend(spend.subtractingSaturating(part))
        }
    }
}
