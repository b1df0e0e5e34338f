package import DexCore
package import StrictJSON

/// All fields of a row, in the order that they have in JSON.
package struct Fields<Row>: Sendable {
    package let fields: [Field<Row>]
    /// Its name among the objects that several answers share; nil for one of its own.
    private let name: String?
    private let about: String

    package init(@FieldsBuilder<Row> _ fields: () -> [Field<Row>]) {
        self.init(fields(), name: nil, about: "")
    }

    /// An object that several answers have, which `$defs` has once.
    package init(
        named name: String,
        _ about: String,
        @FieldsBuilder<Row> _ fields: () -> [Field<Row>]
    ) {
        self.init(fields(), name: name, about: about)
    }

    private init(_ fields: [Field<Row>], name: String?, about: String) {
        self.fields = fields
        self.name = name
        self.about = about
    }

    package var shape: Shape {
        let object = Shape.object(fields.map(\.member))
        return name.map { .named(NamedShape($0, about, object)) } ?? object
    }

    /// The keys of `--sort`, in the order of the fields.
    package var sorts: [SortKey<Row>] { fields.flatMap(\.sorts) }

    package func callAsFunction(_ row: Row) -> JSONValue {
        var object = JSONObject()
        for field in fields { object[field.name] = field.json(row) }
        return .object(object)
    }

    package func callAsFunction(_ rows: [Row]) -> JSONValue {
        .array(rows.map { self($0) })
    }

    /// The same fields of a part of a larger row.
    package func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row) -> Fields<Whole> {
        Fields<Whole>(fields.map { $0.of(part) }, name: name, about: about)
    }
}

/// Writes the fields below one another, each checked by the compiler on its own.
@resultBuilder
package enum FieldsBuilder<Row> {
    package static func buildExpression(_ field: Field<Row>) -> [Field<Row>] { [field] }

    /// All fields of another description, in this place.
    package static func buildExpression(_ fields: Fields<Row>) -> [Field<Row>] { fields.fields }

    package static func buildBlock(_ parts: [Field<Row>]...) -> [Field<Row>] {
        parts.flatMap(\.self)
    }
}
