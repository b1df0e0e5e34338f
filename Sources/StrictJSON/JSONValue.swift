/// A JSON value whose numbers keep their literal text.
///
/// A 78-digit amount therefore never passes through a floating-point number.
///
/// ```swift
/// var token: JSONValue = ["symbol": "ZRX", "decimals": 18]
/// if case .object(var members) = token {
///     members["verified"] = true
///     token = .object(members)
/// }
/// print(token.text)
/// // Prints "{"symbol":"ZRX","decimals":18,"verified":true}"
/// ```
///
/// Source: RFC 8259.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number as its literal text, such as `-1.50e3`; `JSONParser` has checked its grammar.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// A number from an integer.
    public static func integer(_ value: some BinaryInteger) -> JSONValue {
        .number(String(value))
    }

    /// The text of a string; nil for any other kind of value.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The literal text of a number; nil for any other kind of value.
    public var numberText: String? {
        if case .number(let text) = self { text } else { nil }
    }

    /// The value of a boolean; nil for any other kind of value.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements of an array; nil for any other kind of value.
    public var arrayValue: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The members of an object; nil for any other kind of value.
    public var objectValue: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The value is `null`.
    public var isNull: Bool {
        self == .null
    }

    /// The member of an object with this key; nil if it is absent or this is not an object.
    public subscript(key: String) -> JSONValue? {
        objectValue?[key]
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) {
        self = .number(String(value))
    }
}

extension JSONValue: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// A JSON object whose members keep their written order; a duplicate key keeps its last value.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (key, value) in elements {
            object[key] = value
        }
        self = .object(object)
    }
}
