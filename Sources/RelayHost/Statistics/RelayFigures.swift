/// What a running relay counts, from its metrics.
package struct RelayFigures: Hashable, Sendable {
    /// Orders of a pair in one state.
    package struct Orders: Hashable, Sendable {
        package let version: String
        /// Two addresses with a slash between them, or `other`.
        package let pair: String
        package let state: String
        package let count: UInt64
    }

    package struct Posts: Hashable, Sendable {
        package let version: String
        package let outcome: String
        package let count: UInt64
    }

    package struct Watcher: Hashable, Sendable {
        /// This instance watches the chain.
        package let isWatching: Bool
        package let followed: UInt64?
        package let latest: UInt64?
        package let lag: UInt64?
        package let nodeRequests: UInt64
        package let nodeFailures: UInt64
        package let reorganizations: UInt64
    }

    package struct Store: Hashable, Sendable {
        package let isReachable: Bool
        package let commits: UInt64
        package let failures: UInt64
    }

    package let version: String
    package let isReady: Bool
    package let orders: [Orders]
    package let posts: [Posts]
    /// nil if no watcher runs there.
    package let watcher: Watcher?
    package let store: Store?
    /// nil without a feed.
    package let connections: UInt64?
    package let subscriptions: UInt64?
    package let requests: UInt64

    /// Reads the metrics of a relay; nil if they are those of another program.
    package init?(_ text: String) {
        guard let metrics = MetricsText(text),
            let info = metrics.all("dex_relay_info").first
        else { return nil }
        func count(_ sample: MetricsText.Sample) -> UInt64 { UInt64(exactly: sample.value) ?? 0 }
        version = info.labels["version"] ?? ""
        isReady = metrics.count("dex_relay_ready") == 1
        orders = metrics.all("dex_relay_orders").map { sample in
            Orders(
                version: sample.labels["version"] ?? "",
                pair: sample.labels["pair"] ?? "",
                state: sample.labels["state"] ?? "",
                count: count(sample)
            )
        }
        posts = metrics.all("dex_relay_posted_orders_total").map { sample in
            Posts(
                version: sample.labels["version"] ?? "",
                outcome: sample.labels["outcome"] ?? "",
                count: count(sample)
            )
        }
        watcher = metrics.count("dex_relay_watcher_active").map { active in
            Watcher(
                isWatching: active == 1,
                followed: metrics.count("dex_relay_followed_block"),
                latest: metrics.count("dex_relay_latest_block"),
                lag: metrics.count("dex_relay_watcher_lag_blocks"),
                nodeRequests: metrics.count("dex_relay_node_requests_total") ?? 0,
                nodeFailures: metrics.count("dex_relay_node_failures_total") ?? 0,
                reorganizations: metrics.count("dex_relay_reorganizations_total") ?? 0
            )
        }
        store = metrics.count("dex_relay_store_reachable").map { reachable in
            Store(
                isReachable: reachable == 1,
                commits: metrics.count("dex_relay_store_commit_duration_seconds_count") ?? 0,
                failures: metrics.count("dex_relay_store_failures_total") ?? 0
            )
        }
        connections = metrics.count("dex_relay_feed_connections")
        subscriptions = metrics.count("dex_relay_feed_subscriptions")
        requests = metrics.all("dex_relay_requests_total").reduce(0) { $0 &+ count($1) }
    }

    /// The sum of the orders in a state.
    package func orders(in state: String) -> UInt64 {
        orders.filter { $0.state == state }.reduce(0) { $0 &+ $1.count }
    }
}
