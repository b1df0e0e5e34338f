/// Which rows of a list are shown, and in which order.
package struct ListSelection<Sort: ListSort>: Sendable {
    /// nil keeps the order of the list.
    private let sort: Sort?
    private let isReversed: Bool
    /// The most rows, from 1 on; nil is all.
    private let limit: Int?

    package init(sort: Sort?, isReversed: Bool, limit: Int?) {
        self.sort = sort
        self.isReversed = isReversed
        self.limit = limit
    }

    /// The rows that are shown; equal ones keep their order.
    ///
    /// - Parameter key: what is compared of an element.
    /// - Returns: the elements, and the number of those beyond the limit.
    package func select<Element>(
        _ elements: [Element],
        by key: (Element) -> Sort.Row
    ) -> (rows: [Element], left: Int) {
        var rows = elements
        if let sort { rows.sort { sort.precedes(key($0), key($1)) } }
        if isReversed { rows.reverse() }
        let shown = Array(rows.prefix(max(1, limit ?? rows.count)))
        return (shown, rows.count - shown.count)
    }

    package func select(_ rows: [Sort.Row]) -> (rows: [Sort.Row], left: Int) {
        select(rows, by: \.self)
    }
}
