package import DexStore
package import Ethereum
package import ZeroEx

/// `dex trades`: the fills of a pair, whoever traded.
package struct TradesModel: Sendable {
    private let session: Session
    private let journal: Journal

    /// Seconds that are shown unless told.
    package static let usualSpan: UInt64 = 86_400

    package init(session: Session, journal: Journal) {
        self.session = session
        self.journal = journal
    }

    /// The trades from a time on, the latest first.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970; nil is a day before the latest block.
    /// - Throws: `DexError`: an unknown or malformed pair, `decimals-mismatch`, or as
    ///   `MarketSync.read`.
    package func load(
        pairText: String,
        since: UInt64? = nil
    ) async throws(DexError) -> TradesState {
        let pair = try await TokenResolver(session: session).confirmedPair(pairText)
        let start = since.map { MarketStart.time($0) } ?? .span(Self.usualSpan)
        let (plan, rows) = try await MarketSync(session: session, journal: journal)
            .trades(of: pair, from: start)
        return TradesState(
            pair: pair,
            block: plan.head.number,
            since: plan.time,
            rows: rows.reversed(),
            summary: MarketSummary(rows)
        )
    }
}

package struct TradesState: Sendable {
    package let pair: Pair
    /// The latest block.
    package let block: UInt64
    /// Seconds since 1970.
    package let since: UInt64
    /// The latest first.
    package var rows: [TapeTrade]
    /// Of all trades since then, shown or not.
    package let summary: MarketSummary
}

/// The sums of some trades of a pair.
package struct MarketSummary: Equatable, Sendable {
    package let trades: Int
    /// Base units that changed hands; the most that 256 bits hold if it is more.
    package let base: UInt256
    package let quote: UInt256
    /// Of the latest trade with a price; nil without one.
    package let last: Price?

    /// - Parameter trades: the oldest first.
    package init(_ trades: [TapeTrade]) {
        self.trades = trades.count
        base = trades.reduce(.zero) { $0.addingSaturating($1.base) }
        quote = trades.reduce(.zero) { $0.addingSaturating($1.quote) }
        last = trades.lazy.reversed().compactMap(\.price).first
    }
}

extension MarketSync {
    /// The trades of a pair from a time on, by block and log.
    ///
    /// - Throws: as `plan` and `fills`.
    func trades(
        of pair: Pair,
        from start: MarketStart
    ) async throws(DexError) -> (plan: Plan, trades: [TapeTrade]) {
        let plan = try await plan(from: start)
        return (plan, try await trades(of: pair, plan))
    }

    func trades(of pair: Pair, _ plan: Plan) async throws(DexError) -> [TapeTrade] {
        try await fills(of: plan, tokens: (pair.base.address, pair.quote.address))
            .compactMap { TapeTrade($0, of: pair) }
    }
}
