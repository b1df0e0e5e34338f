/// Which rows of a list are shown, and in which order.
package struct ListSelection<Row>: Sendable {
    /// nil keeps the order of the list.
    private let sort: SortKey<Row>?
    private let isReversed: Bool
    /// The most rows; nil is all.
    private let limit: Int?

    package init(sort: SortKey<Row>?, isReversed: Bool, limit: Int?) {
        self.sort = sort
        self.isReversed = isReversed
        self.limit = limit
    }

    /// Leaves the rows that are shown, in their order; equal ones keep theirs.
    ///
    /// - Parameter key: what is compared of an element.
    /// - Returns: the number of rows beyond the limit.
    package func apply<Element>(
        to rows: inout [Element],
        by key: (Element) -> Row
    ) -> Int {
        if let sort { rows.sort { sort.precedes(key($0), key($1)) } }
        if isReversed { rows.reverse() }
        let left = limit.map { max(0, rows.count - max(0, $0)) } ?? 0
        rows.removeLast(left)
        return left
    }

    /// The same for the next part of a list, of which so many rows are shown already.
    package func after(_ shown: Int) -> Self {
        Self(sort: sort, isReversed: isReversed, limit: limit.map { max(0, $0 - shown) })
    }

    /// The same for what contains the rows.
    package func of<Whole>(_ row: @escaping @Sendable (Whole) -> Row) -> ListSelection<Whole> {
        ListSelection<Whole>(sort: sort?.of(row), isReversed: isReversed, limit: limit)
    }

    package func apply(to rows: inout [Row]) -> Int {
        apply(to: &rows, by: \.self)
    }
}
