import DexCore
import Ethereum
import ZeroEx

/// Places prices between the lowest and the highest one of a chart, in integers.
struct PriceScale {
    private let pair: Pair
    private let places: Int
    private let low: UInt256
    private let span: UInt256

    /// Significant digits of the highest price that a place depends on.
    private static let digits = 12

    /// nil without a price.
    init?(of prices: [Price], _ pair: Pair) {
        guard let highest = prices.max(), let lowest = prices.min() else { return nil }
        let ratio = Ratio(highest, base: pair.base, quote: pair.quote)
        let places = max(0, Self.digits - 1 - (ratio.exponent ?? 0))
        guard let high = ratio.scaled(places: places, rounding: .nearest),
            let low = Ratio(lowest, base: pair.base, quote: pair.quote)
                .scaled(places: places, rounding: .nearest)
        else { return nil }
        self.pair = pair
        self.places = places
        self.low = min(low, high)
        span = high - min(low, high)
    }

    /// nil without a candle.
    init?(_ candles: [Candle.Prices], _ pair: Pair) {
        self.init(of: candles.map(\.high) + candles.map(\.low), pair)
    }

    /// The place of a price among so many, from 0 for the lowest one; the middle if all are equal.
    func place(of price: Price, among count: Int) -> Int {
        let last = max(0, count - 1)
        guard span != .zero else { return last / 2 }
        let value =
            Ratio(price, base: pair.base, quote: pair.quote)
            .scaled(places: places, rounding: .nearest) ?? .max
        let above = min(value - min(value, low), span)
        // Half a step is added, so that the nearest place is taken.
        let doubled = UInt256.mulDiv(above, UInt256(UInt64(last) * 2), span)?.quotient ?? .zero
        return Int(clamping: ((doubled + 1) / 2).w0)
    }
}

/// One line of eighths: a price or an amount for each column.
enum Sparkline {
    private static let blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// A gap: no space, at which a line would be wrapped.
    static let gap = "·"

    /// The last prices of candles; a dot where nothing was traded.
    static func text(_ slots: [Candle?], _ pair: Pair) -> String {
        guard let scale = PriceScale(slots.compactMap { $0?.prices }, pair) else { return "" }
        return slots.map { slot in
            guard let prices = slot?.prices else { return gap }
            return blocks[scale.place(of: prices.close, among: blocks.count)]
        }.joined()
    }

    /// The part of a column of blocks in one of its rows, counted from below.
    static func block(_ eighths: Int, row: Int) -> String {
        let here = min(max(eighths - row * 8, 0), 8)
        return here == 0 ? " " : blocks[here - 1]
    }
}
