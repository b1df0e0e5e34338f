package import DexStore
import Ethereum
import ZeroEx

/// The candles of the last day that `dex price` draws beside its figures.
package struct TrendModel: Sendable {
    private let session: Session
    private let journal: Journal
    private let limit: TripLimit?

    /// The most round trips beside the prices of pools alone, which take two.
    package static let maximumTripsOfPools = 3

    private static let interval: UInt64 = 3_600
    private static let count: UInt64 = 24
    /// No more blocks than one request takes: a price must not wait for a long reading.
    static let maximumBlocks = LogPageSize.usual

    /// - Parameter maximumTrips: round trips to the node one after another; nil for any number.
    package init(session: Session, journal: Journal, maximumTrips: Int? = nil) {
        limit = maximumTrips.map { TripLimit(session.chain, maximum: $0) }
        var session = session
        if let limit { session.chain = limit }
        self.session = session
        self.journal = journal
    }

    /// The last 24 hourly candles.
    ///
    /// - Returns: nil if more than 10,000 blocks would have to be read first, as `dex chart` does,
    ///   or more round trips were needed than allowed, and if they cannot be read: that is only
    ///   reported as progress.
    package func load(pairText: String) async -> ChartState? {
        // A network with a swap API alone has no events that are read.
        guard session.network.hasExchange || session.network.pools != nil else { return nil }
        let sync = MarketSync(session: session, journal: journal)
        do throws(DexError) {
            let resolver = TokenResolver(session: session)
            let named = try await resolver.pair(pairText)
            async let confirming = Result { () async throws(DexError) in
                try await resolver.confirmed(named)
            }
            let plan = try await sync.plan(
                from: .candles(interval: Self.interval, count: Self.count),
                pools: MarketSync.pools(of: named)
            )
            guard plan.unread <= Self.maximumBlocks else { return nil }
            let pair = try await confirming.get()
            let trades = try await sync.trades(of: pair, plan)
            return ChartState(pair, plan, trades, interval: Self.interval)
        } catch {
            if limit?.isExceeded == true { return nil }
            session.environment.progress(error.message)
            return nil
        }
    }
}
