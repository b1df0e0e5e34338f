import Ethereum
import ZeroEx

/// The market that a market order's price is compared with, whichever venue it takes.
///
/// It is the verified book, whatever its depth; where there is none, or it lacks a side, Uniswap's
/// pools. Of the chain's own coin it is the market of its wrapped form.
package enum PriceReference: Sendable {
    case book(BookSnapshot)
    /// The pools, and why there is no book; a sentence.
    case pools(PoolReading, instead: String)
    /// The coin against its wrapped form, which is one for one.
    case parity
    /// No book; the sentence with the reason.
    case missing(String)

    /// The reading of a book, or why there is none.
    init(_ read: Result<BookSnapshot, DexError>) {
        switch read {
        case .success(let book): self = .book(book)
        case .failure(let error):
            self = .missing(PlainText.sentence(error.message))
        }
    }

    /// The book of a pair; a relay without one does not fail the command.
    ///
    /// - Returns: a failure if the node's part failed.
    static func read(
        of pair: Pair,
        side: TradeSide,
        size: MarketSize? = nil,
        account: Address,
        context: OperationContext
    ) async -> Result<PriceReference, DexError> {
        let session = context.session
        guard let pair = pair.wrapped(session) else {
            return .success(
                .missing("The network names no wrapped form of its coin, so there is no book.")
            )
        }
        guard pair.base.address != pair.quote.address else { return .success(.parity) }
        guard session.relay != nil, session.network.hasExchange else {
            return await pools(
                pair,
                instead: .missing("There is no relay, so there is no book."),
                side: side,
                size: size,
                session: session
            )
        }
        let reader = BookReader(session: session, settings: context.settings.reading)
        let read = await Result { () async throws(DexError) in
            try await reader.snapshot(of: pair, account: account, sides: [side])
        }
        if case .failure(let error) = read, !error.concerns(.venue) { return .failure(error) }
        return await pools(
            pair,
            instead: PriceReference(read),
            side: side,
            size: size,
            session: session
        )
    }

    /// Uniswap's pools in place of a book that lacks a side, where the chain has them.
    ///
    /// - Parameter size: what is traded; nil for any amount.
    /// - Returns: a failure if the node's part failed.
    static func pools(
        _ pair: Pair,
        instead reference: PriceReference,
        side: TradeSide,
        size: MarketSize?,
        session: Session
    ) async -> Result<PriceReference, DexError> {
        guard let gap = reference.gap(for: side), session.network.pools != nil else {
            return .success(reference)
        }
        do throws(DexError) {
            let reading = try await PoolReading.read(pair, account: nil, session: session)
            guard reading.measures(size) else {
                let thin = "The direct pools of \(pair.shownName) hold too little beside it."
                return .success(.missing("\(gap) \(thin)"))
            }
            return .success(.pools(reading, instead: gap))
        } catch {
            return (error.concerns(.venueNode) || !error.concerns(.venue))
                ? .failure(error) : .success(reference)
        }
    }

    /// How much worse an average is than the best price, in hundredths of a percent.
    ///
    /// Without an order that the trade could fill, the best price of the other side counts. If bid
    /// and ask are more than 20 % apart, the middle counts where it is stricter: a lone order far
    /// away would excuse any price.
    ///
    /// - Returns: nil without a book, or with an empty one.
    func impact(of average: Price, for amount: UInt256, side: TradeSide) -> UInt64? {
        switch self {
        case .missing: return nil
        case .pools(let pools, _):
            let own = pools.book.depth(side).impact(of: average, for: amount)
            // What the market moved in minutes is no impact, what a manipulation moved is.
            let drift = pools.drift(of: average, side: side)
                .flatMap { $0 >= TradeWarnings.loudImpact ? $0 : nil }
            return [own, drift].compactMap(\.self).max()
        case .parity:
            return Self.one.map { BookDepth.distance(of: average, behind: $0, side: side) }
        case .book(let book):
            let own = BookDepth(book.entries(for: side), side: side)
                .impact(of: average, for: amount)
            let other = book.farReference(for: side)
                .map { BookDepth.distance(of: average, behind: $0, side: side) }
            return [own, other].compactMap(\.self).max()
        }
    }

    /// Halfway between the best prices; nil without a book of two sides.
    var mid: Price? {
        switch self {
        case .missing: nil
        case .pools(let pools, _): pools.mid
        case .parity: Self.one
        case .book(let book): book.mid
        }
    }

    /// Why a price cannot be compared; nil with a market of two sides.
    func gap(for side: TradeSide) -> String? {
        switch self {
        case .missing(let reason): reason
        case .pools(let pools, let instead): pools.bid == nil || pools.ask == nil ? instead : nil
        case .parity: nil
        case .book(let book): book.gap(for: side)
        }
    }

    /// The limits of the comparison, in sentences.
    func warnings(for side: TradeSide) -> [String] {
        guard case .book(let book) = self else { return [] }
        return book.relayWarnings + [book.spreadWarning(for: side)].compactMap(\.self)
    }

    private static let one = Price(quote: 1, base: 1)
}

