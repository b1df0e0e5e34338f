import HTTPTypes
import StrictJSON
import Testing

@testable import DexRelay

@Suite("The relay's OpenAPI document")
struct OpenAPITests {
    private func document(_ interfaces: RelayInterface..., isLocal: Bool = false) -> JSONValue {
        OpenAPIDocument(
            interfaces: interfaces,
            operations: RelayOperations(),
            isLocal: isLocal
        ).json
    }

    private func paths(_ document: JSONValue) -> Set<String> {
        Set(document["paths"]?.objectValue?.members.map(\.key) ?? [])
    }

    @Test("only the versions that the relay serves are in it")
    func versions() {
        let v0 = paths(document(.v0))
        let v4 = paths(document(.v4))
        #expect(v0.filter { $0.hasPrefix("/v0/") }.count == 6)
        #expect(!v0.contains { $0.hasPrefix("/sra") || $0.hasPrefix("/orderbook") })
        #expect(!v4.contains { $0.hasPrefix("/v0") })
        #expect(v4.filter { $0.hasPrefix("/sra/v4/") }.count == 7)
        #expect(v4.filter { $0.hasPrefix("/orderbook/v1") }.count == 7)
        // Orders are read and posted at one path.
        let orders = document(.v4)["paths"]?["/sra/v4/orders"]?.objectValue
        #expect(orders?.members.map(\.key) == ["get", "post"])
        #expect(paths(document(.v0, .v4)) == v0.union(v4))
    }

    @Test("every reference leads somewhere, and every schema is used")
    func references() throws {
        for document in [
            document(.v0), document(.v4), document(.v0, .v4), document(.v0, .v4, isLocal: true),
        ] {
            let found = Set(Self.references(in: document))
            for reference in found {
                var place = document
                for step in reference.dropFirst(2).split(separator: "/") {
                    place = try #require(place[String(step)], "\(reference)")
                }
            }
            for kind in ["schemas", "responses", "headers"] {
                let names = document["components"]?[kind]?.objectValue?.members.map(\.key) ?? []
                for name in names {
                    #expect(found.contains("#/components/\(kind)/\(name)"), "\(kind) \(name)")
                }
            }
        }
    }

    @Test("what a relay answers is described: each path's route exists, and each route its path")
    func routes() async throws {
        let server = try RelayFixtureV4().server
        for (path, item) in document(.v0, .v4)["paths"]?.objectValue?.members.map({
            ($0.key, $0.value)
        }) ?? [] {
            let target = path.replacing(
                "{orderHash}",
                with: "0x" + String(repeating: "1", count: 64)
            )
            for method in item.objectValue?.members.map(\.key) ?? [] {
                let answer = try await server.answer(target, method: method == "get" ? .get : .post)
                let known = item[method]?["responses"]?.objectValue?.members.map(\.key) ?? []
                #expect(known.contains("\(answer.status)"), "\(method) \(path) \(answer.status)")
                #expect(!answer.text.contains("nothing at this path"), "\(method) \(path)")
            }
        }
    }

    /// Every value of a key, wherever it is in a document.
    private static func values(_ key: String, in json: JSONValue) -> [JSONValue] {
        switch json {
        case .array(let values): values.flatMap { Self.values(key, in: $0) }
        case .object(let object):
            object.members.flatMap { member in
                (member.key == key ? [member.value] : []) + Self.values(key, in: member.value)
            }
        default: []
        }
    }

