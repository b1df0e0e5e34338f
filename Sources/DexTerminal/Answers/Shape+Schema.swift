package import StrictJSON

/// JSON Schema, draft 2020-12.
extension Shape {
    /// The schema of the value; what has a name is a `$ref` into `$defs`.
    package var schema: JSONValue {
        switch self {
        case .named(let named): ["$ref": .string("#/$defs/\(named.name)")]
        case .text, .foreign: ["type": "string"]
        case .pattern(let expression):
            ["type": "string", "pattern": .string("^(?:\(expression))$")]
        case .words(let words): ["enum": .array(words.map { .string($0) })]
        case .count: ["type": "integer", "minimum": 0, "maximum": .integer(UInt64(1) << 53)]
        case .bool: ["type": "boolean"]
        case .constant(let value): ["const": value]
        case .object(let members): Self.object(members)
        case .list(let shape): ["type": "array", "items": shape.schema]
        case .map(let shape): ["type": "object", "additionalProperties": shape.schema]
        case .nullable(let shape): ["anyOf": [shape.schema, ["type": "null"]]]
        case .either(let shapes): ["anyOf": .array(shapes.map(\.schema))]
        case .any: true
        }
    }

    private static func object(_ members: [Member]) -> JSONValue {
        var properties = JSONObject()
        for member in members {
            var schema = member.shape.schema.objectValue ?? JSONObject()
            schema["description"] = .string(member.about)
            properties[member.name] = .object(schema)
        }
        return [
            "type": "object",
            "properties": .object(properties),
            "required": .array(members.filter { !$0.isOptional }.map { .string($0.name) }),
            "additionalProperties": false,
        ]
    }

    /// The named shapes that the schema refers to, each once, by their names.
    package var definitions: [String: NamedShape] {
        var found: [String: NamedShape] = [:]
        collect(into: &found)
        return found
    }

    private func collect(into found: inout [String: NamedShape]) {
        switch self {
        case .named(let named):
            guard found.updateValue(named, forKey: named.name) == nil else { return }
            named.shape.collect(into: &found)
        case .object(let members): for member in members { member.shape.collect(into: &found) }
        case .list(let shape), .map(let shape), .nullable(let shape): shape.collect(into: &found)
        case .either(let shapes): for shape in shapes { shape.collect(into: &found) }
        case .text, .foreign, .pattern, .words, .count, .bool, .constant, .any: break
        }
    }
}
