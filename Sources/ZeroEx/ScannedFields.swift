import StrictJSON

/// The members of an object that is scanned directly from a text.
protocol ScannedField: CaseIterable {
    /// The name in the text.
    var name: StaticString { get }
}

/// The member order of the last object: a relay writes all its orders alike.
struct ScannedFields<Field: ScannedField> {
    private var layout: [Field] = []

    /// The next member, most likely the same as in the last object; nil for an unknown name.
    ///
    /// - Parameter number: the number of members before it.
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
    /// The elements of an array; nil if one of them cannot be read.
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
