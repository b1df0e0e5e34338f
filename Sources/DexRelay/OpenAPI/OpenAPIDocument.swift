import DexResources
import StrictJSON

/// The relay's own description for programs: OpenAPI 3.1 of the APIs that it serves.
///
/// Resources/openapi.json is its frame with what is beside the APIs; openapi-v0.json and
/// openapi-v4.json are the APIs.
struct OpenAPIDocument: Sendable {
    let interfaces: [RelayInterface]
    let operations: RelayOperations
    /// The relay refuses web pages of elsewhere and posts that are not JSON.
    let isLocal: Bool

    var json: JSONValue {
        var document = Self.embedded(DexResources.openAPI)
        for interface in interfaces {
            switch interface {
            case .v0: document.merge(Self.embedded(DexResources.openAPIV0))
            case .v4: document.merge(Self.apiV4(Self.embedded(DexResources.openAPIV4)))
            }
        }
        document.merge(own(document["info"]?["description"]?.stringValue ?? ""))
        document.merge(Self.keys(document))
        if isLocal { document.merge(Self.localRefusals(document)) }
        return document
    }

    private static func embedded(_ resource: UnsafeRawBufferPointer) -> JSONValue {
        // Never nil: a resource of this program, which tests read.
        (try? JSONParser.parse(resource)) ?? [:]
    }

    /// The description of this relay, over that of any.
    private func own(_ description: String) -> JSONValue {
        let feeds = interfaces.map { "`\($0.webSocketPath)` (API \($0.name))" }
        return [
            "info": [
                "title": .string(operations.name),
                "version": .string(operations.version.isEmpty ? "0" : operations.version),
                "description": .string(
                    "\(description) WebSocket feeds are at \(feeds.joined(separator: " and ")). "
                        + "A client that the operator gave a key may send it; then its requests "
                        + "count for it and not for its address."
                ),
            ],
            "servers": [["url": .string(operations.publicURL ?? "/")]],
            "components": [
                "schemas": ["APIName": ["enum": .array(interfaces.map { .string($0.name) })]]
            ],
        ]
    }

    /// API v4 is below a second base as well, where the book is the base itself.
    private static func apiV4(_ part: JSONValue) -> JSONValue {
        var paths = part["paths"]?.objectValue ?? JSONObject()
        for (path, item) in paths.members.map({ ($0.key, $0.value) }) {
            let rest = path.dropFirst("/sra/v4".count)
            var copy = item
            for (method, operation) in item.objectValue?.members.map({ ($0.key, $0.value) }) ?? [] {
                let id = operation["operationId"]?.stringValue ?? ""
                copy.merge([method: ["operationId": .string("book\(id.dropFirst("sra".count))")]])
            }
            paths["/orderbook/v1\(rest == "/orderbook" ? "" : rest)"] = copy
        }
        var both = part
        both.merge(["paths": .object(paths)])
        return both
    }

    /// The headers of a client's key, and the answer to one that is none.
    private static func keys(_ document: JSONValue) -> JSONValue {
        let refusal: JSONValue = [
            "responses": ["401": ["$ref": "#/components/responses/UnknownKey"]]
        ]
        var paths = JSONObject()
        // Whoever asks for these is counted by no limit.
        let uncounted = ["/healthz", "/readyz", "/metrics"]
        for path in document["paths"]?.objectValue?.members ?? []
        where !uncounted.contains(path.key) {
            var item = JSONObject()
            for method in path.value.objectValue?.members ?? [] { item[method.key] = refusal }
            paths[path.key] = .object(item)
        }
        return [
            "paths": .object(paths),
            "security": [[:], ["bearer": []], ["apiKey": []]],
            "components": [
                "securitySchemes": [
                    "bearer": ["type": "http", "scheme": "bearer"],
                    "apiKey": [
                        "type": "apiKey", "in": "header", "name": .string(RelayKeys.header),
                    ],
                ],
                "responses": [
                    "UnknownKey": ["description": "A key that is unknown, or several keys."]
                ],
            ],
        ]
    }

    /// What `LocalRequestGuard` answers, for each operation.
    private static func localRefusals(_ document: JSONValue) -> JSONValue {
        func reference(_ name: String) -> JSONValue {
            ["$ref": .string("#/components/responses/\(name)")]
        }
        var paths = JSONObject()
        for path in document["paths"]?.objectValue?.members ?? [] {
            var item = JSONObject()
            for (method, operation) in path.value.objectValue?.members.map({ ($0.key, $0.value) })
                ?? []
            {
                var responses = JSONObject()
                if operation["responses"]?["403"] == nil {
                    responses["403"] = reference("ForeignPage")
                }
                if method == "post" { responses["415"] = reference("NotJSON") }
                item[method] = ["responses": .object(responses)]
            }
            paths[path.key] = .object(item)
        }
        return [
            "paths": .object(paths),
            "components": [
                "responses": [
                    "ForeignPage": ["description": "Web pages of elsewhere are refused."],
                    "NotJSON": [
                        "description": "A post has to be of the type application/json."
                    ],
                ]
            ],
        ]
    }
}

extension JSONValue {
    /// Takes the members of another object, and of the objects in it; its other values replace.
    fileprivate mutating func merge(_ other: JSONValue) {
        guard case .object(var object) = self, case .object(let more) = other else {
            self = other
            return
        }
        for member in more.members {
            var value = object[member.key] ?? [:]
            value.merge(member.value)
            object[member.key] = value
        }
        self = .object(object)
    }
}
