import DexTestSupport
import HTTPTypes
import StrictJSON
import Testing

@testable import DexRelay

/// Requests with keys, as the server answers them.
@Suite struct KeyedRequestTests {
    private static let header = HTTPField.Name("0x-api-key")

    private static func headers(_ text: String) throws -> HTTPFields {
        [try #require(header): text]
    }

    @Test("a client's requests count for it alone; an unknown key is 401, and its address's")
    func requests() async throws {
        let server = try RelayFixture { $0.requestsPerHour = 3 }.server
        let (text, key) = try RelayKeysTests.key("maker") { $0.requestsPerHour = 4 }
        server.keys.replace(with: [key])
        let relay = RoutedRelay(server)
        let path = "/v0/token_pairs"
        let client = "203.0.113.9"
        for _ in 0..<2 {
            #expect(try await relay.status(path, try Self.headers(text), client) == 200)
            #expect(try await relay.status(path, [.authorization: "Bearer \(text)"], client) == 200)
        }
        #expect(try await relay.status(path, try Self.headers(text), client) == 429)
        // From any address.
        #expect(try await relay.status(path, try Self.headers(text), "203.0.113.8") == 429)
        #expect(try await relay.status(path, [:], client) == 200)
        for _ in 0..<2 {
            let wrong = try RelayKeysTests.key("x").text
            #expect(try await relay.status(path, try Self.headers(wrong), client) == 401)
        }
        // Whoever guesses is bounded by the address, as any client.
        #expect(try await relay.status(path, try Self.headers("x"), client) == 429)
        #expect(try await relay.status(path, [:], client) == 429)
        #expect(try await relay.status(path, [:], "203.0.113.8") == 200)
        let metrics = try await server.answer("/metrics", client: "127.0.0.1").text
        for line in [
            #"dex_relay_client_requests_total{client="maker"} 6"#,
            #"dex_relay_client_throttled_total{client="maker"} 2"#,
            "dex_relay_refused_keys_total 3",
        ] {
            #expect(metrics.contains(line), "\(line)")
        }
        #expect(!metrics.contains(text) && !metrics.contains("dexrelay_"))
    }

    @Test("401 is a sentence in the words of the API, with a challenge, and without the key")
    func refusal() async throws {
        let server = try RelayFixtureV4().server
        for path in ["/v0/orders", "/sra/v4/orders", "/relay.json"] {
            for (text, reason) in [
                ("dexrelay_secret", "does not know the key"), ("", "does not know the key"),
            ] {
                let answer = try await server.answer(path, try Self.headers(text))
                #expect(answer.status == 401)
                #expect(answer.headers["www-authenticate"] == "Bearer")
                #expect(answer.text.contains(reason) && !answer.text.contains("secret"))
            }
        }
        let (text, key) = try RelayKeysTests.key("maker")
        server.keys.replace(with: [key])
        var both = try Self.headers(text)
        both[.authorization] = "Bearer \(text)"
        let answer = try await server.answer("/sra/v4/orders", both)
        #expect(answer.status == 401 && answer.text.contains("has one key"))
        // Load balancers and Prometheus bring what they like.
        #expect(try await server.answer("/healthz", try Self.headers("x")).status == 200)
    }

    @Test("posts of a client count for it alone")
    func posts() async throws {
        let fixture = try RelayFixture {
            $0.limits.postsPerSecond = 1
            $0.limits.postBurst = 1
        }
        let (text, key) = try RelayKeysTests.key("maker") {
            ($0.postsPerSecond, $0.postBurst) = (1, 2)
        }
        fixture.server.keys.replace(with: [key])
        let body = fixture.json(try await fixture.order())
        func post(_ headers: HTTPFields) async throws -> Int {
            try await fixture.server.answer("/v0/order", headers, method: .post, body: body).status
        }
        #expect(try await post([:]) == 201)
        #expect(try await post([:]) == 429)
        for status in [201, 201, 429] {
            #expect(try await post(try Self.headers(text)) == status)
        }
    }

    @Test("orders that are posted together count for the client")
    func bulk() async throws {
        let fixture = try RelayFixtureV4()
        let (text, key) = try RelayKeysTests.key("maker") {
            ($0.postsPerSecond, $0.postBurst) = (1, 1)
        }
        fixture.server.keys.replace(with: [key])
        let body = Array("[]".utf8)
        let answer = try await fixture.server.answer(
            "/sra/v4/orders",
            try Self.headers(text),
            method: .post,
            body: body
        )
        #expect(answer.status == 200)
        #expect(fixture.server.keys.statistics.clients["maker"]?.requests == 1)
    }
}
