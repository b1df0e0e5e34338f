import Ethereum
import StrictJSON

/// A column of a list, which a field of its rows has.
///
/// Columns keep their names and places; a new one has the next place.
package struct CSVColumn<Row>: Sendable {
    /// From 0 on.
    let place: Int
    let title: String
    /// The text for a row, with its field's value in JSON.
    let text: @Sendable (Row, JSONValue) -> String

    func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row) -> CSVColumn<Whole> {
        let text = text
        return CSVColumn<Whole>(place: place, title: title) { text(part($0), $1) }
    }
}

extension Field {
    /// Gives the field a column.
    ///
    /// - Parameters:
    ///   - place: from 0 on.
    ///   - path: the keys inside the field's value: `value`, `base.symbol`; empty for the value.
    ///   - fallback: the key in place of the path's last one where that is null.
    ///   - isTime: seconds since 1970, which are written as RFC 3339.
    package func csv(
        _ place: Int,
        _ title: String,
        _ path: String = "",
        else fallback: String? = nil,
        isTime: Bool = false
    ) -> Self {
        let keys = path.split(separator: ".").map(String.init)
        return csv(
            CSVColumn(place: place, title: title) { _, json in
                CSVText.field(json, keys, else: fallback, isTime: isTime)
            }
        )
    }

    /// Gives the field a column with a text of its own.
    package func csv(
        _ place: Int,
        _ title: String,
        _ text: @escaping @Sendable (Row) -> String
    ) -> Self {
        csv(CSVColumn(place: place, title: title) { row, _ in text(row) })
    }

    private func csv(_ column: CSVColumn<Row>) -> Self {
        var field = self
        field.columns.append(column)
        return field
    }
}

extension Fields {
    /// The rows as a table with the columns that the fields have.
    package func csv(_ rows: [Row]) -> CSV {
        CSV(header: columns.map(\.title), rows: rows.map { cells($0) })
    }

    /// The list that a whole answer has, as a table; empty if it has none.
    package func table(_ row: Row) -> CSV {
        fields.lazy.compactMap(\.table).first.map { $0(row) } ?? CSV(header: [], rows: [])
    }

    /// The titles of the columns of that list.
    package var listHeader: [String] { fields.lazy.map(\.header).first { !$0.isEmpty } ?? [] }

    /// The titles of the columns, in their places.
    package var header: [String] { columns.map(\.title) }

    private var columns: [CSVColumn<Row>] {
        fields.flatMap(\.columns).sorted { $0.place < $1.place }
    }

    private func cells(_ row: Row) -> [String] {
        fields.filter { !$0.columns.isEmpty }.flatMap { field in
            let json = field.json(row) ?? .null
            return field.columns.map { ($0.place, $0.text(row, json)) }
        }
        .sorted { $0.0 < $1.0 }.map(\.1)
    }
}

enum CSVText {
    static func field(
        _ json: JSONValue,
        _ path: [String],
        else fallback: String?,
        isTime: Bool
    ) -> String {
        var value: JSONValue? = json
        for key in path.dropLast() { value = value?[key] }
        if let last = path.last {
            let found = value?[last]
            value = found?.isNull == true ? fallback.flatMap { value?[$0] } : found
        }
        guard let value else { return "" }
        return isTime ? time(value) : text(value)
    }

    private static func time(_ value: JSONValue) -> String {
        guard let seconds = UInt256(text(value)) else { return "" }
        return seconds.uint64.map { TimeText.iso($0) } ?? "never"
    }

    /// Several values are separated by spaces; an object has no text.
    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .null, .object: ""
        case .string(let string): isNumber(string) ? string : CSV.text(string)
        case .array(let values):
            values.map { text($0) }.filter { !$0.isEmpty }
                .joined(separator: " ")
        default: value.text
        }
    }

    /// A decimal number, which no spreadsheet takes for a formula.
    private static func isNumber(_ string: String) -> Bool {
        let digits = string.hasPrefix("-") ? string.dropFirst() : string[...]
        return digits.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    }
}
