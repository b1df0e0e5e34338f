/// Which rows of a list are shown, and in which order.
package struct ListSelection<Sort: ListSort>: Sendable {
    /// nil keeps the order of the list.
    private let sort: Sort?
    private let isReversed: Bool
    /// The most rows; nil is all.
    private let limit: Int?

    package init(sort: Sort?, isReversed: Bool, limit: Int?) {
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
        by key: (Element) -> Sort.Row
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

    package func apply(to rows: inout [Sort.Row]) -> Int {
        apply(to: &rows, by: \.self)
    }
}
