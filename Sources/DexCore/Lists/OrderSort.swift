package import Ethereum
import ZeroEx

/// The keys of `dex orders`.
package enum OrderSort: String, ListSort {
    /// By pair; what can be filled now first, sell orders before buy orders, each side by what a
    /// taker takes first.
    case best
    /// By pair, the lowest first.
    case price
    /// By pair, the largest amount of BASE first.
    case amount
    /// The largest share that can be filled first.
    case left
    /// The soonest first.
    case expires

    package func precedes(_ first: OrdersState.Row, _ second: OrdersState.Row) -> Bool {
        switch self {
        case .best: Self.isBetter(first, second)
        case .price:
            ListComparison.pairs(first.pair, second.pair) ?? (first.price < second.price)
        case .amount:
            ListComparison.pairs(first.pair, second.pair) ?? (first.base > second.base)
        case .left: first.fillableShare > second.fillableShare
        case .expires: first.order.expiry < second.order.expiry
        }
    }

    private static func isBetter(_ first: OrdersState.Row, _ second: OrdersState.Row) -> Bool {
        if let order = ListComparison.pairs(first.pair, second.pair) { return order }
        guard first.standing.isFillable == second.standing.isFillable else {
            return first.standing.isFillable
        }
        guard first.side == second.side else { return first.side == .sell }
        return first.side == .sell ? first.price < second.price : first.price > second.price
    }
}

extension OrdersState.Row {
    /// Base units of BASE that the whole order buys or sells.
    package var base: UInt256 { side == .sell ? maker.raw : taker.raw }

    /// What can be filled now, in hundredths of a percent of the whole; at most 10,000.
    package var fillableShare: UInt64 { share(ofTaker: fillable) }
}
