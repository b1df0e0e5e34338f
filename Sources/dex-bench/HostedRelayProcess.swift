import Glibc

/// `dex relay serve` on a sandbox's chain, with a copy of its relay's orders.
struct HostedRelayProcess {
    private let server: ServerProcess
    let port: UInt16
    /// From its start until it said that it is ready.
    let startTime: Duration

    /// Starts it and waits until it is ready.
    ///
    /// - Parameter store: a SQLite file with the orders.
    init(_ sandbox: BenchmarkSandbox, store: String) throws {
        port = try Loopback.freePort()
        let settings = "\(store).toml"
        Notice.write(
            """
            listen = "127.0.0.1:\(port)"
            network = "sandbox"
            rpc = ["\(sandbox.rpc)"]
            protocols = ["v1", "v4"]
            pairs = "any"
            store = "sqlite:\(store)"
            [limits]
            connections_of_address = 4096

            """,
            to: settings
        )
        setenv("DEX_HOME", sandbox.home, 1)
        let start = ContinuousClock.now
        let log = "\(store).log"
        server = try ServerProcess(
            [sandbox.binary, "relay", "serve", "--config", settings],
            log: log
        )
        do {
            try Notice.wait(.seconds(60), for: "A ready relay") { [port] () -> Void? in
                do throws(ChildProcessError) {
                    let answer = try Loopback.exchange("GET /readyz", port: port)
                    return answer.status == 200 ? () : nil
                } catch {
                    return nil  // It does not listen yet.
                }
            }
        } catch {
            server.stop()
            print(Notice.read(log) ?? "The relay wrote no log.")
            throw error
        }
        startTime = ContinuousClock.now - start
    }

    /// Bytes of resident memory at the peak.
    var peakMemory: Int { server.peakMemory }

    func get(_ path: String) throws(ChildProcessError) -> (status: Int, body: [UInt8]) {
        try Loopback.exchange("GET \(path)", port: port)
    }

    /// Orders of all books that are shown or wait for funds.
    func orderCount() throws -> Int {
        String(decoding: try get("/metrics").body, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("dex_relay_orders{") }
            .reduce(0) { $0 + ($1.split(separator: " ").last.flatMap { Int($0) } ?? 0) }
    }

    func stop() {
        server.stop()
    }
}
