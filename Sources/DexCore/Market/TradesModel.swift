package import DexStore
package import Ethereum
import Uniswap
package import ZeroEx

/// `dex trades`: what was traded of a pair on chain, whoever traded.
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
    /// The last one, as of a candle (`Tape.ends`); nil without one.
    package let last: Price?

    /// - Parameter trades: the oldest first.
    package init(_ trades: [TapeTrade]) {
        let tape = Tape(trades)
        self.trades = trades.count
        (base, quote) = tape.volume
        last = tape.ends?.close
    }
}

extension MarketSync {
    /// The trades of a pair from a time on, by block and log.
    ///
    /// - Throws: as `plan` and `read`.
    func trades(
        of pair: Pair,
        from start: MarketStart
    ) async throws(DexError) -> (plan: Plan, trades: [TapeTrade]) {
        let plan = try await plan(from: start, pools: Self.pools(of: pair))
        return (plan, try await trades(of: pair, plan))
    }

    func trades(of pair: Pair, _ plan: Plan) async throws(DexError) -> [TapeTrade] {
        let tokens = (pair.base.address, pair.quote.address)
        return try await read(plan, tokens: tokens).tape(of: pair, plan)
    }

    /// The pools that a pair may have.
    static func pools(of pair: Pair) -> [PoolID] {
        PoolCandidates.kinds.compactMap { PoolID(pair.base.address, pair.quote.address, $0) }
    }
}

extension MarketSync.Reading {
    /// The trades of a pair, by block and log.
    func tape(of pair: Pair, _ plan: MarketSync.Plan) -> [TapeTrade] {
        let fills = fills.compactMap { TapeTrade($0, of: pair) }
        let pooled = plan.sources.pools.flatMap { contract, pool in
            (pools[contract] ?? []).compactMap {
                TapeTrade($0, in: pool, at: contract, of: pair)
            }
        }
        guard !pooled.isEmpty else { return fills }
        return (fills + pooled).sorted {
            ($0.fill.block, $0.fill.logIndex) < ($1.fill.block, $1.fill.logIndex)
        }
    }
}
