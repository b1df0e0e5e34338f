import DexCore
import DexStore
package import StrictJSON

/// An argument of a tool: its name, what it may be, and what it is.
package struct ToolParameter: Sendable {
    package enum Kind: Sendable {
        /// At most so many characters.
        case text(maximum: Int)
        /// BASE/QUOTE.
        case pair
        case words([String])
        case integer(ClosedRange<Int>)
        /// 0x and 4 to 64 digits, or all 64 of them.
        case hash(isWhole: Bool)
        case hashes(maximum: Int)
        /// The 16 hexadecimal digits of a plan.
        case plan
    }

    package let name: String
    package let kind: Kind
    /// Empty where the name says all.
    package let about: String
    package let isRequired: Bool

    package init(_ name: String, _ kind: Kind, _ about: String = "", isRequired: Bool = true) {
        self.name = name
        self.kind = kind
        self.about = about
        self.isRequired = isRequired
    }

    /// An argument that may be missing.
    package static func optional(
        _ name: String,
        _ kind: Kind,
        _ about: String = ""
    ) -> ToolParameter {
        ToolParameter(name, kind, about, isRequired: false)
    }

    private static let longestPair = 100

    /// JSON Schema, draft 2020-12.
    package var schema: JSONValue {
        var schema = JSONObject()
        switch kind {
        case .text(let maximum): schema = Self.text(maximum)
        case .pair: schema = Self.text(Self.longestPair)
        case .words(let words): schema["enum"] = .array(words.map { .string($0) })
        case .integer(let range):
            schema["type"] = "integer"
            schema["minimum"] = .integer(range.lowerBound)
            schema["maximum"] = .integer(range.upperBound)
        case .hash(let isWhole): schema = Self.hash(isWhole)
        case .hashes(let maximum):
            schema["type"] = "array"
            schema["items"] = .object(Self.hash(true))
            schema["minItems"] = 1
            schema["maxItems"] = .integer(maximum)
        case .plan:
            schema["type"] = "string"
            schema["pattern"] = "^[0-9a-f]{16}$"
        }
        if !about.isEmpty { schema["description"] = .string(about) }
        return .object(schema)
    }

    private static func text(_ maximum: Int) -> JSONObject {
        var schema = JSONObject()
        schema["type"] = "string"
        schema["maxLength"] = .integer(maximum)
        return schema
    }

    private static func hash(_ isWhole: Bool) -> JSONObject {
        var schema = JSONObject()
        schema["type"] = "string"
        schema["pattern"] = isWhole ? "^0x[0-9a-fA-F]{64}$" : "^0x[0-9a-fA-F]{4,64}$"
        return schema
    }

    /// The argument as a value; nil if it is none of those that the schema allows.
    func value(_ json: JSONValue) -> ToolArguments.Value? {
        switch kind {
        case .text(let maximum): Self.text(json, maximum).map { .text($0) }
        case .pair: Self.text(json, Self.longestPair).map { .text($0) }
        case .words(let words):
            json.stringValue.flatMap { words.contains($0) ? .text($0) : nil }
        case .integer(let range):
            json.numberText.flatMap { Int($0) }.flatMap { range.contains($0) ? .integer($0) : nil }
        case .hash(let isWhole):
            json.stringValue.flatMap { Self.isHash($0, isWhole) ? .text($0) : nil }
        case .hashes(let maximum):
            json.arrayValue.flatMap { values in
                let hashes = values.compactMap(\.stringValue).filter { Self.isHash($0, true) }
                guard (1...maximum).contains(values.count), hashes.count == values.count else {
                    return nil
                }
                return .list(hashes)
            }
        case .plan: json.stringValue.flatMap { PlanID($0) == nil ? nil : .text($0) }
        }
    }

    private static func text(_ json: JSONValue, _ maximum: Int) -> String? {
        json.stringValue.flatMap { text in
            !text.isEmpty && text.unicodeScalars.count <= maximum ? text : nil
        }
    }

    private static func isHash(_ text: String, _ isWhole: Bool) -> Bool {
        let digits = text.utf8.dropFirst(2)
        return text.hasPrefix("0x") && (isWhole ? 64...64 : 4...64).contains(digits.count)
            && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    /// What it has to be, for an error.
    var expectation: String {
        switch kind {
        case .text(let maximum): "a string of 1 to \(maximum) characters"
        case .pair: "a string such as \"ZRX/WETH\""
        case .words(let words): "one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
        case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .hash(true): "0x and 64 hexadecimal digits"
        case .hash(false): "0x and 4 to 64 hexadecimal digits"
        case .hashes(let maximum): "an array of 1 to \(maximum) whole hashes"
        case .plan: "the 16 hexadecimal digits of a plan"
        }
    }
}
