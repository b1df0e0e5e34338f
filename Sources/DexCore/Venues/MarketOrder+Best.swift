import Ethereum
import ZeroEx

extension MarketOrder {
    /// An offer with its venue and its price.
    private struct Candidate {
        let venue: any Venue
        let offer: any Offer
        let price: OfferPrice
    }

    /// The plan at the venue that was asked for, or at the best one, with the reasons against the
    /// others.
    ///
    /// A venue that wins ties is asked first, since it reads the market that the others are compared
    /// with; they have to be better by 0.05 %. Where the book sells 100 ZRX for 0.075 WETH, another
    /// venue takes at most 0.0749625 WETH, fees and gas included.
    ///
    /// - Throws: `DexError`: exit 3 if a required venue is not set up; exit 4 or 6 if none can
    ///   trade it.
    func plan() async throws(DexError) -> Plan<TradePlan> {
        let venues = try venues()
        let others = venues.filter { $0.tieReason == nil }
        async let asked = answers(of: others, isAlone: others.count == venues.count)
        guard let first = venues.first(where: { $0.tieReason != nil }) else {
            async let compared = reference()
            // The chain's answer comes first: a wrong chain takes precedence.
            let head = try await readHead()
            let answers = await asked
            return try await best(
                of: answers,
                in: OrderMarket(head, try await compared.get(), settings)
            )
        }
        let own = await first.answer(self)
        if let error = own.offer.failure, !error.concerns(.venue) { throw error }
        return try await plan(of: [own] + (await asked), beside: own)
    }

    /// The plan by answers for the whole order, of which the book's has what the venues are compared
    /// with.
    ///
    /// - Parameter others: of the venues besides the book.
    /// - Throws: as `plan()`.
    func plan(book: VenueAnswer, others: [VenueAnswer]) async throws(DexError) -> Plan<TradePlan> {
        let wanted = try venues().map(\.id)
        let answers = ([book] + others).filter { wanted.contains($0.venue.id) }
        // A venue that the chain lacks is asked again, to be named.
        guard !answers.isEmpty else { return try await plan() }
        return try await plan(of: answers, beside: book)
    }

    /// - Parameter own: the answer with the market that was read.
    private func plan(
        of answers: [VenueAnswer],
        beside own: VenueAnswer
    ) async throws(DexError) -> Plan<TradePlan> {
        guard answers.contains(where: { $0.offer.failure == nil }) else {
            throw Self.noVenue(answers.compactMap(\.offer.failure))
        }
        return try await best(of: answers, in: try await market(of: own))
    }

    /// The answers of several venues, asked at the same time; in the order of the venues.
    ///
    /// - Parameter isAlone: no other venue is asked.
    func answers(of venues: [any Venue], isAlone: Bool) async -> [VenueAnswer] {
        await venues.concurrentMap { await $0.answer(self) }
            .present(isAlone: isAlone) { $0.offer.failure }
    }

    /// The market that a venue read for its answer; without an offer a book is a reference all the
    /// same.
    private func market(of answer: VenueAnswer) async throws(DexError) -> OrderMarket {
        if answer.offer.failure == nil, case .success(let book) = answer.book {
            return try OrderMarket(book, settings)
        }
        async let compared = reference(after: answer.book)
        let head = try await readHead()
        return OrderMarket(head, try await compared.get(), settings)
    }

    private func reference(
        after book: Result<BookSnapshot, DexError>?
    ) async -> Result<PriceReference, DexError> {
        guard let book else { return await reference() }
        return await PriceReference.pools(
            pair,
            instead: PriceReference(book),
            side: side,
            size: size,
            session: session
        )
    }

    // MARK: The choice

