package import Ethereum

/// Comparisons of rows in which something may be unknown.
package enum ListComparison {
    /// What is unknown comes last.
    ///
    /// - Parameter order: `<` for the smaller first, `>` for the larger.
    package static func precedes<Value: Comparable>(
        _ first: Value?,
        _ second: Value?,
        by order: (Value, Value) -> Bool
    ) -> Bool {
        guard let first else { return false }
        return second.map { order(first, $0) } ?? true
    }

    /// The order of two tokens by symbol, then by address.
    package static func tokens(_ first: Token, _ second: Token) -> Bool {
        (first.symbol, first.address) < (second.symbol, second.address)
    }

    /// The order of two pairs by name, then by address; nil for the same pair.
    ///
    /// Prices and amounts of different pairs have different units.
    package static func pairs(_ first: Pair, _ second: Pair) -> Bool? {
        let (one, other) = (Self.key(first), Self.key(second))
        return one == other ? nil : one < other
    }

    private static func key(_ pair: Pair) -> (String, Address, Address) {
        (pair.name, pair.base.address, pair.quote.address)
    }
}
