import StrictJSON

/// The members of an object that is scanned directly from a text.
protocol ScannedField: CaseIterable, Sendable {
    /// The name in the text.
    var name: StaticString { get }
}

/// The member order of the last object: a relay writes all its orders alike.
struct ScannedFields<Field: ScannedField>: Sendable {
    private var layout: [Field]

    /// - Parameter layout: the order that is expected of the first object.
    init(layout: [Field] = []) {
        self.layout = layout
    }

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
    /// The orders of an array; nil if one of them cannot be read.
    ///
    /// - Parameters:
    ///   - size: so many are made together, since they are hashed together.
    ///   - parts: reads what an order is made of.
    ///   - joined: makes them; nil if one contradicts itself.
    mutating func orders<Parts>(
        _ size: Int,
        _ parts: (inout JSONCursor) -> Parts?,
        joined: ([Parts]) -> [any SignedOrder]?
    ) -> [any SignedOrder]? {
        guard take("[") else { return nil }
        var orders: [any SignedOrder] = []
        if take("]") { return orders }
        var pending: [Parts] = []
        pending.reserveCapacity(size)
        var isLast = false
        repeat {
            guard let next = parts(&self) else { return nil }
            pending.append(next)
            isLast = !take(",")
            if isLast || pending.count == size {
                guard let made = joined(pending) else { return nil }
                orders += made
                pending.removeAll(keepingCapacity: true)
            }
        } while !isLast
        return take("]") ? orders : nil
    }
}
