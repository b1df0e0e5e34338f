import DexCore
package import StrictJSON

/// A field of a row: its name in JSON, what it is, and where it comes from, once.
///
/// `Field("maker", "Who made the order", \.order.maker)` has the shape of an address, since an
/// `Address` knows its own (`AnswerValue`).
package struct Field<Row>: Sendable {
    package let name: String
    package let shape: Shape
    /// What it is, and its unit; a sentence without its full stop.
    package let about: String
    /// Some rows have no such key.
    package let isOptional: Bool
    /// nil leaves the key out.
    let json: @Sendable (Row) -> JSONValue?
    /// Its columns in CSV.
    var columns: [CSVColumn<Row>] = []
    /// Its columns on the screen.
    var screenColumns: [ScreenColumn<Row>] = []
    /// The keys of `--sort` that compare rows by it.
    private(set) var sorts: [SortKey<Row>] = []
    /// Of a list: its rows as CSV.
    private(set) var table: (@Sendable (Row) -> CSV)?
    /// The titles of the columns of that.
    private(set) var header: [String] = []

    /// A value that knows its JSON.
    ///
    /// - Parameter shape: of a value that is more than its type says, such as a time; null is added
    ///   where the value may be missing.
    package init<Value: AnswerValue>(
        _ name: String,
        _ about: String,
        as shape: Shape? = nil,
        _ value: @escaping @Sendable (Row) -> Value
    ) {
        self.init(name, Value.shape(as: shape), about) { value($0).json }
    }

    /// A value whose JSON is told.
    package init(
        json name: String,
        _ about: String,
        _ shape: Shape,
        _ json: @escaping @Sendable (Row) -> JSONValue
    ) {
        self.init(name, shape, about, json: json)
    }

    /// A key that only some rows have.
    package init<Value: AnswerValue>(
        optional name: String,
        _ about: String,
        as shape: Shape? = nil,
        _ value: @escaping @Sendable (Row) -> Value?
    ) {
        self.init(name, Value.shape(as: shape), about, isOptional: true) { value($0)?.json }
    }

    /// An object.
    package init<Part>(
        _ name: String,
        _ about: String,
        object fields: Fields<Part>,
        _ part: @escaping @Sendable (Row) -> Part
    ) {
        self.init(name, fields.shape, about) { fields(part($0)) }
    }

    /// An object, or null.
    package init<Part>(
        _ name: String,
        _ about: String,
        nullable fields: Fields<Part>,
        _ part: @escaping @Sendable (Row) -> Part?
    ) {
        self.init(name, fields.shape.orNull, about) { row in
            part(row).map { fields($0) } ?? .null
        }
    }

    /// A list of objects.
    package init<Part>(
        _ name: String,
        _ about: String,
        list fields: Fields<Part>,
        _ parts: @escaping @Sendable (Row) -> [Part]
    ) {
        self.init(name, .list(fields.shape), about) { fields(parts($0)) }
        header = fields.header
        if !header.isEmpty { table = { fields.csv(parts($0)) } }
    }

    init(
        _ name: String,
        _ shape: Shape,
        _ about: String,
        isOptional: Bool = false,
        json: @escaping @Sendable (Row) -> JSONValue?
    ) {
        self.name = name
        self.shape = shape
        self.about = about
        self.isOptional = isOptional
        self.json = json
    }

    /// Gives the field a key of `--sort`.
    ///
    /// - Parameter precedes: in the key's usual direction; equal rows keep their order.
    package func sorted(
        _ key: String,
        _ precedes: @escaping @Sendable (Row, Row) -> Bool
    ) -> Self {
        var field = self
        field.sorts.append(SortKey(key, precedes))
        return field
    }

    /// The same by a value that may be unknown: such rows come last.
    package func sorted<Value: Comparable & SendableMetatype>(
        _ key: String,
        _ first: SortEnd,
        _ value: @escaping @Sendable (Row) -> Value?
    ) -> Self {
        sorted(key) { one, other in
            switch first {
            case .lowest: ListComparison.precedes(value(one), value(other), by: <)
            case .highest: ListComparison.precedes(value(one), value(other), by: >)
            }
        }
    }

    var member: Shape.Member { .init(name, shape, about, isOptional: isOptional) }

    /// The same field of a row that a larger one has.
    func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row) -> Field<Whole> {
        let json = json
        var field = Field<Whole>(name, shape, about, isOptional: isOptional) { json(part($0)) }
        field.columns = columns.map { $0.of(part) }
        field.screenColumns = screenColumns.map { $0.of(part) }
        field.sorts = sorts.map { $0.of(part) }
        return field
    }
}

/// Which rows a key of `--sort` has first.
package enum SortEnd: Sendable {
    case lowest
    case highest
}
