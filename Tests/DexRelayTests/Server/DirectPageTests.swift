import Ethereum
import HTTPServing
import HTTPTypes
import NIOCore
import Testing
import ZeroEx

@testable import DexRelay

/// Pages that are answered without the routes, against the routes' answers.
@Suite("Ready pages of books")
struct DirectPageTests {
    private static let pair =
        "baseTokenAddress=\(RelayFixture.zrx.lowercaseHex)"
        + "&quoteTokenAddress=\(RelayFixture.weth.lowercaseHex)"
    private static let path = "/v0/orderbook?\(pair)&per_page=10&page=2"

    private func fixture(
        _ configure: (inout RelayConfiguration) -> Void = { _ in }
    ) async throws -> RelayFixture {
        let fixture = try RelayFixture(configure: configure)
        try await fixture.add(fixture.orders(25))
        return fixture
    }

    private func direct(
        _ fixture: RelayFixture,
        _ headers: HTTPFields = [:],
        path: String = Self.path,
        peer: String = "203.0.113.9"
    ) -> Answer? {
        let request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "relay.test",
            path: path,
            headerFields: headers
        )
        return fixture.server.direct().get(request, peer).map { Answer($0) }
    }

    @Test("a page that was not made yet, and every other path, is left to the routes")
    func notReady() async throws {
        let fixture = try await fixture()
        #expect(direct(fixture) == nil)
        _ = try await fixture.server.answer(Self.path)
        #expect(direct(fixture) != nil)
        #expect(direct(fixture, path: "/v0/orders") == nil)
        #expect(direct(fixture, path: "/v0/orderbook") == nil)
        #expect(direct(fixture, [.origin: "https://a.test"]) == nil)
        // A change of the book ends the page.
        try await fixture.add([fixture.order { $0.salt = 1_000 }])
        #expect(direct(fixture) == nil)
    }

    @Test(
        "the answer is the routes': status, headers, bytes",
        arguments: [
            [:], [.acceptEncoding: "gzip"], [.acceptEncoding: "gzip;q=0"],
            [.ifNoneMatch: "\"other\""], [.ifNoneMatch: "*"],
            [.ifNoneMatch: "*", .acceptEncoding: "gzip"],
        ] as [HTTPFields]
    )
    func same(headers: HTTPFields) async throws {
        let fixture = try await fixture()
        _ = try await fixture.server.answer(Self.path, headers)
        var headers = headers
        let name = try #require(HTTPField.Name("X-Request-Id"))
        headers[name] = "mine"
        let routed = try await fixture.server.answer(Self.path, headers)
        let answer = try #require(direct(fixture, headers))
        #expect(answer.status == routed.status)
        #expect(answer.body == routed.body)
        var fields = answer.headers
        // The connection's handler writes what is missing.
        if fields["content-length"] == nil, answer.status == 200 {
            fields["content-length"] = "\(answer.body.count)"
        }
        #expect(fields == routed.headers)
        #expect(fields["x-request-id"] == "mine")
    }

    @Test("it counts in the rate limit and in the figures as any request")
    func counts() async throws {
        let fixture = try await fixture { $0.requestsPerHour = 3 }
        _ = try await fixture.server.answer(Self.path)
        #expect(direct(fixture)?.headers["x-ratelimit-remaining"] == "1")
        #expect(direct(fixture)?.headers["x-ratelimit-remaining"] == "0")
        let refused = try #require(direct(fixture))
        #expect(refused.status == 429)
        let routed = try await fixture.server.answer(Self.path)
        #expect(routed.status == 429)
        #expect(refused.body == routed.body)
        #expect(direct(fixture, peer: "203.0.113.10")?.status == 200)
        let metrics = try await fixture.server.answer("/metrics", client: "127.0.0.1").text
        let line = #"dex_relay_requests_total{route="/v0/orderbook",method="GET",status="200"} 4"#
        #expect(metrics.contains(line), "\(metrics)")
    }
}
