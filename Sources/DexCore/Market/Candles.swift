import DexStore
package import Ethereum
package import ZeroEx

/// The trades of one interval.
package struct Candle: Equatable, Sendable {
    /// Its first second since 1970; a multiple of the interval.
    package let start: UInt64
    /// The first, highest, lowest and last price; nil if no trade has a price.
    package let prices: Prices?
    /// Base units of BASE and QUOTE that changed hands; the most that 256 bits hold if it is more.
    package let base: UInt256
    package let quote: UInt256
    package let trades: Int

    /// All QUOTE for all BASE: an absurd price of a few units hardly moves it; nil without any.
    package var weighted: Price? {
        guard quote != .zero, base != .max, quote != .max else { return nil }
        return Price(quote: quote, base: base)
    }

    package struct Prices: Equatable, Sendable {
        package let open: Price
        package let high: Price
        package let low: Price
        package let close: Price

        package init(open: Price, high: Price, low: Price, close: Price) {
            self.open = open
            self.high = high
            self.low = low
            self.close = close
        }

        /// The last price is not below the first one.
        package var isRising: Bool { close >= open }
    }
}

/// Sums trades up by intervals.
package enum Candles {
    /// The candles of trades, the oldest first; an interval without a trade has none.
    ///
    /// The highest and the lowest price are those of single trades. The first and the last one are
    /// the exchange's trades, or what blocks left of a pool (`Tape.ends`), of the source that has
    /// most of the QUOTE of all these trades. A trade without a price counts for the volume only.
    /// Example: with an interval of 3600, trades at 7199 and 7200 are in the candles that start at
    /// 3600 and 7200.
    ///
    /// - Parameters:
    ///   - trades: by block and log, so that times never decrease.
    ///   - interval: seconds; 0 counts as 1.
    package static func make(_ trades: [TapeTrade], interval: UInt64) -> [Candle] {
        let main = Tape(trades).main
        var candles: [Candle] = []
        var rest = trades[...]
        while let first = rest.first {
            let start = first.fill.time - first.fill.time % max(1, interval)
            let inside = rest.prefix { $0.fill.time - $0.fill.time % max(1, interval) == start }
            rest = rest.dropFirst(inside.count)
            candles.append(Candle(start: start, Tape(inside, main: main)))
        }
        return candles
    }
}

extension Candle {
    fileprivate init(start: UInt64, _ tape: Tape) {
        let all = tape.trades.compactMap(\.price)
        let volume = tape.volume
        self.init(
            start: start,
            prices: tape.ends.map { ends in
                Prices(
                    open: ends.open,
                    high: all.reduce(max(ends.open, ends.close)) { max($0, $1) },
                    low: all.reduce(min(ends.open, ends.close)) { min($0, $1) },
                    close: ends.close
                )
            },
            base: volume.base,
            quote: volume.quote,
            trades: tape.trades.count
        )
    }
}
