import StrictJSON

/// The relay's own description for programs: OpenAPI 3.1 of the APIs that it serves.
struct OpenAPIDocument: Sendable {
    let interfaces: [RelayInterface]
    let operations: RelayOperations

    private typealias Schema = OpenAPISchema

    var json: JSONValue {
        var paths = JSONObject()
        var schemas = JSONObject()
        schemas["Address"] = Schema.address
        schemas["Word"] = Schema.word
        schemas["Amount"] = Schema.amount(bits: 256)
        for interface in interfaces {
            let part: any OpenAPIPart =
                switch interface {
                case .v0: OpenAPIV0()
                case .v4: OpenAPIV4()
                }
            for member in part.paths { paths[member.name] = member.schema }
            for member in part.schemas { schemas[member.name] = member.schema }
        }
        for member in ownPaths { paths[member.name] = member.schema }
        for member in ownSchemas { schemas[member.name] = member.schema }
        return [
            "openapi": "3.1.0",
            "info": info,
            "servers": .array([["url": .string(operations.publicURL ?? "/")]]),
            "paths": .object(paths),
            "components": [
                "schemas": .object(schemas),
                "headers": headers,
                "responses": responses,
            ],
        ]
    }

    private var info: JSONValue {
        let feeds = interfaces.map { "`\($0.webSocketPath)` (API \($0.name))" }
        return [
            "title": .string(operations.name),
            "version": .string(operations.version.isEmpty ? "0" : operations.version),
            "summary": "A relay of signed 0x orders: the standard relayer API.",
            "description": .string(
                "Reading needs no key. Amounts are decimal strings in base units. An unknown query "
                    + "parameter is ignored; a known one that is given twice, or more than "
                    + "\(QueryItems.most) in all, is refused. WebSocket feeds are at "
                    + feeds.joined(separator: " and ") + "."
            ),
        ]
    }

    private var headers: JSONValue {
        func header(_ text: String, _ schema: JSONValue) -> JSONValue {
            ["description": .string(text), "schema": schema]
        }
        return [
            "ETag": header("The answer's validator for If-None-Match.", ["type": "string"]),
            "Link": header("RFC 5988: first, prev, next and last page.", ["type": "string"]),
            "Retry-After": header("Seconds to wait.", ["type": "string"]),
            "X-Request-Id": header(
                "The request's name in the relay's logs; a sane one of the client is kept.",
                ["type": "string"]
            ),
            "X-RateLimit-Limit": header("Requests an hour.", ["type": "string"]),
            "X-RateLimit-Remaining": header("Requests left in this hour.", ["type": "string"]),
            "X-RateLimit-Reset": header(
                "The end of this hour, in seconds since 1970.",
                ["type": "string"]
            ),
        ]
    }

    private var responses: JSONValue {
        var object = JSONObject()
        object["NotModified"] = Schema.answer("The client has this answer already.", nil)
        for interface in interfaces {
            let name = interface.name.uppercased()
            let error = Schema.reference("Error\(name)")
            // API v4 gives a code with status 400 alone.
            let failure = interface == .v4 ? Schema.reference("FailureV4") : error
            object["Invalid\(name)"] = Schema.answer("What is wrong, by field.", error)
            object["NotFound\(name)"] = Schema.answer("There is no such thing.", failure)
            object["TooLarge\(name)"] = Schema.answer("The body is too large.", failure)
            object["Throttled\(name)"] = Schema.answer(
                "Too many requests, or no room for more orders.",
                failure,
                headers: Schema.limitHeaders
            )
            object["Failed\(name)"] = Schema.answer("The relay or its node failed.", failure)
            object["Unavailable\(name)"] = Schema.answer(
                "The relay cannot take it now; try again after the given time.",
                failure,
                headers: ["Retry-After"]
            )
        }
        return .object(object)
    }
}

/// The paths and schemas of one API.
protocol OpenAPIPart: Sendable {
    var paths: OpenAPISchema.Members { get }
    var schemas: OpenAPISchema.Members { get }
}
