import Ethereum
import HTTPServing
import HTTPTypes
import NIOCore
import NIOPosix
import Testing
import ZeroEx

@testable import DexRelay

/// Pages of books: the first reader's is made by a task, the next ones' are there at once.
@Suite("Ready pages of books")
struct ReadyPageTests {
    private static let path =
        "/v0/orderbook?baseTokenAddress=\(RelayFixture.zrx.lowercaseHex)"
        + "&quoteTokenAddress=\(RelayFixture.weth.lowercaseHex)&per_page=10&page=2"

    private func fixture(
        _ configure: (inout RelayConfiguration) -> Void = { _ in }
    ) async throws -> RelayFixture {
        let fixture = try RelayFixture(configure: configure)
        try await fixture.add(fixture.orders(25))
        return fixture
    }

    /// The answer was there without a task.
    private func isReady(_ fixture: RelayFixture, _ headers: HTTPFields = [:]) -> Bool {
        let reception = fixture.server.router().receive(
            Request(
                HTTPRequest(
                    method: .get,
                    scheme: "http",
                    authority: "relay.test",
                    path: Self.path,
                    headerFields: headers
                ),
                eventLoop: MultiThreadedEventLoopGroup.singleton.any()
            )
        )
        if case .answer(.settled(.success)) = reception { return true }
        return false
    }

    @Test("a page is ready once it was asked for, until its book changes; so is its packed form")
    func ready() async throws {
        let fixture = try await fixture()
        #expect(!isReady(fixture))
        _ = try await fixture.server.answer(Self.path)
        #expect(isReady(fixture))
        #expect(isReady(fixture, [.ifNoneMatch: "*", .acceptEncoding: "gzip"]))
        #expect(!isReady(fixture, [.acceptEncoding: "gzip"]))
        _ = try await fixture.server.answer(Self.path, [.acceptEncoding: "gzip"])
        #expect(isReady(fixture, [.acceptEncoding: "gzip"]))
        try await fixture.add([fixture.order { $0.salt = 1_000 }])
        #expect(!isReady(fixture))
    }

    @Test(
        "a ready answer is the one that was made: status, headers, bytes",
        arguments: [
            [:], [.acceptEncoding: "gzip"], [.acceptEncoding: "gzip;q=0"],
            [.ifNoneMatch: "\"other\""], [.ifNoneMatch: "*"], [.origin: "https://a.test"],
            [.ifNoneMatch: "*", .acceptEncoding: "gzip"],
        ] as [HTTPFields]
    )
    func same(headers: HTTPFields) async throws {
        let fixture = try await fixture()
        var headers = headers
        headers[try #require(HTTPField.Name("X-Request-Id"))] = "mine"
        let made = try await fixture.server.answer(Self.path, headers)
        let ready = try await fixture.server.answer(Self.path, headers)
        #expect(ready.status == made.status)
        #expect(ready.headers == made.headers)
        #expect(ready.body == made.body)
        #expect(ready.headers["x-request-id"] == "mine")
    }

    @Test("it counts in the rate limit and in the figures as any request")
    func counts() async throws {
        let fixture = try await fixture { $0.requestsPerHour = 3 }
        func answer(_ peer: String = "203.0.113.9") async throws -> Answer {
            try await fixture.server.answer(Self.path, client: peer)
        }
        for left in ["2", "1", "0"] {
            #expect(try await answer().headers["x-ratelimit-remaining"] == left)
        }
        #expect(try await answer().status == 429)
        #expect(try await answer("203.0.113.10").status == 200)
        let metrics = try await fixture.server.answer("/metrics", client: "127.0.0.1").text
        let line = #"dex_relay_requests_total{route="/v0/orderbook",method="GET",status="200"} 4"#
        #expect(metrics.contains(line), "\(metrics)")
    }
}
