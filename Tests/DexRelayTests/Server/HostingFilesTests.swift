import DexTestSupport
import Foundation
import PostgresTestSupport
import StrictJSON
import Testing
import ZeroEx

@testable import DexRelay

/// The files of docs/hosting against the relay that they are for.
@Suite("Files for who hosts a relay")
struct HostingFilesTests {
    private static let folder = PythonEnvironment.root.appending(path: "docs/hosting")

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    }

    /// The names of all figures that a relay has, with those of its histograms.
    private func figures() async throws -> Set<String> {
        var metrics = RelayMetrics()
        var watcher = WatcherStatistics()
        (watcher.followed, watcher.latest, watcher.followedTime) = (1, 1, 1)
        metrics.watcher = watcher
        metrics.store = StoreStatistics()
        metrics.feed = FeedStatistics()
        metrics.process = .read()
        let kind = RequestStatistics.Kind(route: "/", method: "GET", status: 200)
        metrics.requests.answers[kind] = 1
        metrics.requests.times["/"] = Histogram()
        metrics.book.orders[MarketKey(version: .v1, pair: PlainOrder.ask)] = [.shown: 1]
        metrics.intake[.v1] = IntakeStatistics(posts: ["added": 1])
        var names: Set<String> = []
        for line in metrics.text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
            let parts = line.split(separator: " ")
            names.insert(String(parts[2]))
            guard parts[3] == "histogram" else { continue }
            for end in ["_bucket", "_sum", "_count"] { names.insert(parts[2] + end) }
        }
        return names
    }

    private func named(in text: String) -> Set<String> {
        Set(text.matches(of: /\b(?:dex_relay|process)_[a-z_]+/).map { String($0.output) })
    }

    @Test("alert rules and dashboard name only figures that a relay has")
    func names() async throws {
        let figures = try await figures()
        let alerts = named(in: try text("alerts.yml"))
        #expect(alerts.count > 8)
        #expect(alerts.subtracting(figures) == [])
        let dashboard = try text("dashboard.json")
        _ = try JSONParser.parse(Array(dashboard.utf8))
        #expect(named(in: dashboard).count > 12)
        #expect(named(in: dashboard).subtracting(figures) == [])
    }

    @Test("promtool finds no fault in the alert rules")
    func promtool() async throws {
        let path = Self.folder.appending(path: "alerts.yml").path
        let output = try await GuardedProcess.run(["promtool", "check", "rules", path])
        #expect(output.contains("SUCCESS: 11 rules found"), "\(output)")
    }

    @Test("the read-only role reads the relay's tables, and writes and makes nothing")
    func readOnlyRole() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        try await database.open().close()
        let reader = "reader_\(database.name)"
        try await GuardedProcess.run([
            "psql", "-h", database.server.folder.path, "-U", "dex", "-d", database.name,
            "-v", "role=\(reader)", "-f", Self.folder.appending(path: "read-only.sql").path,
        ])
        func psql(_ statement: String) async throws -> String {
            try await GuardedProcess.run([
                "psql", "-h", database.server.folder.path, "-U", reader, "-d", database.name,
                "-tA", "-c", statement,
            ])
        }
        #expect(try await psql("SELECT number FROM dex_relay.head").contains("0"))
        for statement in [
            "SET default_transaction_read_only = off; UPDATE dex_relay.head SET number = 7",
            "SET default_transaction_read_only = off; DELETE FROM dex_relay.orders",
            "CREATE TABLE dex_relay.more (id integer)",
            "SET default_transaction_read_only = off; INSERT INTO dex_relay.format VALUES (2, 2)",
        ] {
            await #expect(throws: (any Error).self, "\(statement)") {
                try await psql(statement)
            }
        }
    }

    @Test("the container's recipe copies what a build makes, and installs what the binary names")
    func container() throws {
        let recipe = try text("Containerfile")
        #expect(recipe.contains("COPY .build/release/dex /usr/local/bin/dex"))
        // The same packages as without a container.
        let page = try String(
            contentsOf: Self.folder.appending(path: "../host-a-relay.md"),
            encoding: .utf8
        )
        for package in ["libcurl4", "libssl3", "libsecp256k1-1", "libsqlite3-0", "libpq5"] {
            #expect(recipe.contains(" \(package)"), "\(package)")
            #expect(page.contains("`\(package)`"), "\(package)")
        }
        #expect(recipe.contains("STOPSIGNAL SIGTERM") && recipe.contains("USER 10001"))
    }
}
