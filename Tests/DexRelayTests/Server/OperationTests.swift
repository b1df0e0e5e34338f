import Ethereum
import HTTPTypes
import StrictJSON
import Testing
import ZeroEx

@testable import DexRelay

@Suite("What a relay serves beside its APIs")
struct OperationTests {
    private static let forwarded = HTTPField.Name("X-Forwarded-For")
    private static let id = HTTPField.Name("X-Request-Id")

    // MARK: Health

    @Test("the process answers as soon as it runs, and is ready when its book is loaded")
    func loading() async throws {
        let fixture = try RelayFixture()
        #expect(try await fixture.server.answer("/healthz").status == 200)
        let before = try await fixture.server.answer("/readyz")
        #expect(before.status == 503)
        #expect(before.headers["retry-after"] == "5")
        #expect(before.text.contains("reads its orders"))
        _ = try await fixture.server.restore()
        let after = try await fixture.server.answer("/readyz")
        #expect(after.status == 200)
        #expect(after.text == #"{"status":"ready"}"#)
        #expect(after.headers["cache-control"] == "no-store")
    }

    @Test("a stopping relay takes no new clients, and answers those that it has")
    func draining() async throws {
        let fixture = try RelayFixture()
        _ = try await fixture.server.restore()
        fixture.server.operations.readiness.drain()
        #expect(try await fixture.server.answer("/readyz").status == 503)
        #expect(try await fixture.server.answer("/healthz").status == 200)
        #expect(try await fixture.server.answer("/v0/token_pairs").status == 200)
    }

