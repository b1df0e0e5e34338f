import Testing

@testable import RelayHost

@Suite("The figures of a running relay")
struct RelayFiguresTests {
    private static let text = """
        # HELP dex_relay_info The relay's version, always 1.
        # TYPE dex_relay_info gauge
        dex_relay_info{version="0.1.0"} 1
        dex_relay_ready 1
        dex_relay_requests_total{route="/v0/orders",method="GET",status="200"} 40
        dex_relay_requests_total{route="/v0/order",method="POST",status="201"} 2
        dex_relay_orders{version="v4",pair="0xa/0xb",state="shown"} 7
        dex_relay_orders{version="v4",pair="0xa/0xb",state="dormant"} 1
        dex_relay_orders{version="v1",pair="other",state="shown"} 3
        dex_relay_posted_orders_total{version="v4",outcome="added"} 8
        dex_relay_watcher_active 1
        dex_relay_followed_block 120
        dex_relay_latest_block 121
        dex_relay_watcher_lag_blocks 1
        dex_relay_node_requests_total 300
        dex_relay_store_commit_duration_seconds_bucket{le="+Inf"} 4
        dex_relay_store_commit_duration_seconds_count 4
        dex_relay_store_reachable 1
        dex_relay_feed_connections 5

        """

    @Test("every figure is read")
    func figures() throws {
        let figures = try #require(RelayFigures(Self.text))
        #expect(figures.version == "0.1.0" && figures.isReady)
        #expect(figures.requests == 42)
        #expect(figures.orders(in: "shown") == 10 && figures.orders(in: "dormant") == 1)
        #expect(figures.posts.map(\.count) == [8])
        #expect(figures.watcher?.lag == 1 && figures.watcher?.nodeRequests == 300)
        #expect(figures.store?.commits == 4 && figures.store?.isReachable == true)
        #expect(figures.connections == 5 && figures.subscriptions == nil)
    }

    @Test(
        "the page of another program is not taken for figures",
        arguments: [
            "", "<html></html>", "up 1\n", "dex_relay_info", "dex_relay_info{version=\"1\" 1",
            "dex_relay_info{version=\"1\"} x", "dex_relay_info{=\"1\"} 1", "{\"a\":1}",
            "dex_relay_info{version=\"1} 1",
        ]
    )
    func others(_ text: String) {
        #expect(RelayFigures(text) == nil)
    }

    @Test("escaped labels and numbers beyond counts are read without a trap")
    func oddities() throws {
        let text = #"""
            dex_relay_info{version="a\"b\\c\nd",} 1
            dex_relay_ready NaN
            dex_relay_orders{version="v4",pair="x",state="shown"} -1
            dex_relay_orders{version="v4",pair="x",state="shown"} 1e30
            dex_relay_orders{version="v4",pair="x",state="shown"} +Inf
            dex_relay_watcher_active 0.5
            """#
        let figures = try #require(RelayFigures(text))
        #expect(figures.version == "a\"b\\c\nd")
        #expect(!figures.isReady && figures.orders(in: "shown") == 0)
        #expect(figures.watcher == nil)
    }
}
