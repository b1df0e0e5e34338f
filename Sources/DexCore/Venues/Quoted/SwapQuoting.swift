import Ethereum
import ZeroEx

/// A quote whose call data was read and keeps its terms.
struct VerifiedQuote: Sendable {
    let quote: SwapQuote
    /// Without a permit's signature.
    let call: SwapCall
    /// The message to sign; nil without one.
    let permit: SwapPermit?
    let terms: SwapTerms
    /// Seconds since 1970 when it was asked for: how long it took, in the API or the node, counts
    /// as age.
    let time: UInt64
    /// As screens name the venue.
    let venue: String
    /// How many nodes said the price, of a venue that is read from the chain; nil of others.
    let nodes: UInt64?
}

extension VerifiedQuote {
    /// The venue's call, with room for a route that needs more gas than estimated.
    var plannedCall: PlannedCall {
        PlannedCall(
            purpose: .swap,
            summary: "trade with \(PlainText.clean(venue, limit: 40)) at \(call.to.checksummed)",
            subject: "the trade",
            request: CallRequest(
                from: terms.account,
                to: call.to,
                data: call.data,
                value: call.value
            ),
            margin: 130
        )
    }

    /// When its permit or a pool's call expires, in seconds since 1970; nil without one.
    func validUntil(_ network: Network) -> UInt64? {
        permit?.deadline.uint64 ?? network.poolDeadline(of: plannedCall.request)
    }

    /// The venue's own data about it.
    func summary(now: UInt64) -> QuoteSummary {
        let price = quote.price
        return QuoteSummary(
            venue: venue,
            id: price.id,
            block: price.block,
            sources: price.sources,
            fees: price.fees,
            nodes: nodes,
            age: now > time ? now - time : 0
        )
    }
}

/// Asks a venue for firm quotes and verifies them.
struct SwapQuoting: Sendable {
    let session: Session
    let at: any QuotedVenue
    let trade: SwapTrade
    /// nil only for a price.
    let account: Address?

    var source: any LiquiditySource { at.source }

    /// Seconds after which a quote is asked again before it is signed.
    static let longestAge: UInt64 = 20
    /// The most quotes that are asked for before a signature.
    static let maximumQuotes = 3

    /// The venue's indicative price.
    func price() async -> Result<SwapPrice, DexError> {
        let slippage: UInt64 =
            if case .slippage(let points) = trade.limit { points * 100 } else { 10_000 }
        return await Result { () async throws(LiquidityError) in
            try await source.price(request(slippage: slippage))
        }.mapError { DexError($0) }
    }

    /// A firm quote by an earlier price, as the venue says it.
    func quote(after price: SwapPrice) async -> Result<SwapQuote, DexError> {
        let (maximum, minimum) = trade.bounds(price)
        let slippage = SwapTrade.slippage(
            price,
            side: trade.slippingSide,
            maximum: maximum,
            minimum: minimum
        )
        guard let slippage else { return .failure(priceBeyondLimit(price)) }
        return await ask(slippage: slippage)
    }

    /// A new quote beside confirmed bounds.
    enum Renewed {
        case within(VerifiedQuote)
        /// Only its slippage is too wide: the next quote may ask for less.
        case tooWide(SwapPrice)
    }

    /// A new quote, to be sent within confirmed bounds.
    ///
    /// - Parameter last: the latest known price, by which the slippage is chosen.
    /// - Throws: `DexError`, exit 6, `quote-moved`, if the expected price itself is outside.
    func renew(
        within confirmed: SwapTerms,
        after last: SwapPrice
    ) async throws(DexError) -> Renewed {
        func slippage(_ price: SwapPrice) -> UInt64? {
            SwapTrade.slippage(
                price,
                side: trade.slippingSide,
                maximum: confirmed.maximum,
                minimum: confirmed.minimum
            )
        }
        let asked = session.environment.now()
        // Another contract may lack the allowance.
        let quote = try await ask(
            slippage: slippage(last) ?? 0,
            spender: confirmed.request.spender
        ).get()
        guard
            quote.price.maximumSold > confirmed.maximum
                || quote.price.minimumBought < confirmed.minimum
        else { return .within(try verified(quote, terms: confirmed, asked: asked)) }
        guard slippage(quote.price) != nil else {
            throw SwapError.quoteMoved(venue: source.rules.name)
        }
        return .tooWide(quote.price)
    }

