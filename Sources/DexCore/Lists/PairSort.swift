package import Ethereum
import ZeroEx

/// The keys of `dex pairs`.
package enum PairSort: String, ListSort {
    /// By name.
    case pair
    /// The narrowest first.
    case spread
    /// By QUOTE, the deepest first.
    case depth
    /// By QUOTE, the largest volume of QUOTE first.
    case volume
    /// The most trades first.
    case trades

    package func precedes(_ first: PairsState.Row, _ second: PairsState.Row) -> Bool {
        switch self {
        case .pair: ListComparison.pairs(first.pair, second.pair) ?? false
        case .spread:
            ListComparison.precedes(
                first.book?.spreadBasisPoints,
                second.book?.spreadBasisPoints,
                by: <
            )
        case .depth:
            Self.quotes(first, second) ?? ListComparison.precedes(first.depth, second.depth, by: >)
        case .volume:
            Self.quotes(first, second)
                ?? ListComparison.precedes(first.volume?.quote, second.volume?.quote, by: >)
        case .trades: ListComparison.precedes(first.volume?.trades, second.volume?.trades, by: >)
        }
    }

    /// Amounts of different tokens have different units; nil for the same QUOTE.
    private static func quotes(_ first: PairsState.Row, _ second: PairsState.Row) -> Bool? {
        let (one, other) = (first.pair.quote, second.pair.quote)
        guard one.address != other.address else { return nil }
        return ListComparison.tokens(one, other)
    }
}

extension PairsState.Row {
    /// Base units of QUOTE that can be taken within 2 % of the best prices, both sides together.
    package var depth: UInt256? {
        book.map { $0.bidDepth.addingSaturating($0.askDepth) }
    }
}
