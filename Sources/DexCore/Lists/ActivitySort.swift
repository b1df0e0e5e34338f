import DexStore
import Ethereum

/// The keys of `dex activity`.
package enum ActivitySort: String, ListSort {
    /// The latest first.
    case time
    case kind
    /// By symbol, the largest amount first.
    case amount
    /// By name, then by address; unknown ones last.
    case counterparty

    package func precedes(_ first: ActivityState.Row, _ second: ActivityState.Row) -> Bool {
        switch self {
        // Rows come in this order, and equal ones keep theirs.
        case .time: false
        case .kind: first.kind.rawValue < second.kind.rawValue
        case .amount:
            if first.currency.symbol != second.currency.symbol {
                first.currency.symbol < second.currency.symbol
            } else {
                ListComparison.precedes(first.amount, second.amount, by: >)
            }
        case .counterparty:
            ListComparison.precedes(Self.name(first), Self.name(second), by: <)
        }
    }

    private static func name(_ row: ActivityState.Row) -> String? {
        row.counterpartyName ?? row.counterparty?.lowercaseHex
    }
}
