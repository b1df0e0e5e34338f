import Ethereum
package import StrictJSON

/// A column of a list, from a key of its rows in JSON.
package struct CSVColumn: Sendable {
    let title: String
    /// The keys that lead to the value: `["price"]`, or `["gives", "value"]`.
    let path: [String]
    /// Seconds since 1970, which are written as RFC 3339.
    let isTime: Bool

    init(_ title: String, _ path: String? = nil, isTime: Bool = false) {
        self.title = title
        self.path = (path ?? title).split(separator: ".").map(String.init)
        self.isTime = isTime
    }

    fileprivate func field(of row: JSONValue) -> String {
        var value: JSONValue? = row
        for key in path { value = value?[key] }
        guard let value else { return "" }
        return isTime ? Self.time(value) : Self.text(value)
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

extension CSV {
    /// - Parameter rows: the list's rows in JSON.
    package init(_ columns: [CSVColumn], rows: [JSONValue]) {
        self.init(
            header: columns.map(\.title),
            rows: rows.map { row in columns.map { $0.field(of: row) } }
        )
    }
}
