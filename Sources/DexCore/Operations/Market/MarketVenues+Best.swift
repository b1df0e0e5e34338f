import Ethereum
import ZeroEx

extension MarketVenues {
    /// A venue beside the book with its price.
    private struct Candidate {
        let quoting: SwapQuoting
        let price: SwapPrice
        /// nil for amounts without a ratio.
        let offer: VenueOffer?

        var venue: Venue { quoting.at.venue }
    }

    /// What is known of fees, and so of the value of gas, when venues are compared.
    struct GasPrices {
        let fees: FeeSnapshot
        /// nil without a price of gas: it is left out of the comparison.
        let price: Wei?
    }

    /// The trade at the best of several venues, with the reasons against the others.
    func best(
        _ sources: [VenueSource],
        hasBook: Bool
    ) async throws(DexError) -> Plan<TradePlan> {
        var quotings: [SwapQuoting] = []
        for source in sources { quotings.append(try quoting(source)) }
        let asked = quotings
        async let priced = SwapQuoting.present(
            SwapQuoting.prices(of: asked),
            besideBook: hasBook
        )
        guard hasBook else {
            async let compared = reference()
            let head = try await readHead()
            return try await beside(
                nil,
                await priced,
                at: head,
                against: try await compared.get()
            )
        }
        let reader = BookReader(session: session, settings: settings.reading)
        let read = await Result { () async throws(DexError) in
            try await reader.snapshot(of: pair, account: account, sides: [request.side])
        }
        let book = read.flatMap { read in
            Result { () throws(DexError) in try choose(from: read) }
        }
        switch book {
        case .success(let book): return try await better(book, await priced)
        case .failure(let error):
            guard error.concerns(.venue) else { throw error }
            let prices = await priced
            guard prices.contains(where: { $0.price.failure == nil }) else {
                throw noVenue([error] + prices.compactMap(\.price.failure))
            }
            // Too thin to trade on, a book is a reference all the same.
            async let compared = PriceReference.pools(
                pair,
                instead: PriceReference(read),
                side: request.side,
                size: size,
                session: session
            )
            let head = try await readHead()
            return try await beside(
                error,
                prices,
                at: head,
                against: try await compared.get()
            )
        }
    }

    private typealias Priced = (quoting: SwapQuoting, price: Result<SwapPrice, DexError>)

    /// The best venue beside a book that has no trade, or where there is none.
    ///
    /// - Parameter bookError: why the book has none; nil where there is no book.
    private func beside(
        _ bookError: DexError?,
        _ prices: [Priced],
        at head: AccountHead,
        against reference: PriceReference
    ) async throws(DexError) -> Plan<TradePlan> {
        let gas = gasPrices(head.fees)
        var failures = prices.compactMap { priced in
            priced.price.failure.map { (priced.quoting.at.venue, $0) }
        }
        if let bookError { failures.insert((.book, bookError), at: 0) }
        var left = ranked(prices, gas)[...]
        while let candidate = left.popFirst() {
            let others =
                failures.map { failed($0.0, $0.1) }
                + left.map { loser in
                    let reason = candidate.offer.map {
                        choosing(loser, against: $0).reason(against: loser.offer)
                    }
                    return reason ?? failed(loser.venue, DexError(LiquidityError.noLiquidity))
                }
            do {
                return plan(
                    try await prepared(
                        candidate.quoting,
                        after: candidate.price,
                        at: head,
                        against: reference,
                        instead: others
                    )
                )
            } catch {
                guard error.concerns(.venue), bookError != nil || prices.count > 1 else {
                    throw error
                }
                // What a flag allows is refused by its own name.
                guard !error.concerns(.price) else {
                    throw bookError.map { error.adding($0.message) } ?? error
                }
                failures.append((candidate.venue, error))
            }
        }
        throw noVenue(failures.map(\.1))
    }

