package import DexCore
import Ethereum
package import ZeroEx

/// The prices of one book, its spread and its mid, the same on every screen.
package struct BookPriceText {
    private let pair: Pair
    /// Decimals: six significant digits of the best price, more if bid and ask would look equal.
    private let places: Int
    private let bid: Price?
    private let ask: Price?
    private let middle: Price?

    /// What lies between the best prices.
    enum Spread {
        case noBook
        case noBids
        case noAsks
        case unknown
        case crossed
        /// In QUOTE, and hundredths of a percent of the middle.
        case width(String, basisPoints: UInt64?)
    }

    /// - Parameters:
    ///   - bid: the best one; nil without any.
    ///   - ask: the best one; nil without any.
    ///   - shown: the first prices on the screen, which decide the decimals where there is no best.
    init(pair: Pair, bid: Price?, ask: Price?, mid: Price?, shown: [Price]) {
        self.pair = pair
        self.bid = bid
        self.ask = ask
        middle = mid
        let best = [ask, bid].compactMap(\.self)
        let ratios = (best.isEmpty ? shown : best).map {
            Ratio($0, base: pair.base, quote: pair.quote)
        }
        places = Self.places(ratios)
    }

    package init(_ book: OrderbookState) {
        self.init(
            pair: book.pair,
            // A raw book is unverified: its first rows are the relay's claims.
            bid: book.isRaw ? book.bids.first?.price : book.bid,
            ask: book.isRaw ? book.asks.first?.price : book.ask,
            mid: book.mid,
            shown: [book.asks.first?.price, book.bids.first?.price].compactMap(\.self)
        )
    }

    init(_ pools: PoolBook) {
        let (bid, ask) = (pools.bid, pools.ask)
        self.init(
            pair: pools.pair,
            bid: bid,
            ask: ask,
            mid: pools.mid,
            shown: [pools.asks.first?.price, pools.bids.first?.price].compactMap(\.self)
        )
    }

    init(_ book: LiveBook) {
        self.init(
            pair: book.pair,
            bid: book.bids.best,
            ask: book.asks.best,
            mid: book.mid,
            shown: [book.asks, book.bids].compactMap { $0.entries.first { _ in true }?.price }
        )
    }

    private static func places(_ ratios: [Ratio]) -> Int {
        guard let first = ratios.first else { return 2 }
        var places = NumberText.places(for: first)
        guard ratios.count == 2 else { return places }
        let limit = places + 6
        while places < limit,
            ratios[0].text(places: places, rounding: .nearest)
                == ratios[1].text(places: places, rounding: .nearest)
        { places += 1 }
        return places == limit ? limit - 6 : places
    }

    /// The best prices; `-` for none.
    var best: (bid: String, ask: String) { (text(bid), text(ask)) }

    /// `-` for nil.
    package func text(_ price: Price?, _ rounding: Ratio.Rounding = .nearest) -> String {
        price.map { ratio($0).text(places: places, rounding: rounding) } ?? "-"
    }

    /// A row's price: rounding never shows an ask cheaper or a bid higher than it is.
    package func text(_ price: Price, of side: TradeSide) -> String {
        text(price, side == .buy ? .up : .down)
    }

    /// With one more decimal than the best prices; nil without one.
    package var mid: String? {
        middle.map { ratio($0).text(places: places + 1, rounding: .nearest) }
    }

    var spread: Spread {
        guard let bid, let ask else {
            return bid == nil ? ask == nil ? .noBook : .noBids : .noAsks
        }
        let scale = places + 4
        guard let low = ratio(bid).scaled(places: scale, rounding: .nearest),
            let high = ratio(ask).scaled(places: scale, rounding: .nearest)
        else { return .unknown }
        let (difference, isCrossed) = high.subtractingReportingOverflow(low)
        if isCrossed { return .crossed }
        return .width(
            Ratio(difference, decimals: UInt8(clamping: scale))
                .text(places: places, rounding: .nearest),
            basisPoints: BookSpread.basisPoints(bid: bid, ask: ask)
        )
    }

    /// The row between asks and bids: the spread, absolute and in per cent, and the mid if there is
    /// one; or which side lacks orders.
    var spreadParts: [String] {
        let mid = mid.map { ["mid \($0)"] } ?? []
        switch spread {
        case .noBook: return ["no orders that can be filled"]
        case .noBids: return ["no bids that can be filled"]
        case .noAsks: return ["no asks that can be filled"]
        case .unknown: return ["spread unknown"]
        case .crossed: return ["crossed: the best bid is above the best ask"] + mid
        case .width(let width, let basisPoints):
            let share = basisPoints.map { " (\(NumberText.percent(basisPoints: $0)))" } ?? ""
            return ["spread \(width)\(share)"] + mid
        }
    }

    private func ratio(_ price: Price) -> Ratio {
        Ratio(price, base: pair.base, quote: pair.quote)
    }
}
