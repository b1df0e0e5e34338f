import StrictJSON

/// Pieces of an OpenAPI document.
///
/// Source: OpenAPI 3.1.0; JSON Schema 2020-12.
enum OpenAPISchema {
    typealias Members = [(name: String, schema: JSONValue)]

    static func reference(_ name: String, _ kind: String = "schemas") -> JSONValue {
        ["$ref": .string("#/components/\(kind)/\(name)")]
    }

    /// An object; whatever else it has is ignored.
    static func object(
        _ required: Members,
        optional: Members = [],
        description: String? = nil,
        example: JSONValue? = nil
    ) -> JSONValue {
        var properties = JSONObject()
        for member in required + optional { properties[member.name] = member.schema }
        var object = JSONObject()
        object["type"] = "object"
        object["description"] = description.map { .string($0) }
        object["properties"] = .object(properties)
        if !required.isEmpty { object["required"] = .array(required.map { .string($0.name) }) }
        object["examples"] = example.map { .array([$0]) }
        return .object(object)
    }

    static func text(
        _ pattern: String? = nil,
        longest: Int? = nil,
        description: String? = nil,
        example: String? = nil
    ) -> JSONValue {
        var object = JSONObject()
        object["type"] = "string"
        object["description"] = description.map { .string($0) }
        object["pattern"] = pattern.map { .string($0) }
        if pattern == nil { object["minLength"] = 1 }
        object["maxLength"] = longest.map { .integer($0) }
        object["examples"] = example.map { .array([.string($0)]) }
        return .object(object)
    }

    static func list(_ items: JSONValue, longest: Int? = nil, shortest: Int? = nil) -> JSONValue {
        var object = JSONObject()
        object["type"] = "array"
        object["items"] = items
        object["minItems"] = shortest.map { .integer($0) }
        object["maxItems"] = longest.map { .integer($0) }
        return .object(object)
    }

    static func integer(
        _ range: ClosedRange<UInt64>? = nil,
        standard: Int? = nil,
        description: String? = nil
    ) -> JSONValue {
        var object = JSONObject()
        object["type"] = "integer"
        object["description"] = description.map { .string($0) }
        object["minimum"] = .integer(range?.lowerBound ?? 0)
        object["maximum"] = range.map { .integer($0.upperBound) }
        object["default"] = standard.map { .integer($0) }
        return .object(object)
    }

    static func choice(_ values: [JSONValue], description: String? = nil) -> JSONValue {
        var object = JSONObject()
        object["description"] = description.map { .string($0) }
        object["enum"] = .array(values)
        return .object(object)
    }

    // MARK: Operations

    static func query(
        _ name: String,
        _ schema: JSONValue,
        isRequired: Bool = false,
        _ description: String
    ) -> JSONValue {
        [
            "name": .string(name),
            "in": "query",
            "required": .bool(isRequired),
            "description": .string(description),
            "schema": schema,
        ]
    }

    static let orderHashParameter: JSONValue = [
        "name": "orderHash",
        "in": "path",
        "required": true,
        "description": "The order's hash: 0x and 64 hexadecimal digits.",
        "schema": reference("Word"),
    ]

    /// An answer in JSON; nil is an empty body.
    static func answer(
        _ description: String,
        _ schema: JSONValue?,
        headers: [String] = []
    ) -> JSONValue {
        var object = JSONObject()
        object["description"] = .string(description)
        if !headers.isEmpty {
            var list = JSONObject()
            for name in headers { list[name] = reference(name, "headers") }
            object["headers"] = .object(list)
        }
        object["content"] = schema.map { ["application/json": ["schema": $0]] }
        return .object(object)
    }

    /// The headers of an answer to GET.
    static let readHeaders = ["ETag", "X-Request-Id"] + limitHeaders
    static let limitHeaders = [
        "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset",
    ]

    /// What a web page of another origin may read of an answer.
    static let exposed = readHeaders + ["Link", "Retry-After"]

    static func body(_ schema: JSONValue, _ description: String) -> JSONValue {
        [
            "required": true,
            "description": .string(description),
            "content": ["application/json": ["schema": schema]],
        ]
    }

    static func operation(
        _ id: String,
        _ summary: String,
        tag: String,
        parameters: [JSONValue] = [],
        body: JSONValue? = nil,
        answers: [(status: String, answer: JSONValue)]
    ) -> JSONValue {
        var object = JSONObject()
        object["operationId"] = .string(id)
        object["summary"] = .string(summary)
        object["tags"] = .array([.string(tag)])
        if !parameters.isEmpty { object["parameters"] = .array(parameters) }
        object["requestBody"] = body
        var responses = JSONObject()
        for (status, answer) in answers { responses[status] = answer }
        object["responses"] = .object(responses)
        return .object(object)
    }

    // MARK: Values of both APIs

    static let address = text(
        "^0x[0-9a-f]{40}$",
        description: "An address in lower case; a right EIP-55 checksum is accepted too.",
        example: "0xe41d2489571d322189246dafa5ebde1f4699f498"
    )
    static let word = text(
        "^0x[0-9a-f]{64}$",
        description: "32 bytes in hexadecimal digits.",
        example: "0xb7b5c33f8a8c8b7e90ba3ae0c7d2a8cf2b3eb6f6ba7f7a5f0f0d4fd9d0a17c45"
    )
    static func amount(bits: Int) -> JSONValue {
        text(
            "^[0-9]{1,78}$",
            longest: 78,
            description: "A whole number below 2^\(bits) in decimal digits, in base units.",
            example: "1000000000000000000"
        )
    }

    /// The faulty fields of an error.
    static func fieldErrors(codes: ClosedRange<UInt64>) -> JSONValue {
        list(
            object(
                [
                    ("field", text()),
                    ("code", integer(codes)),
                    ("reason", text()),
                ]
            ),
            shortest: 1
        )
    }
}
