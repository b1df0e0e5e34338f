import StrictJSON

/// The relay's own description for programs: OpenAPI 3.1 of the APIs that it serves.
struct OpenAPIDocument: Sendable {
    let interfaces: [RelayInterface]
    let operations: RelayOperations
    /// The relay refuses web pages of elsewhere and posts that are not JSON.
    let isLocal: Bool

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
            for member in part.paths { paths.add(member) }
            for member in part.schemas { schemas[member.name] = member.schema }
        }
        for member in ownPaths { paths.add(member) }
        for member in ownSchemas { schemas[member.name] = member.schema }
        if isLocal { paths.addLocalRefusals() }
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
        var texts = [
            ("ETag", "The answer's validator for If-None-Match."),
            ("Retry-After", "Seconds to wait."),
            (
                "X-Request-Id",
                "The request's name in the relay's logs; a sane one of the client is kept."
            ),
            ("X-RateLimit-Limit", "Requests an hour."),
            ("X-RateLimit-Remaining", "Requests left in this hour."),
            ("X-RateLimit-Reset", "The end of this hour, in seconds since 1970."),
        ]
        if interfaces.contains(.v0) {
            texts.append(("Link", "RFC 5988: first, prev, next and last page."))
        }
        var object = JSONObject()
        for (name, text) in texts {
            object[name] = ["description": .string(text), "schema": ["type": "string"]]
        }
        return .object(object)
    }

    private var responses: JSONValue {
        var object = JSONObject()
        if isLocal {
            object["ForeignPage"] = ["description": "Web pages of elsewhere are refused."]
            object["NotJSON"] = ["description": "A post has to be of the type application/json."]
        }
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

extension JSONObject {
    /// Adds the operations of a path to those that it has.
    fileprivate mutating func add(_ path: (name: String, schema: JSONValue)) {
        var item = self[path.name]?.objectValue ?? JSONObject()
        for member in path.schema.objectValue?.members ?? [] { item[member.key] = member.value }
        self[path.name] = .object(item)
    }

    /// Adds to each operation what `LocalRequestGuard` answers.
    fileprivate mutating func addLocalRefusals() {
        for path in members {
            var item = path.value.objectValue ?? JSONObject()
            for (method, operation) in item.members.map({ ($0.key, $0.value) }) {
                var changed = operation.objectValue ?? JSONObject()
                var responses = changed["responses"]?.objectValue ?? JSONObject()
                responses["403"] = OpenAPISchema.reference("ForeignPage", "responses")
                if method == "post" {
                    responses["415"] = OpenAPISchema.reference("NotJSON", "responses")
                }
                changed["responses"] = .object(responses)
                item[method] = .object(changed)
            }
            self[path.key] = .object(item)
        }
    }
}
