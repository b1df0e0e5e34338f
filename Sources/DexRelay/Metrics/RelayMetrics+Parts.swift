extension RelayMetrics {
    /// By the names of clients, of which there are at most `RelayKey.maximum`.
    static func families(of keys: RelayKeyStatistics) -> [MetricFamily] {
        var requests = MetricFamily(
            "dex_relay_client_requests_total",
            .counter,
            "HTTP requests with a key, by the client's name."
        )
        var throttled = MetricFamily(
            "dex_relay_client_throttled_total",
            .counter,
            "Requests, posts and subscriptions beyond a client's limits, by its name."
        )
        for (name, client) in keys.clients.sorted(by: { $0.key < $1.key }) {
            requests.add(client.requests, [("client", name)])
            throttled.add(client.throttled, [("client", name)])
        }
        let refused = MetricFamily(
            "dex_relay_refused_keys_total",
            .counter,
            "Requests that were answered with 401, since their key is none.",
            value: keys.refused
        )
        return [requests, throttled, refused]
    }

    static func families(of watcher: WatcherStatistics) -> [MetricFamily] {
        [
            MetricFamily(
                "dex_relay_watcher_active",
                .gauge,
                "1 if this instance watches the chain.",
                value: watcher.isWatching ? 1 : 0
            ),
            MetricFamily(
                "dex_relay_node_requests_total",
                .counter,
                "Requests to the Ethereum node.",
                value: watcher.nodeRequests
            ),
            MetricFamily(
                "dex_relay_node_failures_total",
                .counter,
                "Requests to the Ethereum node that failed.",
                value: watcher.nodeFailures
            ),
            MetricFamily(
                "dex_relay_audited_orders_total",
                .counter,
                "Orders whose state was read on chain.",
                value: watcher.audits
            ),
            MetricFamily(
                "dex_relay_reorganizations_total",
                .counter,
                "Reorganizations of the chain that were followed.",
                value: watcher.reorganizations
            ),
            MetricFamily(
                "dex_relay_deepest_reorganization_blocks",
                .gauge,
                "The depth of the deepest reorganization.",
                value: watcher.deepestReorganization
            ),
            MetricFamily(
                "dex_relay_last_block_node_requests",
                .gauge,
                "Requests to the node for the last block.",
                value: watcher.lastBlockRequests
            ),
            MetricFamily(
                "dex_relay_last_block_touched_orders",
                .gauge,
                "Orders that the logs of the last block touched.",
                value: watcher.lastBlockTouched
            ),
            MetricFamily(
                "dex_relay_followed_block",
                .gauge,
                "The number of the latest block that was followed.",
                value: watcher.followed
            ),
            MetricFamily(
                "dex_relay_latest_block",
                .gauge,
                "The number of the latest block that the node named.",
                value: watcher.latest
            ),
            MetricFamily(
                "dex_relay_watcher_lag_blocks",
                .gauge,
                "Blocks that the node has and the watcher has not followed.",
                value: watcher.lag
            ),
            MetricFamily(
                "dex_relay_followed_block_timestamp_seconds",
                .gauge,
                "The time of the followed block, since 1970.",
                value: watcher.followedTime
            ),
        ]
    }

    static func families(of store: StoreStatistics) -> [MetricFamily] {
        var commits = MetricFamily(
            "dex_relay_store_commit_duration_seconds",
            .histogram,
            "How long commits to the store took."
        )
        commits.add(store.commits)
        var reads = MetricFamily(
            "dex_relay_store_read_duration_seconds",
            .histogram,
            "How long reads of the store took."
        )
        reads.add(store.reads)
        return [
            commits, reads,
            MetricFamily(
                "dex_relay_store_failures_total",
                .counter,
                "Commits and reads of the store that failed.",
                value: store.failures
            ),
            MetricFamily(
                "dex_relay_store_reachable",
                .gauge,
                "1 while the store answers.",
                value: store.isReachable ? 1 : 0
            ),
        ]
    }

    static func families(of feed: FeedStatistics) -> [MetricFamily] {
        var closed = MetricFamily(
            "dex_relay_feed_closed_connections_total",
            .counter,
            "WebSocket connections that the relay closed, by close code."
        )
        for (code, count) in feed.closed.sorted(by: { $0.key < $1.key }) {
            closed.add(count, [("code", String(code))])
        }
        return [
            MetricFamily(
                "dex_relay_feed_connections",
                .gauge,
                "Open WebSocket connections.",
                value: feed.connections
            ),
            MetricFamily(
                "dex_relay_feed_subscriptions",
                .gauge,
                "Subscriptions of all WebSocket connections.",
                value: feed.subscriptions
            ),
            MetricFamily(
                "dex_relay_feed_messages_total",
                .counter,
                "Messages sent through WebSockets.",
                value: feed.messages
            ),
            MetricFamily(
                "dex_relay_feed_sent_bytes_total",
                .counter,
                "Bytes of messages sent through WebSockets.",
                value: feed.bytes
            ),
            closed,
        ]
    }
}

extension WatcherStatistics {
    /// Blocks that the node has and the watcher has not followed; nil before the first block.
    package var lag: UInt64? {
        guard let followed, let latest else { return nil }
        return latest > followed ? latest - followed : 0
    }
}
