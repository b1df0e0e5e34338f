package import DexStore
import Ethereum
import ZeroEx

/// The candles of the last day that `dex price` draws beside its figures.
package struct TrendModel: Sendable {
    private let session: Session
    private let journal: Journal

    private static let interval: UInt64 = 3_600
    private static let count: UInt64 = 24
    /// No more blocks than one request takes: a price must not wait for a long reading.
    static let mostBlocks = LogPageSize.usual

    package init(session: Session, journal: Journal) {
        self.session = session
        self.journal = journal
    }

    /// The last 24 hourly candles.
    ///
    /// - Returns: nil if more than 10,000 blocks would have to be read first, as `dex chart` does,
    ///   and if they cannot be read: that is only reported as progress.
    package func load(pairText: String) async -> ChartState? {
        // A network with a swap API alone has no events that are read.
        guard session.network.hasExchange || session.network.pools != nil else { return nil }
        let sync = MarketSync(session: session, journal: journal)
        do throws(DexError) {
            let pair = try await TokenResolver(session: session).confirmedPair(pairText)
            let plan = try await sync.plan(
                from: .candles(interval: Self.interval, count: Self.count),
                pools: MarketSync.pools(of: pair)
            )
            guard plan.unread <= Self.mostBlocks else { return nil }
            let trades = try await sync.trades(of: pair, plan)
            return ChartState(pair, plan, trades, interval: Self.interval)
        } catch {
            session.environment.progress(error.message)
            return nil
        }
    }
}
