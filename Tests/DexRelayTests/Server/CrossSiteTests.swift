import HTTPTypes
import Testing

@testable import DexRelay

@Suite("Web pages and the relay: open in public, closed on this machine")
struct CrossSiteTests {
    private static let paths = [
        "/", "/relay.json", "/markets.json", "/openapi.json", "/healthz", "/readyz", "/metrics",
        "/v0/token_pairs", "/v0/nothing",
    ]

    @Test(
        "a page that let a name of its own point here reads nothing of a local relay",
        arguments: paths
    )
    func rebinding(path: String) async throws {
        let server = try RelayFixture().server
        for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""] {
            let answer = try await server.answer(
                path,
                host: host,
                client: "127.0.0.1",
                isLocal: true
            )
            #expect(answer.status == 403, "\(host)")
            #expect(!answer.text.contains("dex_relay_"))
        }
    }

    @Test(
        "a page of another site is refused by a local relay, and granted no preflight",
        arguments: paths
    )
    func crossSite(path: String) async throws {
        let server = try RelayFixture().server
        for origin in ["https://page.example", "http://127.0.0.1:3000", "null"] {
            for method in [HTTPRequest.Method.get, .post, .options] {
                let answer = try await server.answer(
                    path,
                    [.origin: origin, .accessControlRequestMethod: "POST"],
                    method: method,
                    host: "127.0.0.1:8080",
                    client: "127.0.0.1",
                    isLocal: true
                )
                #expect(answer.status == 403, "\(origin) \(method)")
                #expect(answer.headers["access-control-allow-origin"] == nil)
            }
        }
    }

    @Test("the local relay's own page and programs of this machine read it")
    func ownPage() async throws {
        let server = try RelayFixture().server
        for headers in [[:], [.origin: "http://127.0.0.1:8080"]] as [HTTPFields] {
            let answer = try await server.answer(
                "/markets.json",
                headers,
                host: "127.0.0.1:8080",
                client: "127.0.0.1",
                isLocal: true
            )
            #expect(answer.status == 200)
            #expect(answer.headers["access-control-allow-origin"] == nil)
        }
    }

    @Test("a public relay lets every page read and post, faults included")
    func publicRelay() async throws {
        let server = try RelayFixture().server
        let page: HTTPFields = [.origin: "https://page.example"]
        for path in ["/v0/token_pairs", "/v0/orders?maker=1", "/nothing", "/relay.json"] {
            let answer = try await server.answer(path, page)
            #expect(answer.headers["access-control-allow-origin"] == "*", "\(path)")
            let exposed = answer.headers["access-control-expose-headers"] ?? ""
            for name in ["ETag", "Link", "X-Request-Id", "X-RateLimit-Remaining", "Retry-After"] {
                #expect(exposed.contains(name))
            }
        }
        let post = try await server.answer(
            "/v0/order",
            [.origin: "https://page.example", .contentType: "application/json"],
            method: .post,
            body: Array("{}".utf8)
        )
        #expect(post.status == 400)
        #expect(post.headers["access-control-allow-origin"] == "*")
        let preflight = try await server.answer(
            "/v0/order",
            [.origin: "https://page.example", .accessControlRequestMethod: "POST"],
            method: .options
        )
        #expect(preflight.status == 204)
        #expect(preflight.headers["access-control-allow-origin"] == "*")
    }

    @Test("the operator's figures are no page's, also on a public relay")
    func figures() async throws {
        let server = try RelayFixture().server
        let answer = try await server.answer(
            "/metrics",
            [.origin: "https://page.example"],
            client: "127.0.0.1"
        )
        #expect(answer.headers["access-control-allow-origin"] == nil)
    }
}
