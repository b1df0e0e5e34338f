import DexStore
import Ethereum
package import ZeroEx

/// A pair of a relay with the trades of the newest blocks.
package struct MarketRow: Sendable {
    package let pair: Pair
    /// Of the last trade; nil without one.
    package let price: Price?
    package let summary: MarketSummary
}

/// The pairs of a network.
package struct MarketList: Sendable {
    package let network: String
    /// The most traded first.
    package let rows: [MarketRow]
    /// Why there are none; a sentence.
    package let problem: String?
}

/// A pair's book, candles and trades.
package struct MarketOverview: Sendable {
    package let network: String
    package let book: OrderbookState
    package let chart: ChartState
    /// The newest first.
    package let trades: [TapeTrade]
}

/// Reads the markets of one network.
package struct MarketOverviewModel: Sendable {
    private let session: Session
    private let recent: RecentFills

    /// The most candles.
    package static let candles: UInt64 = 60
    /// The most trades that are listed.
    package static let trades = 30
    /// The lengths of candles in seconds.
    package static let intervals: [UInt64] = [60, 300, 900, 3_600, 14_400, 86_400]

    package init(_ session: Session, _ recent: RecentFills) {
        self.session = session
        self.recent = recent
    }

    /// The relay's pairs; a relay that does not answer is no error.
    package func list() async -> MarketList {
        do throws(DexError) {
            let pairs = try await PairsModel(session: session).load().rows.map(\.pair)
            let fills = try await recent.read().fills
            let rows = pairs.map { pair in
                let trades = fills.compactMap { TapeTrade($0, of: pair) }
                return MarketRow(
                    pair: pair,
                    price: trades.last { $0.price != nil }?.price,
                    summary: MarketSummary(trades)
                )
            }
            let sorted = rows.enumerated().sorted { left, right in
                // Sorting is not stable, so the relay's order is part of the comparison.
                (right.element.summary.trades, left.offset)
                    < (left.element.summary.trades, right.offset)
            }
            return MarketList(
                network: session.network.name,
                rows: sorted.map(\.element),
                problem: nil
            )
        } catch {
            return MarketList(network: session.network.name, rows: [], problem: error.message)
        }
    }

    /// A market.
    ///
    /// - Parameters:
    ///   - pairText: `BASE/QUOTE`, symbols or addresses.
    ///   - interval: of a candle, one of `intervals`; nil is the shortest one with which all read
    ///     trades fit into the candles.
    /// - Throws: `DexError`: an unknown or malformed pair, no relay, or the error of a read.
    package func load(
        pairText: String,
        interval: UInt64? = nil
    ) async throws(DexError) -> MarketOverview {
        let book = try await OrderbookModel(session: session).load(pairText: pairText)
        let reading = try await recent.read()
        let all = reading.fills.compactMap { TapeTrade($0, of: book.pair) }
        let length = Self.length(interval, reading, all)
        let start = MarketStart.candles(interval: length, count: Self.candles)
            .time(at: reading.head)
        let charted = all.filter { $0.fill.time >= start }
        return MarketOverview(
            network: session.network.name,
            book: book,
            chart: ChartState(
                pair: book.pair,
                block: reading.head.number,
                interval: length,
                since: start,
                until: reading.head.timestamp,
                candles: Candles.make(charted, interval: length),
                summary: MarketSummary(charted)
            ),
            trades: Array(all.suffix(Self.trades).reversed())
        )
    }

    private static func length(
        _ interval: UInt64?,
        _ reading: RecentFills.Reading,
        _ trades: [TapeTrade]
    ) -> UInt64 {
        if let interval, intervals.contains(interval) { return interval }
        let oldest = trades.first?.fill.time ?? reading.head.timestamp
        let span = reading.head.timestamp - min(oldest, reading.head.timestamp)
        return intervals.first { span / $0 < candles - 1 } ?? 86_400
    }
}
