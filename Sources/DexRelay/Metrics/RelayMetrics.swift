import Ethereum
package import ZeroEx

/// All of a relay's statistics at one moment, and their text for Prometheus.
package struct RelayMetrics: Sendable {
    package var version = ""
    package var requests = RequestStatistics()
    package var intake: [ProtocolVersion: IntakeStatistics] = [:]
    package var book = BookStatistics()
    /// nil if no watcher runs in this process.
    package var watcher: WatcherStatistics?
    /// nil if the store counts nothing.
    package var store: StoreStatistics?
    /// nil without a feed.
    package var feed: FeedStatistics?
    package var keys = RelayKeyStatistics()
    package var process: ProcessStatistics?
    package var isReady = false

    /// Further pairs are summed up as `other`: whoever hosts an open relay does not choose how many
    /// pairs there are.
    private static let maximumPairs = 200

    /// The metrics in the text exposition format.
    package var text: String {
        families.map(\.text).joined()
    }

    private var families: [MetricFamily] {
        var families = own + requestFamilies + intakeFamilies + bookFamilies
        if let watcher { families += Self.families(of: watcher) }
        if let store { families += Self.families(of: store) }
        if let feed { families += Self.families(of: feed) }
        families += Self.families(of: keys)
        if let process { families += process.families }
        return families
    }

    private var own: [MetricFamily] {
        var info = MetricFamily("dex_relay_info", .gauge, "The relay's version, always 1.")
        info.add(1, [("version", version)])
        return [
            info,
            MetricFamily(
                "dex_relay_ready",
                .gauge,
                "1 while /readyz answers 200.",
                value: isReady ? 1 : 0
            ),
        ]
    }

    private var requestFamilies: [MetricFamily] {
        var total = MetricFamily(
            "dex_relay_requests_total",
            .counter,
            "HTTP requests by route, method and status."
        )
        let kinds = requests.answers.sorted {
            ($0.key.route, $0.key.method, $0.key.status)
                < ($1.key.route, $1.key.method, $1.key.status)
        }
        for (kind, count) in kinds {
            total.add(
                count,
                [
                    ("route", kind.route), ("method", kind.method),
                    ("status", String(kind.status)),
                ]
            )
        }
        var times = MetricFamily(
            "dex_relay_request_duration_seconds",
            .histogram,
            "From the head of an HTTP request to its answer, by route."
        )
        for (route, histogram) in requests.times.sorted(by: { $0.key < $1.key }) {
            times.add(histogram, [("route", route)])
        }
        let open = MetricFamily(
            "dex_relay_open_requests",
            .gauge,
            "HTTP requests without an answer yet.",
            value: requests.open
        )
        return [total, times, open]
    }

    private var intakeFamilies: [MetricFamily] {
        var posts = MetricFamily(
            "dex_relay_posted_orders_total",
            .counter,
            "Posted orders by protocol version and outcome: added, known, or why not."
        )
        var waiting = MetricFamily(
            "dex_relay_waiting_orders",
            .gauge,
            "Posted orders that wait for their checks, by protocol version."
        )
        var times = MetricFamily(
            "dex_relay_post_duration_seconds",
            .histogram,
            "From the arrival of a post to its answer, by protocol version."
        )
        for (version, statistics) in intake.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let label = ("version", version.rawValue)
            for (outcome, count) in statistics.posts.sorted(by: { $0.key < $1.key }) {
                posts.add(count, [label, ("outcome", outcome)])
            }
            waiting.add(statistics.waiting, [label])
            times.add(statistics.times, [label])
        }
        return [posts, waiting, times]
    }

    private var bookFamilies: [MetricFamily] {
        var orders = MetricFamily(
            "dex_relay_orders",
            .gauge,
            "Orders by protocol version, pair of tokens and state."
        )
        var sums: [[String]: Int] = [:]
        let largest = book.orders.sorted { one, other in
            let counts = [one, other].map { $0.value.values.reduce(0, +) }
            if counts[0] != counts[1] { return counts[0] > counts[1] }
            return Self.name(one.key) < Self.name(other.key)
        }
        for (index, (market, states)) in largest.enumerated() {
            let pair = index < Self.maximumPairs ? Self.name(market) : "other"
            for (state, count) in states {
                sums[[market.version.rawValue, pair, state.rawValue], default: 0] += count
            }
        }
        for (labels, count) in sums.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            orders.add(count, [("version", labels[0]), ("pair", labels[1]), ("state", labels[2])])
        }
        let changes = MetricFamily(
            "dex_relay_changes_total",
            .counter,
            "The number of the last change that this instance has applied.",
            value: book.number
        )
        return [orders, changes]
    }

    private static func name(_ market: MarketKey) -> String {
        "\(market.pair.makerToken.lowercaseHex)/\(market.pair.takerToken.lowercaseHex)"
    }
}
