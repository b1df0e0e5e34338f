import StrictJSON

/// The members of an object that is read straight from a text.
protocol ScannedField: CaseIterable {
    /// As it is written.
    var name: StaticString { get }
}

/// The members as the last object had them: a relay writes all its orders alike.
struct ScannedFields<Field: ScannedField> {
    private var layout: [Field] = []

    /// The member whose name comes next, most likely the one of the last object; nil for another.
    ///
    /// - Parameter number: how many members of the object came before.
    mutating func next(number: Int, _ cursor: inout JSONCursor) -> Field? {
        if number < layout.count, cursor.take(name: layout[number].name) { return layout[number] }
        guard let field = Field.allCases.first(where: { cursor.take(name: $0.name) }) else {
            return nil
        }
        layout.removeSubrange(min(number, layout.count)...)
        layout.append(field)
        return field
    }
}

extension JSONCursor {
    /// The elements of an array; nil where one of them is not read.
    mutating func list<Element>(_ element: (inout JSONCursor) -> Element?) -> [Element]? {
        guard take("[") else { return nil }
        var elements: [Element] = []
        if take("]") { return elements }
        repeat {
            guard let next = element(&self) else { return nil }
            elements.append(next)
        } while take(",")
        return take("]") ? elements : nil
    }
}
