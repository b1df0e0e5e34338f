import Ethereum
import ZeroEx

/// The keys of `dex history`.
package enum HistorySort: String, ListSort {
    /// The latest first.
    case time
    /// By pair, the lowest first.
    case price
    /// By pair, the largest amount of BASE first.
    case amount
    /// By pair, the largest amount of QUOTE first.
    case total
    /// By pair, the largest profit by average cost first.
    case profit

    package func precedes(_ first: HistoryState.Row, _ second: HistoryState.Row) -> Bool {
        if self != .time, let order = ListComparison.pairs(first.pair, second.pair) {
            return order
        }
        return switch self {
        case .time: (first.block, first.logIndex) > (second.block, second.logIndex)
        case .price: ListComparison.precedes(first.price, second.price, by: <)
        case .amount: first.base > second.base
        case .total: first.quote > second.quote
        case .profit: ListComparison.precedes(first.profit?.average, second.profit?.average, by: >)
        }
    }
}
