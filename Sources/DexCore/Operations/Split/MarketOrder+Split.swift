import Ethereum
import ZeroEx

/// The way a market order is divided: the book's part, and the rest at another venue.
struct TradeSplit: Sendable {
    let book: MarketSize
    let rest: MarketSize
    let venue: VenueID
}

/// Whether a market order is divided.
enum TradeDivision: Sendable {
    /// In two, which is better than each of the venues for the whole.
    case parts(TradeSplit, instead: [VenueAlternative])
    /// Not at all, by the book's answer for the whole and the others'.
    case whole(book: VenueAnswer, others: [VenueAnswer])
}

extension MarketOrder {
    /// A division with what both parts together offer.
    private struct Candidate {
        let split: TradeSplit
        let price: OfferPrice
    }

    /// The reads of the search for a division.
    private struct Search {
        let book: BookSnapshot
        let market: OrderMarket
        /// The fee of a rollup for a fill of the book.
        let rollupFee: Wei
        let sizes: [UInt256]
        let venues: [any Venue]
    }

    /// The whole order at one venue, or why it does not trade that.
    private typealias Whole = (venue: any Venue, price: Result<OfferPrice, DexError>)

    /// The division that is better than the whole order at one venue, if there is one.
    ///
    /// A rollup's fee for the other venue's call data is not counted, as it is not known before the
    /// quote, nor are approvals.
    ///
    /// - Throws: `DexError`: exit 3 without a relay or another venue; exit 4 or 6 if no venue, and no
    ///   two of them, can trade it.
    func divided() async throws(DexError) -> TradeDivision {
        guard !pair.base.isNativeCoin, !pair.quote.isNativeCoin else {
            throw SwapError.nativeOnBook(session.network.coin)
        }
        _ = try session.requiredRelay()
        var others = try venues().filter { $0.id != .book }
        // Without any, what is missing is named.
        if others.isEmpty {
            others = [try session.required(session.network.swap == nil ? .pools : .swap)]
        }
        async let asked = answers(of: others, isAlone: false)
        let read = await Result { () async throws(DexError) in try await readBook() }
        let answers = await asked
        let book = try read.get()
        let own = OrderBookVenue().answer(self, on: read)
        if let error = own.offer.failure, !error.concerns(.venue) { throw error }
        let search = try await search(book, answers.map(\.venue))
        let wholes = try await wholes([own] + answers, search)
        let best = try await best(search)
        let chooser = OfferChooser(side: side)
        let prices = wholes.compactMap { try? $0.price.get() }  // nil: no offer to compare with
        guard let best, prices.allSatisfy({ chooser.prefers(best.price, to: $0) }) else {
            guard !prices.isEmpty else { throw Self.noVenue(wholes.compactMap(\.price.failure)) }
            return .whole(book: own, others: answers)
        }
        let instead = wholes.map { whole in
            switch whole.price {
            case .failure(let error): Self.failed(whole.venue, error)
            case .success(let price):
                reason(against: price, of: whole.venue, for: best.price, of: nil)
            }
        }
        return .parts(best.split, instead: instead)
    }

    private func wholes(
        _ answers: [VenueAnswer],
        _ search: Search
    ) async throws(DexError) -> [Whole] {
        var wholes: [Whole] = []
        for answer in answers {
            switch answer.offer {
            case .failure(let error): wholes.append((answer.venue, .failure(error)))
            case .success(let offer):
                let price = try await offer.price(in: search.market)
                let none = DexError(LiquidityError.noLiquidity)
                wholes.append((answer.venue, price.map { .success($0) } ?? .failure(none)))
            }
        }
        return wholes
    }

    private func price(of trade: BookTrade, _ search: Search) -> OfferPrice {
        trade.price(gasPrice: search.market.gasPrice, rollupFee: search.rollupFee)
    }

    // MARK: The search