extension PoolReading {
    /// The part of a trade from which on the direct pools are a measure of its price: a hundredth.
    ///
    /// Anybody can make a pool of one cent at any price; and a trade that is too large for them is to
    /// be measured by them.
    private static let measure: UInt256 = 100

    /// The pools pay out a hundredth of an amount or more within their ladder.
    ///
    /// What they would take counts for nothing: a pool of one cent takes any amount for its cent.
    fileprivate func measures(_ size: MarketSize?) -> Bool {
        func sum(_ amounts: [UInt256]) -> UInt256 {
            amounts.reduce(.zero) { $0.addingSaturating($1) }
        }
        return switch size {
        case nil: true
        case .base(let amount): sum(book.asks.map(\.base)) >= amount / Self.measure
        case .spend(let amount): sum(book.bids.map(\.quote)) >= amount / Self.measure
        }
    }

    /// How much worse a price is than the mean of the last minutes, in hundredths of a percent; nil
    /// without a mean.
    fileprivate func drift(of average: Price, side: TradeSide) -> UInt64? {
        guard case .known(let mean) = mean, let best = side == .buy ? mean.ask : mean.bid else {
            return nil
        }
        return BookDepth.distance(of: average, behind: best, side: side)
    }
}

extension BookSnapshot {
    /// The best price of the other side: the bid for a buyer; nil without one.
    private func opposite(of side: TradeSide) -> Price? {
        (side == .buy ? bid : ask) ?? oppositeBest
    }

    /// The best price of the side that a trade fills; nil without one.
    private func own(of side: TradeSide) -> Price? { side == .buy ? ask : bid }

    /// Hundredths of a percent between bid and ask if they are too far apart for a middle.
    private func wideSpread(for side: TradeSide) -> UInt64? {
        guard let own = own(of: side), let opposite = opposite(of: side) else { return nil }
        let (bid, ask) = side == .buy ? (opposite, own) : (own, opposite)
        guard bid < ask, let spread = BookSpread.basisPoints(bid: bid, ask: ask) else { return nil }
        return spread > RelativePricing.widestSpread ? spread : nil
    }

    /// The price to compare with where the side's own best price is not enough; nil where it is.
    func farReference(for side: TradeSide) -> Price? {
        guard own(of: side) != nil else { return opposite(of: side) }
        return wideSpread(for: side) == nil ? nil : mid
    }

    /// Why the book is no reference: it lacks a side; nil if it has both.
    func gap(for side: TradeSide) -> String? {
        let name = pair.shownName
        let orders = { (side: TradeSide) in side == .buy ? "sell orders" : "buy orders" }
        let other: TradeSide = side == .buy ? .sell : .buy
        return switch (own(of: side), opposite(of: side)) {
        case (nil, nil): "The book of \(name) has no orders."
        case (_?, nil): "The book of \(name) has no \(orders(other)), only \(orders(side))."
        case (nil, _?): "The book of \(name) has no \(orders(side)), only \(orders(other))."
        case (_?, _?): nil
        }
    }

    /// A warning of a bid and an ask that are more than 20 % apart.
    func spreadWarning(for side: TradeSide) -> String? {
        guard let spread = wideSpread(for: side) else { return nil }
        let percent = DecimalText.format(UInt256(spread), decimals: 2)
        return "The best bid and ask of \(pair.shownName) are \(percent) % "
            + "apart: the book says little about the price."
    }
}

extension Pair {
    /// The pair with the chain's coin in its wrapped form; nil if the network has none.
    func wrapped(_ session: Session) -> Pair? {
        guard base.isNativeCoin || quote.isNativeCoin else { return self }
        guard let weth = session.network.weth else { return nil }
        let token = session.tokens.token(at: weth)
        return Pair(
            base: base.isNativeCoin ? token : base,
            quote: quote.isNativeCoin ? token : quote
        )
    }
}