    private func parameters(_ path: String) -> [String: JSONValue] {
        let list = document(.v0, .v4)["paths"]?[path]?["get"]?["parameters"]?.arrayValue ?? []
        return Dictionary(
            list.compactMap { parameter in
                (parameter["name"]?.stringValue).map { ($0, parameter["schema"] ?? .null) }
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    @Test("page sizes, lengths of lists and error codes are those of the code")
    func bounds() throws {
        let document = document(.v0, .v4)
        for (path, size, maximum, standard) in [
            (
                "/v0/orderbook", "per_page", QueryV0.maximumPageSize, QueryV0.maximumPageSize
            ),
            (
                "/sra/v4/orderbook", "perPage", QueryV4.maximumPageSize, QueryV4.standardPageSize
            ),
        ] {
            let schema = parameters(path)[size]
            #expect(schema?["maximum"]?.numberText == "\(maximum)")
            #expect(schema?["default"]?.numberText == "\(standard)")
        }
        let longest = Set(Self.values("maxItems", in: document).compactMap(\.numberText))
        #expect(
            longest
                == Set(
                    [
                        QueryV0.maximumPageSize, QueryV4.maximumPageSize, RelayAPIV4.maximumPosted,
                        RelayDescription.maximumMarkets,
                    ].map { "\($0)" }
                )
        )
        let many = document["paths"]?["/sra/v4/orders"]?["post"]?["requestBody"]
        let schema = many?["content"]?["application/json"]?["schema"]
        #expect(schema?["maxItems"]?.numberText == "\(RelayAPIV4.maximumPosted)")
    }

    @Test("body sizes and the number of parameters in sentences are those of the code")
    func sentences() {
        let texts = Self.values("description", in: document(.v0, .v4)).compactMap(\.stringValue)
        let bytes = texts.flatMap { text in
            text.matches(of: /(\d+) bytes/).compactMap { Int($0.output.1) }
        }
        #expect(
            Set(bytes).subtracting([32])
                == [RelayConfiguration.maximumBodyBytes, RelayAPIV4.maximumBodyBytes]
        )
        #expect(texts.contains { $0.contains("more than \(QueryItems.maximum) in all") })
    }

    @Test("filters are those that the code reads")
    func filters() {
        #expect(
            Set(parameters("/v0/orders").keys)
                == Set(RelayAPIV0.orderFilters.map(\.name)).union(["page", "per_page"])
        )
        #expect(
            Set(parameters("/sra/v4/orders").keys)
                == Set(RelayAPIV4.orderFilters.map(\.name))
                .union(["unfillable", "page", "perPage"])
        )
        #expect(parameters("/orderbook/v1/orders") == parameters("/sra/v4/orders"))
    }

    @Test("both bases of API v4 are described alike, and no operation has another's name")
    func bases() {
        let document = document(.v0, .v4)
        let ids = Self.values("operationId", in: document).compactMap(\.stringValue)
        #expect(Set(ids).count == ids.count)
        func count(_ base: String) -> Int { ids.count { $0.hasPrefix(base) } }
        #expect(count("sra") > 0 && count("sra") == count("book"))
        #expect(parameters("/orderbook/v1").keys == parameters("/sra/v4/orderbook").keys)
        #expect(paths(document).contains("/orderbook/v1/orderbook") == false)
    }

    @Test("a page of elsewhere may read the headers that answers have")
    func headers() {
        let headers = document(.v0, .v4)["components"]?["headers"]?.objectValue?.members ?? []
        #expect(Set(headers.map(\.key)) == Set(RelayHeaders.exposed))
    }

    @Test("what a relay serves beside its APIs is described too")
    func besideTheAPIs() {
        let others = paths(document(.v0, .v4)).filter { path in
            !["/v0", "/sra", "/orderbook"].contains { path.hasPrefix($0) }
        }
        #expect(
            others == [
                "/", "/relay.json", "/markets.json", "/openapi.json", "/healthz", "/readyz",
                "/metrics",
            ]
        )
    }

    @Test("a local relay's document has its refusals, for posts both")
    func local() {
        let paths = document(.v0, .v4, isLocal: true)["paths"]
        for (path, item) in paths?.objectValue?.members.map({ ($0.key, $0.value) }) ?? [] {
            for (method, operation) in item.objectValue?.members.map({ ($0.key, $0.value) }) ?? [] {
                let answers = operation["responses"]
                #expect(answers?["403"] != nil, "\(method) \(path)")
                #expect((answers?["415"] != nil) == (method == "post"), "\(method) \(path)")
            }
        }
    }

    @Test("the document is served with the operator's name and address")
    func served() async throws {
        var server = try RelayFixture().server
        server.operations.name = "My relay"
        server.operations.publicURL = "https://relay.example"
        let json = try await server.answer("/openapi.json").json
        #expect(json["openapi"]?.stringValue == "3.1.0")
        #expect(json["info"]?["title"]?.stringValue == "My relay")
        #expect(json["servers"]?.arrayValue?.first?["url"]?.stringValue == "https://relay.example")
    }

    private static func references(in json: JSONValue) -> [String] {
        values("$ref", in: json).compactMap(\.stringValue)
    }
}
