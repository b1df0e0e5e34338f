package import Ethereum
import ZeroEx

extension OrdersState.Row {
    /// Base units of BASE that the whole order buys or sells.
    package var base: UInt256 { side == .sell ? maker.raw : taker.raw }

    /// What can be filled now, in hundredths of a percent of the whole; at most 10,000.
    package var fillableShare: UInt64 { share(ofTaker: fillable) }

    /// It comes before another order of the best first: by pair, what can be filled now, sell orders
    /// before buy orders, each side by what a taker takes first.
    package func isBetter(than other: Self) -> Bool {
        if let order = ListComparison.pairs(pair, other.pair) { return order }
        guard standing.isFillable == other.standing.isFillable else { return standing.isFillable }
        guard side == other.side else { return side == .sell }
        return side == .sell ? price < other.price : price > other.price
    }
}

extension PairsState.Row {
    /// Base units of QUOTE that can be taken within 2 % of the best prices, both sides together.
    package var depth: UInt256? {
        book.map { $0.bidDepth.addingSaturating($0.askDepth) }
    }
}
