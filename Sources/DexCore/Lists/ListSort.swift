/// A key by which the rows of a list are sorted.
package protocol ListSort: RawRepresentable<String>, CaseIterable, Sendable {
    associatedtype Row

    /// One row comes before another in this key's usual direction.
    func precedes(_ first: Row, _ second: Row) -> Bool
}
