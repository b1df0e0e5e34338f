import DexStore
import Ethereum
import ZeroEx

/// The keys of `dex trades`.
package enum TradeSort: String, ListSort {
    /// The latest first.
    case time
    /// The lowest first.
    case price
    /// The largest amount of BASE first.
    case amount
    /// The largest amount of QUOTE first.
    case total

    package func precedes(_ first: TapeTrade, _ second: TapeTrade) -> Bool {
        switch self {
        case .time:
            (first.fill.block, first.fill.logIndex) > (second.fill.block, second.fill.logIndex)
        case .price: ListComparison.precedes(first.price, second.price, by: <)
        case .amount: first.base > second.base
        case .total: first.quote > second.quote
        }
    }
}
