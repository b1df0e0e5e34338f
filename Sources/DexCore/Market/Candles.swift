import DexStore
package import Ethereum
package import ZeroEx

/// The trades of one interval.
package struct Candle: Equatable, Sendable {
    /// Its first second since 1970; a multiple of the interval.
    package let start: UInt64
    /// The prices of the first, highest, lowest and last trade; nil if none has a price.
    package let prices: Prices?
    /// Base units of BASE and QUOTE that changed hands; the most that 256 bits hold if it is more.
    package let base: UInt256
    package let quote: UInt256
    package let trades: Int

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
    /// Prices are those of the trades themselves, never rounded. A trade without a price counts for
    /// the volume only. Example: with an interval of 3600, trades at 7199 and 7200 are in the
    /// candles that start at 3600 and 7200.
    ///
    /// - Parameters:
    ///   - trades: by block and log, so that times never decrease.
    ///   - interval: seconds; 0 counts as 1.
    package static func make(_ trades: [TapeTrade], interval: UInt64) -> [Candle] {
        var candles: [Candle] = []
        for trade in trades {
            let start = trade.fill.time - trade.fill.time % max(1, interval)
            if let last = candles.last, last.start == start {
                candles[candles.count - 1] = last.adding(trade)
            } else {
                let empty = Candle(start: start, prices: nil, base: 0, quote: 0, trades: 0)
                candles.append(empty.adding(trade))
            }
        }
        return candles
    }
}

extension Candle {
    fileprivate func adding(_ trade: TapeTrade) -> Candle {
        var prices = prices
        if let price = trade.price {
            prices =
                prices.map { before in
                    Prices(
                        open: before.open,
                        high: max(before.high, price),
                        low: min(before.low, price),
                        close: price
                    )
                } ?? Prices(open: price, high: price, low: price, close: price)
        }
        return Candle(
            start: start,
            prices: prices,
            base: base.addingSaturating(trade.base),
            quote: quote.addingSaturating(trade.quote),
            trades: trades + 1
        )
    }
}
