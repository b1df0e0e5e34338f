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

    @Test("the page sizes and body sizes are those of the code")
    func bounds() throws {
        let paths = document(.v0, .v4)["paths"]
        func maximum(_ path: String, _ name: String) -> String? {
            paths?[path]?["get"]?["parameters"]?.arrayValue?
                .first { $0["name"]?.stringValue == name }?["schema"]?["maximum"]?.numberText
        }
        #expect(maximum("/v0/orderbook", "per_page") == "100")
        #expect(maximum("/sra/v4/orderbook", "perPage") == "1000")
        let many = paths?["/sra/v4/orders"]?["post"]?["requestBody"]
        let schema = many?["content"]?["application/json"]?["schema"]
        #expect(schema?["maxItems"]?.numberText == "200")
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
        switch json {
        case .array(let values): values.flatMap(references)
        case .object(let object):
            object.members.flatMap { member in
                member.key == "$ref"
                    ? [member.value.stringValue ?? ""] : references(in: member.value)
            }
        default: []
        }
    }
}