    /// The book, or a venue that is better than it.
    private func better(
        _ book: BookTrade,
        _ prices: [Priced]
    ) async throws(DexError) -> Plan<TradePlan> {
        guard let state = book.book.account, let fees = book.book.fees else {
            throw TradeError.noAccount
        }
        let gas = gasPrices(fees)
        let bookOffer = book.offer(
            session,
            gasPrice: gas.price,
            rollupFee: try await rollupFee(of: book, fees)
        )
        var others = prices.compactMap { priced in
            priced.price.failure.map { failed(priced.quoting.at.venue, $0) }
        }
        let head = AccountHead(
            address: account,
            block: book.book.block,
            pendingNonce: state.pendingNonce,
            fees: fees
        )
        var left = ranked(prices, gas, pair: book.book.pair)[...]
        while let candidate = left.popFirst() {
            let choice = choosing(candidate, against: bookOffer)
            // A rollup's fee depends on the bytes, which only the quote has.
            guard let first = candidate.offer, choice.prefers(first) else {
                others.append(choice.reason(against: candidate.offer))
                continue
            }
            let preparer = preparer(candidate.quoting)
            let quote: SwapQuote
            let reads: SwapPreparer.Reads
            do {
                (quote, reads) = try await preparer.quote(after: candidate.price, at: head)
            } catch {
                guard error.concerns(.venue) else { throw error }
                others.append(failed(candidate.venue, error))
                continue
            }
            // A quote may be worse than the price that it was asked for.
            let units = quote.gas ?? candidate.price.gas
            let call = CallRequest(
                from: account,
                to: quote.call.to,
                data: quote.call.data,
                value: quote.call.value
            )
            let second = VenueChoosing.offer(
                quote.price,
                at: candidate.venue,
                side: request.side,
                pair: book.book.pair,
                gas: units,
                network: session.network,
                gasPrice: gas.price,
                rollupFee: try await rollupFee(of: units.map { (call, $0) }, fees)
            )
            guard let second, choice.prefers(second) else {
                others.append(choice.reason(against: second))
                continue
            }
            others += left.map { choosing($0, against: second).reason(against: $0.offer) }
            return plan(
                try await prepared(
                    preparer,
                    quote,
                    reads,
                    at: head,
                    against: .book(book.book),
                    instead: [choice.reason(beside: second)] + others
                )
            )
        }
        return plan(try await prepared(book, instead: others))
    }

    // MARK: Ranking

    func gasPrices(_ fees: FeeSnapshot) -> GasPrices {
        // nil: without a price of gas it is left out of the comparison
        let price = (try? GasPricing.fee(fees, settings.fees)).map { GasPricing.present($0, fees) }
        return GasPrices(fees: fees, price: price)
    }

    /// The venues that have a price, the best one first.
    private func ranked(
        _ prices: [Priced],
        _ gas: GasPrices,
        pair: Pair? = nil
    ) -> [Candidate] {
        let chooser = VenueChooser(side: request.side)
        let candidates = prices.compactMap { priced -> Candidate? in
            guard case .success(let price) = priced.price else { return nil }
            return Candidate(
                quoting: priced.quoting,
                price: price,
                offer: VenueChoosing.offer(
                    price,
                    at: priced.quoting.at.venue,
                    side: request.side,
                    pair: pair ?? self.pair,
                    gas: price.gas,
                    network: session.network,
                    gasPrice: gas.price
                )
            )
        }
        return candidates.sorted { one, other in
            guard let one = one.offer else { return false }
            guard let other = other.offer else { return true }
            return chooser.distance(of: other, behind: one) > 0
        }
    }

    private func choosing(
        _ candidate: Candidate,
        against reference: VenueOffer
    ) -> VenueChoosing {
        VenueChoosing(
            side: request.side,
            pair: pair,
            reference: reference,
            venue: candidate.venue,
            name: candidate.quoting.source.rules.name
        )
    }

    func failed(_ venue: Venue, _ error: DexError) -> VenueAlternative {
        VenueAlternative(
            venue: venue,
            average: nil,
            worst: nil,
            gas: nil,
            reason: PlainText.sentence(error.message)
        )
    }

    func noVenue(_ errors: [DexError]) -> DexError {
        // One alone says it better than a list of one.
        if errors.count == 1, let error = errors.first { return error }
        return SwapError.noVenue(
            reasons: errors.map { PlainText.sentence($0.message) },
            isUnreachable: errors.contains { $0.kind == .unreachable }
        )
    }
}
