import Ethereum

/// Comparisons of rows in which something may be unknown.
enum ListComparison {
    /// The larger first; what is unknown last.
    static func isLarger<Value: Comparable>(_ first: Value?, _ second: Value?) -> Bool {
        guard let first else { return false }
        return second.map { first > $0 } ?? true
    }

    /// The smaller first; what is unknown last.
    static func isSmaller<Value: Comparable>(_ first: Value?, _ second: Value?) -> Bool {
        guard let first else { return false }
        return second.map { first < $0 } ?? true
    }

    /// The order of two pairs by name, then by address; nil for the same pair.
    ///
    /// Prices and amounts of different pairs have different units.
    static func pairs(_ first: Pair, _ second: Pair) -> Bool? {
        let (one, other) = (Self.key(first), Self.key(second))
        return one == other ? nil : one < other
    }

    private static func key(_ pair: Pair) -> (String, Address, Address) {
        (pair.name, pair.base.address, pair.quote.address)
    }
}