    /// The plan of the best offer; of the next one, where that cannot be planned.
    ///
    /// Of one that wins ties, the others' are made firm before it is left for them, as a quote may be
    /// worse than the price that it was asked for; whatever is wrong with it then ends the command.
    private func best(
        of answers: [VenueAnswer],
        in market: OrderMarket
    ) async throws(DexError) -> Plan<TradePlan> {
        var others: [VenueAlternative] = []
        var errors: [DexError] = []
        var found: [Candidate] = []
        let isAlone = answers.allSatisfy { $0.venue.tieReason != nil }
        for answer in answers {
            switch answer.offer {
            case .success(let offer):
                // Nothing is compared where nothing else is asked.
                if isAlone { return try await offer.plan(in: market, instead: []) }
                if let price = try await offer.price(in: market) {
                    found.append(Candidate(venue: answer.venue, offer: offer, price: price))
                } else {
                    others.append(Self.unpriced(answer.venue))
                    errors.append(DexError(LiquidityError.noLiquidity))
                }
            case .failure(let error):
                others.append(Self.failed(answer.venue, error))
                errors.append(error)
            }
        }
        let own = found.first { $0.venue.tieReason != nil }
        var left = ranked(found.filter { $0.venue.tieReason == nil })[...]
        while let candidate = left.popFirst() {
            var best = candidate
            do throws(DexError) {
                if let own {
                    guard isPreferred(candidate.price, to: own.price) else {
                        others.append(reason(against: candidate, for: own))
                        continue
                    }
                    let offer = try await candidate.offer.firm(in: market)
                    guard let price = try await offer.price(in: market) else {
                        others.append(Self.unpriced(candidate.venue))
                        continue
                    }
                    best = Candidate(venue: candidate.venue, offer: offer, price: price)
                    guard isPreferred(price, to: own.price) else {
                        others.append(reason(against: best, for: own))
                        continue
                    }
                }
            } catch {
                guard error.concerns(.venue) else { throw error }
                others.append(Self.failed(candidate.venue, error))
                continue
            }
            let instead = [own.map { reason(against: $0, for: best) }].compactMap(\.self) + others
            do throws(DexError) {
                return try await best.offer.plan(
                    in: market,
                    instead: instead + left.map { reason(against: $0, for: best) }
                )
            } catch {
                guard own == nil, error.concerns(.venue), answers.count > 1 else { throw error }
                // What a flag allows is refused by its own name.
                guard !error.concerns(.price) else {
                    throw answers.first { $0.venue.tieReason != nil }?.offer.failure
                        .map { error.adding($0.message) } ?? error
                }
                others.append(Self.failed(candidate.venue, error))
                errors.append(error)
            }
        }
        guard let own else { throw Self.noVenue(errors) }
        return try await own.offer.plan(in: market, instead: others)
    }

    private func isPreferred(_ price: OfferPrice, to other: OfferPrice) -> Bool {
        OfferChooser(side: side).prefers(price, to: other)
    }

    /// The best one first.
    private func ranked(_ candidates: [Candidate]) -> [Candidate] {
        let chooser = OfferChooser(side: side)
        return candidates.sorted { chooser.distance(of: $1.price, behind: $0.price) > 0 }
    }

    private func reason(against loser: Candidate, for best: Candidate) -> VenueAlternative {
        reason(against: loser.price, of: loser.venue, for: best.price, of: best.venue)
    }

    // MARK: Reasons

    /// Why an offer is not taken where another one is.
    ///
    /// - Parameter winner: nil for several venues together.
    func reason(
        against price: OfferPrice,
        of venue: any Venue,
        for best: OfferPrice,
        of winner: (any Venue)?
    ) -> VenueAlternative {
        let distance = OfferChooser(side: side).distance(of: price, behind: best)
        let isTie = distance == 0 && venue.tieReason == nil
        let words =
            isTie
            ? winner?.tieReason ?? "It is no better."
            : "It \(side == .buy ? "costs" : "brings") \(Self.percent(distance)) % "
                + "\(side == .buy ? "more" : "less")."
        let gas =
            OfferChooser.countsGas(price, best)
            ? ""
            : " Gas is not compared: it has no known price in "
                + "\(PlainText.name(pair.quote.symbol))."
        return VenueAlternative(
            venue: venue.id,
            average: price.average,
            worst: price.worst,
            gas: price.gas,
            reason: words + gas
        )
    }

    static func unpriced(_ venue: any Venue) -> VenueAlternative {
        without(venue, reason: "\(PlainText.clean(venue.name, limit: 40)) gave no price.")
    }

    static func failed(_ venue: any Venue, _ error: DexError) -> VenueAlternative {
        without(venue, reason: PlainText.sentence(error.message))
    }

    private static func without(_ venue: any Venue, reason: String) -> VenueAlternative {
        VenueAlternative(venue: venue.id, average: nil, worst: nil, gas: nil, reason: reason)
    }

    static func noVenue(_ errors: [DexError]) -> DexError {
        // One alone says it better than a list of one.
        if errors.count == 1, let error = errors.first { return error }
        return SwapError.noVenue(
            reasons: errors.map { PlainText.sentence($0.message) },
            isUnreachable: errors.contains { $0.kind == .unreachable }
        )
    }

    private static func percent(_ basisPoints: UInt64) -> String {
        guard basisPoints < 1_000_000 else { return "more than 10000" }
        return DecimalText.format(UInt256(basisPoints), decimals: 2)
    }
}
