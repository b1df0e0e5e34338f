/// `dex trades` of a day of a busy pool, 20,000 events in 43,200 blocks, from loopback.
///
/// Once from a node that writes times into its logs and once from one that must be asked for
/// headers; then again, where only the newest blocks are read.
enum PoolEventsBenchmark {
    private static let maximum = Duration.seconds(3)
    /// Events of the newest 128 blocks, which are read each time.
    private static let maximumAgain = 100.0

    static func run(binary: String) throws -> [Measurement] {
        try measure(binary, PoolDayServer.timedRole, "with times")
            + measure(binary, PoolDayServer.role, "without times")
    }

    private static func measure(
        _ binary: String,
        _ role: String,
        _ what: String
    ) throws -> [Measurement] {
        let folder = try TemporaryHome()
        let server = try ServerProcess(role: role, folder: folder.path)
        defer { server.stop() }
        let port = try Notice.wait(.seconds(30), for: "The benchmark's node") {
            Notice.read("\(folder.path)/port").flatMap { UInt16($0) }
        }
        let command = [
            binary, "trades", "\(PoolDay.weth)/\(PoolDay.usdc)", "--network", "base", "--rpc",
            "http://127.0.0.1:\(port)", "--json", "--quiet",
        ]
        func reading() throws -> (wall: Duration, logs: Int) {
            let before = served(folder)
            let child = try ChildProcess.run(
                command,
                environment: ["DEX_HOME": folder.path, "DEX_NETWORK": "base"],
                keepsOutput: true
            )
            guard child.exitCode == 0 else {
                print(child.output)
                throw ChildProcessError.exited(command, child.exitCode)
            }
            return (child.wall, served(folder) - before)
        }
        let first = try reading()
        let again = try reading()
        try folder.remove()
        return [
            Measurement(
                name: "\(first.logs) pool events \(what) / 3 s",
                figure: milliseconds(first.wall),
                ratio: first.wall / maximum,
                limit: 1
            ),
            Measurement(
                name: "the same again: events read / \(Int(maximumAgain))",
                figure: "\(again.logs) in \(milliseconds(again.wall))",
                ratio: Double(again.logs) / maximumAgain,
                limit: 1
            ),
        ]
    }

    private static func served(_ folder: TemporaryHome) -> Int {
        Notice.read("\(folder.path)/logs").flatMap { Int($0) } ?? 0
    }
}
