import DexTestSupport
import Foundation
import PostgresTestSupport
import Testing

/// Three instances of a relay on one database, behind HAProxy with the documented settings.
actor BalancedRelays {
    /// One instance: its settings stay, its process comes and goes.
    struct Instance: Sendable {
        let port: UInt16
        /// The path of its relay.toml.
        let settings: String

        var url: String { "http://127.0.0.1:\(port)" }
    }

    nonisolated let dex: DexBinary
    nonisolated let instances: [Instance]
    /// Where clients connect.
    nonisolated let url: String
    private let mark: String
    private var running: [ServingRelay?] = []
    private let proxy: GuardedProcess

    /// Starts all of them.
    ///
    /// - Parameter mark: what tells their processes from others'.
    init(_ dex: DexBinary, on database: PostgresDatabase, mark: String) async throws {
        self.dex = dex
        self.mark = mark
        let written = try await dex.run("relay init --network sandbox")
        try #require(written.status == 0, "\(written.stderr)")
        let template = try String(
            contentsOf: dex.home.appending(path: "relay.toml"),
            encoding: .utf8
        )
        let front = try FixedPort.free()
        url = "http://127.0.0.1:\(front)"
        var instances: [Instance] = []
        for number in 1...3 {
            let port = try FixedPort.free()
            let file = dex.home.appending(path: "relay\(number).toml")
            var text = template
            text.replace("127.0.0.1:8080", with: "127.0.0.1:\(port)")
            text.replace("sqlite:relay.sqlite", with: database.address())
            // Public, so that a stop waits for load balancers as it does by default.
            text.replace("# public = ", with: "public = ")
            text.replace("# trusted_proxies", with: "trusted_proxies")
            // On a busy machine HAProxy's two checks take longer than the default.
            text.replace("# drain_seconds = 5", with: "drain_seconds = 15")
            try Data(text.utf8).write(to: file)
            instances.append(Instance(port: port, settings: file.path))
        }
        self.instances = instances
        let settings = dex.home.appending(path: "haproxy.cfg")
        try Data(try Self.settings(front, instances.map(\.port)).utf8).write(to: settings)
        try await GuardedProcess.run(["/usr/sbin/haproxy", "-c", "-f", settings.path])
        proxy = try GuardedProcess(
            ["/usr/sbin/haproxy", "-db", "-f", settings.path],
            output: dex.home.appending(path: "haproxy.log").path,
            signal: "TERM"
        )
        running = instances.map { _ in nil }
        do {
            for index in instances.indices { try await start(index) }
            try await untilBalanced()
        } catch {
            await end()
            throw error
        }
    }

    private nonisolated func untilBalanced() async throws {
        try await until("HAProxy to pass a request on") {
            do {
                return try await KeptClient(url).get("/v0/orders").status == 200
            } catch is KeptClient.Broken {
                let log = try String(
                    contentsOf: dex.home.appending(path: "haproxy.log"),
                    encoding: .utf8
                )
                // Without it nobody would ever answer.
                try #require(!log.contains("[ALERT]"), "\(log)")
                return false
            }
        }
    }

    /// The documented file; only its ports and the number of its connections are others.
    private static func settings(_ front: UInt16, _ ports: [UInt16]) throws -> String {
        let file = PythonEnvironment.root.appending(path: "docs/hosting/haproxy.cfg")
        var text = try String(contentsOf: file, encoding: .utf8)
        let places =
            [
                ("bind :80\n", "bind 127.0.0.1:\(front)\n"),
                // Each takes two descriptors, and HAProxy does not start with too few of them.
                ("maxconn 20000\n", "maxconn 2000\n"),
            ]
            + ports.enumerated().map { ("127.0.0.1:808\($0 + 1)", "127.0.0.1:\($1)") }
        for (documented, own) in places {
            try #require(text.contains(documented), "\(documented) is not in \(file.path)")
            text.replace(documented, with: own)
        }
        return text
    }

    private func start(_ index: Int) async throws {
        running[index] = try await ServingRelay(
            dex,
            mark: mark,
            "--config",
            instances[index].settings
        )
    }

    /// Stops an instance as `systemctl stop` does, starts it again and waits until it is ready.
    func restart(_ index: Int) async throws {
        let status = await running[index]?.stop()
        running[index] = nil
        #expect(status == 0, "instance \(index + 1)")
        try await start(index)
        let url = instances[index].url
        try await until("200 of \(url)/readyz after its restart") {
            try await KeptClient(url).get("/readyz").status == 200
        }
    }

    /// The instances that say that they watch the chain; those that do not answer say nothing.
    nonisolated func watching() async throws -> [Int] {
        var found: [Int] = []
        for (index, instance) in instances.enumerated() {
            do {
                let answer = try await KeptClient(instance.url).get("/metrics")
                if answer.body.contains("\ndex_relay_watcher_active 1\n") { found.append(index) }
            } catch is KeptClient.Broken {
                continue
            }
        }
        return found
    }

    /// Ends all that still runs.
    func end() async {
        proxy.end()
        for relay in running {
            relay?.send(SIGKILL)
            _ = await relay?.status()
        }
        running = []
    }
}