    private func search(
        _ book: BookSnapshot,
        _ venues: [any Venue]
    ) async throws(DexError) -> Search {
        let market = try OrderMarket(book, settings)
        let planner = try MarketPlanner(self, on: book)
        let entries = planner.candidates(book.entries(for: side)).candidates
        let whole: UInt256
        var funds: UInt256?
        switch size {
        case .base(let base): whole = base
        case .spend(let spend): (whole, funds) = (spend, spend)
        }
        let legs = planner.walk(entries, funds: funds).legs
        let takes = legs.map { leg in
            guard case .spend = size else { return side == .buy ? leg.receive : leg.pay }
            let isOnTop = planner.feeToken(of: leg.order) == pair.quote.address
            return isOnTop ? leg.pay.addingSaturating(leg.fee) : leg.pay
        }
        let sizes = SplitSizes(of: takes, whole: whole).sizes
        // One fill stands for all: their call data differ by some orders.
        let fill = try? sizes.last.map { part throws(DexError) in
            try BookTrade(with(size.with(part)), on: book)
        }  // nil: the book does not fill so much
        return Search(
            book: book,
            market: market,
            rollupFee: try await fill?.rollupFee(market.head.fees) ?? .zero,
            sizes: sizes,
            venues: venues
        )
    }

    /// The best division: four sizes at all venues, then four more beside the best one.
    private func best(_ search: Search) async throws(DexError) -> Candidate? {
        guard !search.sizes.isEmpty else { return nil }
        let grid = SplitSizes.grid(0...(search.sizes.count - 1))
        var best: (index: Int, candidate: Candidate)?
        for venue in search.venues {
            best = better(best, try await priced(grid, venue, search))
        }
        guard let found = best,
            let venue = search.venues.first(where: { $0.id == found.candidate.split.venue })
        else { return nil }
        let near = SplitSizes.grid(SplitSizes.range(beside: found.index, in: grid))
        let more = near.filter { !grid.contains($0) }
        return better(found, try await priced(more, venue, search))?.candidate
    }

    private func better(
        _ best: (index: Int, candidate: Candidate)?,
        _ others: [(index: Int, candidate: Candidate)]
    ) -> (index: Int, candidate: Candidate)? {
        let chooser = OfferChooser(side: side)
        return others.reduce(best) { best, other in
            guard let best else { return other }
            return chooser.distance(of: best.candidate.price, behind: other.candidate.price) > 0
                ? other : best
        }
    }

    /// The divisions at some sizes with another venue, priced at the same time; without those that
    /// either of both does not trade.
    private func priced(
        _ indices: [Int],
        _ venue: any Venue,
        _ search: Search
    ) async throws(DexError) -> [(index: Int, candidate: Candidate)] {
        var parts: [(index: Int, book: OfferPrice, rest: MarketOrder, split: TradeSplit)] = []
        for index in indices {
            let part = search.sizes[index]
            do {
                let trade = try BookTrade(with(size.with(part)), on: search.book)
                let rest = size.without(part)
                let split = TradeSplit(book: size.with(part), rest: rest, venue: venue.id)
                parts.append((index, price(of: trade, search), with(rest), split))
            } catch {
                guard error.concerns(.venue) else { throw error }
            }
        }
        let answers = await parts.concurrentMap { await venue.answer($0.rest) }
        var candidates: [(index: Int, candidate: Candidate)] = []
        for (part, answer) in zip(parts, answers) {
            guard case .success(let offer) = answer.offer,
                let rest = try await offer.price(in: search.market),
                let sum = OfferPrice.sum(part.book, rest, side: side)
            else { continue }
            candidates.append((part.index, Candidate(split: part.split, price: sum)))
        }
        return candidates
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

    /// The rest of it beside a part.
    fileprivate func without(_ part: UInt256) -> MarketSize {
        switch self {
        case .base(let base): .base(base.subtractingSaturating(part))
        case .spend(let spend): .spend(spend.subtractingSaturating(part))
        }
    }
}
