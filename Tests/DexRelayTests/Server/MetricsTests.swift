import Ethereum
import Testing
import ZeroEx

@testable import DexRelay

@Suite("The figures as Prometheus reads them")
struct MetricsTests {
    /// Figures in which every value is another.
    static var full: RelayMetrics {
        var metrics = RelayMetrics()
        metrics.version = "1.2\"\\\n3"
        metrics.isReady = true
        metrics.requests.open = 3
        metrics.requests.answers[.init(route: "/v0/orders", method: "GET", status: 200)] = 7
        var times = Histogram()
        times.add(seconds: 0.000_05)
        times.add(seconds: 0.3)
        times.add(seconds: 60)
        metrics.requests.times["/v0/orders"] = times
        var intake = IntakeStatistics()
        intake.posts = ["added": 5, "badSignature": 2]
        intake.waiting = 4
        intake.times = times
        metrics.intake = [.v1: intake]
        let market = MarketKey(
            version: .v4,
            pair: PairDirection(makerToken: RelayFixture.weth, takerToken: RelayFixture.zrx)
        )
        metrics.book.orders[market] = [.shown: 10, .dormant: 2]
        metrics.book.number = 99
        var watcher = WatcherStatistics()
        watcher.isWatching = true
        watcher.followed = 1_000
        watcher.latest = 1_002
        watcher.followedTime = 1_700_000_000
        watcher.nodeRequests = 31
        watcher.nodeFailures = 32
        watcher.audits = 33
        watcher.reorganizations = 34
        watcher.deepestReorganization = 35
        watcher.lastBlockRequests = 36
        watcher.lastBlockTouched = 37
        metrics.watcher = watcher
        var store = StoreStatistics()
        store.commits = times
        store.reads = times
        store.failures = 41
        metrics.store = store
        var feed = FeedStatistics()
        feed.connections = 51
        feed.subscriptions = 52
        feed.messages = 53
        feed.bytes = 54
        feed.closed = [1_013: 55, 1_001: 56]
        metrics.feed = feed
        metrics.process = .read()
        return metrics
    }

    @Test("every value is there under its name, with its labels")
    func values() {
        let lines = Self.full.text.split(separator: "\n").map(String.init)
        let pair = "\(RelayFixture.zrx.lowercaseHex)/\(RelayFixture.weth.lowercaseHex)"
        for line in [
            #"dex_relay_info{version="1.2\"\\\n3"} 1"#,
            "dex_relay_ready 1",
            #"dex_relay_requests_total{route="/v0/orders",method="GET",status="200"} 7"#,
            "dex_relay_open_requests 3",
            #"dex_relay_posted_orders_total{version="v1",outcome="added"} 5"#,
            #"dex_relay_posted_orders_total{version="v1",outcome="badSignature"} 2"#,
            #"dex_relay_waiting_orders{version="v1"} 4"#,
            #"dex_relay_orders{version="v4",pair="\#(pair)",state="shown"} 10"#,
            #"dex_relay_orders{version="v4",pair="\#(pair)",state="dormant"} 2"#,
            "dex_relay_changes_total 99", "dex_relay_watcher_active 1",
            "dex_relay_followed_block 1000", "dex_relay_latest_block 1002",
            "dex_relay_watcher_lag_blocks 2",
            "dex_relay_followed_block_timestamp_seconds 1700000000",
            "dex_relay_node_requests_total 31", "dex_relay_node_failures_total 32",
            "dex_relay_audited_orders_total 33", "dex_relay_reorganizations_total 34",
            "dex_relay_deepest_reorganization_blocks 35",
            "dex_relay_last_block_node_requests 36", "dex_relay_last_block_touched_orders 37",
            "dex_relay_store_failures_total 41", "dex_relay_store_reachable 1",
            "dex_relay_feed_connections 51", "dex_relay_feed_subscriptions 52",
            "dex_relay_feed_messages_total 53", "dex_relay_feed_sent_bytes_total 54",
            #"dex_relay_feed_closed_connections_total{code="1001"} 56"#,
            #"dex_relay_feed_closed_connections_total{code="1013"} 55"#,
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test("buckets add up, end with +Inf, and agree with the count and the sum")
    func histograms() {
        let lines = Self.full.text.split(separator: "\n")
            .filter { $0.hasPrefix("dex_relay_store_commit_duration_seconds") }
        let buckets = lines.filter { $0.contains("_bucket") }
        #expect(buckets.count == Histogram.bounds.count + 1)
        #expect(buckets.first == #"dex_relay_store_commit_duration_seconds_bucket{le="0.0001"} 1"#)
        #expect(
            lines.contains(#"dex_relay_store_commit_duration_seconds_bucket{le="0.5"} 2"#)
        )
        #expect(buckets.last == #"dex_relay_store_commit_duration_seconds_bucket{le="+Inf"} 3"#)
        #expect(lines.contains("dex_relay_store_commit_duration_seconds_count 3"))
        #expect(lines.contains { $0.hasPrefix("dex_relay_store_commit_duration_seconds_sum 60.3") })
        let counts = buckets.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(counts == counts.sorted())
    }

    @Test("each family has its help and type once, before its samples, and no other name")
    func form() throws {
        var families: [String: String] = [:]
        var current = ""
        for line in Self.full.text.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.split(separator: " ")
            if line.hasPrefix("# HELP ") {
                current = String(words[2])
                #expect(families[current] == nil, "\(current) twice")
            } else if line.hasPrefix("# TYPE ") {
                #expect(String(words[2]) == current)
                families[current] = String(words[3])
            } else if !line.isEmpty {
                let name = line.prefix { $0 != "{" && $0 != " " }
                #expect(name.hasPrefix(current))
                let kind = try #require(families[current])
                #expect((kind == "counter") == current.hasSuffix("_total"), "\(current)")
                if kind != "histogram" { #expect(name == current) }
            }
        }
        #expect(families.count >= 30)
        #expect(Self.full.text.hasSuffix("\n"))
    }

    @Test("a relay with very many pairs names the largest and sums up the rest")
    func manyPairs() {
        var metrics = RelayMetrics()
        for number in 1...1_000 {
            let pair = PairDirection(
                makerToken: Address(truncating: UInt256(UInt64(number)).word),
                takerToken: RelayFixture.weth
            )
            metrics.book.orders[MarketKey(version: .v1, pair: pair)] = [.shown: number]
        }
        let lines = metrics.text.split(separator: "\n").filter { $0.hasPrefix("dex_relay_orders{") }
        #expect(lines.count == 201)
        let sum = (1...800).reduce(0, +)
        #expect(
            lines.contains {
                $0 == #"dex_relay_orders{version="v1",pair="other",state="shown"} \#(sum)"#
            }
        )
    }

    @Test("what a relay does not have is left out")
    func absent() {
        let text = RelayMetrics().text
        for name in ["watcher", "store", "feed", "process"] { #expect(!text.contains(name)) }
    }

    @Test("the process's own figures are real")
    func process() {
        let statistics = ProcessStatistics.read()
        #expect(statistics.processorSeconds > 0)
        #expect(statistics.residentBytes > 1_000_000)
        #expect(statistics.openFiles >= 1)
    }
}