    /// The terms of a first quote: the bounds of its own expected price, or tighter as it says.
    ///
    /// - Throws: `DexError`, exit 6: beyond a price limit, or `counterfeit-quote`.
    func terms(
        of quote: SwapQuote,
        for account: Address,
        genuine: [Address]
    ) throws(DexError) -> SwapTerms {
        let price = quote.price
        let (maximum, minimum) = trade.bounds(price)
        guard
            SwapTrade.slippage(price, side: trade.slippingSide, maximum: maximum, minimum: minimum)
                != nil
        else {
            throw priceBeyondLimit(price)
        }
        guard price.maximumSold <= maximum else {
            throw counterfeit("maximum sold", "at most \(maximum)", "\(price.maximumSold)")
        }
        guard price.minimumBought >= minimum, price.minimumBought > .zero else {
            throw counterfeit("minimum bought", "at least \(minimum)", "\(price.minimumBought)")
        }
        return SwapTerms(
            request: request(
                slippage: 0,
                spender: source.rules.spender(trade.payment, of: quote.call)
            ),
            account: account,
            maximum: price.maximumSold,
            minimum: price.minimumBought,
            genuine: genuine,
            wrapped: session.network.weth,
            now: session.environment.now()
        )
    }

    /// - Parameter asked: when the quote was asked for, in seconds since 1970.
    /// - Throws: `DexError`, exit 6: `counterfeit-quote`, `unprotected-quote`.
    func verified(
        _ quote: SwapQuote,
        terms: SwapTerms,
        asked: UInt64
    ) throws(DexError) -> VerifiedQuote {
        var terms = terms
        terms.now = session.environment.now()
        let (fixed, reported) =
            trade.slippingSide == .buy
            ? ("amount bought", quote.price.bought) : ("amount sold", quote.price.sold)
        guard reported == trade.amount else {
            throw counterfeit(fixed, "\(trade.amount)", "\(reported)")
        }
        do throws(QuoteFault) {
            return VerifiedQuote(
                quote: quote,
                call: try source.rules.verify(quote, terms),
                permit: try source.rules.permit(of: quote, terms),
                terms: terms,
                time: asked,
                venue: source.rules.name,
                nodes: at.nodes(session.network)
            )
        } catch {
            throw DexError(error)
        }
    }

    /// Checks a quote again, with the contracts that the registry names now.
    func verifyAgain(_ old: VerifiedQuote, genuine: [Address]) throws(DexError) {
        var terms = old.terms
        terms.genuine = genuine
        do throws(QuoteFault) {
            _ = try source.rules.verify(old.quote, terms)
        } catch {
            throw DexError(error)
        }
    }

    private func ask(
        slippage: UInt64,
        spender: Address? = nil
    ) async -> Result<SwapQuote, DexError> {
        await Result { () async throws(LiquidityError) in
            try await source.quote(request(slippage: slippage, spender: spender))
        }.mapError { DexError($0) }
    }

    private func request(slippage: UInt64, spender: Address? = nil) -> SwapRequest {
        var request = trade.request(
            chainID: session.network.chainID,
            taker: account,
            slippage: slippage,
            wrapped: session.network.weth
        )
        request.spender = spender
        return request
    }

    private func priceBeyondLimit(_ price: SwapPrice) -> DexError {
        let average = trade.price(pay: price.sold, receive: price.bought)?.text(of: trade.pair)
        return SwapError.beyondLimit(trade.side, venue: source.rules.name, average: average)
    }

    private func counterfeit(_ field: String, _ expected: String, _ found: String) -> DexError {
        DexError(QuoteFault.counterfeit(field: field, expected: expected, found: found))
    }
}
