/// A key by which the rows of a list are sorted.
package struct SortKey<Row>: Sendable {
    /// As `--sort` takes it.
    package let name: String
    /// One row comes before another in this key's usual direction.
    package let precedes: @Sendable (Row, Row) -> Bool

    package init(_ name: String, _ precedes: @escaping @Sendable (Row, Row) -> Bool) {
        self.name = name
        self.precedes = precedes
    }

    /// The same key for what contains the row.
    package func of<Whole>(_ row: @escaping @Sendable (Whole) -> Row) -> SortKey<Whole> {
        let precedes = precedes
        return SortKey<Whole>(name) { precedes(row($0), row($1)) }
    }
}
