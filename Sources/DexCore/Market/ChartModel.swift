package import DexStore
import Ethereum
import ZeroEx

/// `dex chart`: the candles of a pair.
package struct ChartModel: Sendable {
    private let session: Session
    private let journal: Journal

    /// Candles unless a time is named, the running one included.
    package static let usualCount: UInt64 = 60
    /// The most intervals of one chart, with or without trades.
    package static let maximumCandles: UInt64 = 2_000

    package init(session: Session, journal: Journal) {
        self.session = session
        self.journal = journal
    }

    /// The candles up to the latest block.
    ///
    /// - Parameters:
    ///   - interval: seconds of a candle.
    ///   - since: seconds since 1970; nil is the last 60 intervals. The first candle begins at or
    ///     before it, and is whole.
    /// - Throws: `DexError`: an unknown or malformed pair, `decimals-mismatch`, exit 2
    ///   `too-many-candles`, or as `MarketSync.read`.
    package func load(
        pairText: String,
        interval: UInt64,
        since: UInt64? = nil
    ) async throws(DexError) -> ChartState {
        if let since {
            let now = session.environment.now()
            let count = (now - min(now, since)) / max(1, interval)
            guard count < Self.maximumCandles else {
                throw InputError.tooManyCandles(count, maximum: Self.maximumCandles)
            }
        }
        let pair = try await TokenResolver(session: session).confirmedPair(pairText)
        let start =
            since.map { MarketStart.time($0 - $0 % max(1, interval)) }
            ?? .candles(interval: interval, count: Self.usualCount)
        let (plan, trades) = try await MarketSync(session: session, journal: journal)
            .trades(of: pair, from: start)
        return ChartState(pair, plan, trades, interval: interval)
    }
}

package struct ChartState: Sendable {
    package let pair: Pair
    /// The latest block.
    package let block: UInt64
    /// Seconds of a candle.
    package let interval: UInt64
    /// The start of the first interval and the time of the latest block, in seconds since 1970.
    package let since: UInt64
    package let until: UInt64
    /// The oldest first; an interval without trades has none.
    package let candles: [Candle]
    package let summary: MarketSummary
}

extension ChartState {
    init(
        _ pair: Pair,
        _ plan: MarketSync.Plan,
        _ trades: [TapeTrade],
        interval: UInt64
    ) {
        self.init(
            pair: pair,
            block: plan.head.number,
            interval: interval,
            since: plan.time,
            until: plan.head.timestamp,
            candles: Candles.make(trades, interval: interval),
            summary: MarketSummary(trades)
        )
    }

    /// Each interval from the first to the running one; nil is a gap.
    package var slots: [Candle?] {
        let step = max(1, interval)
        let count = min((until - min(since, until)) / step, 100_000) + 1
        var slots = [Candle?](repeating: nil, count: Int(count))
        for candle in candles where candle.start >= since {
            let index = (candle.start - since) / step
            if index < count { slots[Int(index)] = candle }
        }
        return slots
    }
}