    @Test("each reason alone makes an instance not ready, and all are named")
    func reasons() {
        let now: UInt64 = 1_000
        func reasons(
            _ change: (inout WatcherStatistics, inout StoreStatistics) -> Void
        ) -> [String] {
            let readiness = RelayReadiness(secondsPerBlock: 12)
            readiness.loaded()
            var watcher = WatcherStatistics()
            watcher.isWatching = true
            watcher.followed = 100
            watcher.latest = 100
            watcher.followedTime = now
            var store = StoreStatistics()
            change(&watcher, &store)
            return readiness.reasons(watcher: watcher, store: store, now: now)
        }
        #expect(reasons { _, _ in } == [])
        #expect(reasons { watcher, _ in watcher.latest = 102 } == [])
        #expect(
            reasons { watcher, _ in watcher.latest = 103 }
                == ["The order watcher is 3 blocks behind the node."]
        )
        #expect(reasons { watcher, _ in watcher.followedTime = now - 47 } == [])
        #expect(
            reasons { watcher, _ in watcher.followedTime = now - 48 }
                == ["The node's latest block is 48 s old: it is at least 3 blocks late."]
        )
        #expect(
            reasons { _, store in store.isReachable = false }
                == ["The relay's store does not answer."]
        )
        // Another instance watches: what this one last followed says nothing.
        #expect(
            reasons { watcher, _ in
                watcher.isWatching = false
                watcher.latest = 200
                watcher.followedTime = 1
            } == []
        )
        let all = reasons { watcher, store in
            watcher.latest = .max
            watcher.followedTime = 0
            store.isReachable = false
        }
        #expect(all.count == 3)
    }

    @Test("a clock that is behind the chain's, or a chain without a rhythm, is no reason")
    func clocks() {
        var watcher = WatcherStatistics()
        watcher.isWatching = true
        watcher.followed = 1
        watcher.latest = 1
        watcher.followedTime = 5_000
        let readiness = RelayReadiness(secondsPerBlock: 12)
        readiness.loaded()
        #expect(readiness.reasons(watcher: watcher, store: nil, now: 10) == [])
        watcher.followedTime = 0
        let free = RelayReadiness()
        free.loaded()
        #expect(free.reasons(watcher: watcher, store: nil, now: .max) == [])
        let absurd = RelayReadiness(secondsPerBlock: .max)
        absurd.loaded()
        #expect(absurd.reasons(watcher: watcher, store: nil, now: .max) == [])
    }

    // MARK: Who may read the figures

    @Test(
        "the figures are for this machine and for addresses that the operator names",
        arguments: [
            ("127.0.0.1", nil, 200), ("127.8.9.1", nil, 200), ("::1", nil, 200),
            ("::ffff:127.0.0.1", nil, 200), ("203.0.113.9", nil, 403), ("10.1.1.1", nil, 200),
            ("10.1.1.1", "127.0.0.1", 403), ("127.0.0.1", "203.0.113.9", 403),
            ("192.0.2.1", "203.0.113.9", 403), ("192.0.2.1", "127.0.0.1", 200),
            ("192.0.2.1", "127.0.0.1, 203.0.113.9", 403), ("203.0.113.9", "127.0.0.1", 403),
            ("local", nil, 403),
        ] as [(String, String?, Int)]
    )
    func metricsReaders(peer: String, forwarded: String?, status: Int) async throws {
        var server = try RelayFixture {
            $0.limits.trustedProxies = ["192.0.2.1"].compactMap { AddressRange($0) }
        }.server
        server.operations.metricsReaders += ["10.0.0.0/8"].compactMap { AddressRange($0) }
        var headers: HTTPFields = [:]
        if let forwarded, let name = Self.forwarded { headers[name] = forwarded }
        let answer = try await server.answer("/metrics", headers, client: peer)
        #expect(answer.status == status)
        #expect(answer.text.contains("dex_relay_") == (status == 200))
    }

    @Test("requests are counted by route and status, never by what a client invents")
    func counting() async throws {
        let fixture = try RelayFixture()
        for path in ["/v0/token_pairs", "/v0/order/0x12", "/v0/order/0x34", "/none", "/other"] {
            _ = try await fixture.server.answer(path)
        }
        let method = try #require(HTTPRequest.Method("BREW"))
        _ = try await fixture.server.answer("/v0/orders", method: method)
        let text = try await fixture.server.answer("/metrics", client: "127.0.0.1").text
        for line in [
            #"dex_relay_requests_total{route="/v0/token_pairs",method="GET",status="200"} 1"#,
            #"dex_relay_requests_total{route="/v0/order/{hash}",method="GET",status="400"} 2"#,
            #"dex_relay_requests_total{route="none",method="GET",status="404"} 2"#,
            #"dex_relay_requests_total{route="none",method="other",status="501"} 1"#,
            #"dex_relay_request_duration_seconds_count{route="/v0/order/{hash}"} 2"#,
            // This very request.
            "dex_relay_open_requests 1",
        ] {
            #expect(text.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
        #expect(!text.contains("BREW"))
    }

    // MARK: Names of requests

    @Test("a request keeps its client's name if it is harmless, and gets one otherwise")
    func requestIDs() async throws {
        let server = try RelayFixture().server
        let name = try #require(Self.id)
        let kept = try await server.answer("/v0/token_pairs", [name: "abc-1"])
        #expect(kept.headers["x-request-id"] == "abc-1")
        let made = try await server.answer("/v0/token_pairs", [name: "a b\u{7F}"])
        let id = try #require(made.headers["x-request-id"])
        #expect(id.utf8.count == 16 && id.allSatisfy(\.isHexDigit))
        let fault = try await server.answer("/nothing", [name: "abc-2"])
        #expect(fault.status == 404)
        #expect(fault.headers["x-request-id"] == "abc-2")
    }

    // MARK: Limits

    @Test("the limit follows the settings, and an IPv6 client counts with its network")
    func liveLimit() async throws {
        let fixture = try RelayFixture {
            $0.limits.trustedProxies = ["10.0.0.1"].compactMap { AddressRange($0) }
        }
        let name = try #require(Self.forwarded)
        let relay = RoutedRelay(fixture.server)
        func status(_ client: String, by proxy: String? = nil) async throws -> Int {
            guard let proxy else { return try await relay.status("/v0/token_pairs", [:], client) }
            return try await relay.status("/v0/token_pairs", [name: client], proxy)
        }
        for _ in 0..<5 { #expect(try await status("2001:db8::1") == 200) }
        var configuration = fixture.live.current
        configuration.requestsPerHour = 2
        fixture.live.replace(with: configuration)
        #expect(try await status("2001:db8::1") == 200)
        #expect(try await status("2001:db8::2", by: "10.0.0.1") == 200)
        #expect(try await status("2001:db8:0:0:ffff::3") == 429)
        #expect(try await status("[2001:db8::4]:55", by: "10.0.0.1") == 429)
        #expect(try await status("2001:db8:0:1::1") == 200)
        configuration.requestsPerHour = 4
        fixture.live.replace(with: configuration)
        #expect(try await status("2001:db8::9") == 429)
        #expect(try await status("2001:db8:0:1::2") == 200)
        configuration.requestsPerHour = nil
        fixture.live.replace(with: configuration)
        for _ in 0..<5 { #expect(try await status("2001:db8::1") == 200) }
    }

    @Test("the limit counts the client behind a trusted proxy, and no health check")
    func limits() async throws {
        let server = try RelayFixture {
            $0.requestsPerHour = 2
            $0.limits.trustedProxies = ["10.0.0.1"].compactMap { AddressRange($0) }
        }.server
        let name = try #require(Self.forwarded)
        // One router, so that there is one count.
        let relay = RoutedRelay(server)
        for _ in 0..<2 {
            let status = try await relay.status(
                "/v0/token_pairs",
                [name: "203.0.113.9"],
                "10.0.0.1"
            )
            #expect(status == 200)
        }
        #expect(try await relay.status("/v0/token_pairs", [name: "203.0.113.9"], "10.0.0.1") == 429)
        // What the client puts in front changes nothing.
        #expect(
            try await relay.status("/v0/token_pairs", [name: "1.1.1.1, 203.0.113.9"], "10.0.0.1")
                == 429
        )
        #expect(try await relay.status("/v0/token_pairs", [name: "203.0.113.8"], "10.0.0.1") == 200)
        // Not through the proxy: it is counted as what it is.
        #expect(
            try await relay.status("/v0/token_pairs", [name: "203.0.113.7"], "192.0.2.9") == 200
        )
        #expect(
            try await relay.status("/v0/token_pairs", [name: "203.0.113.6"], "192.0.2.9") == 200
        )
        #expect(
            try await relay.status("/v0/token_pairs", [name: "203.0.113.5"], "192.0.2.9") == 429
        )
        #expect(try await relay.status("/healthz", [name: "203.0.113.9"], "10.0.0.1") == 200)
        #expect(try await relay.status("/markets.json", [name: "203.0.113.9"], "10.0.0.1") == 429)
    }
}
