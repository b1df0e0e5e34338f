import DexCore
import ZeroEx

/// The slowest of many runs against the median.
///
/// A median hides a cause that makes every twelfth run wait for ten seconds.
struct SlowestBenchmark {
    private static let runs = 100
    /// The maximum time of the slowest run, in medians.
    private static let limit = 3.0

    /// The commands, by their names in the table.
    private static let commands: [(name: String, words: [String], exit: Int32)] = [
        ("books", ["orderbook", "ZRX/WETH"], 0),
        (
            "reads of a market order",
            ["market-buy", "ZRX/WETH", "500", "--dry-run", "--wallet", "alice"], 30
        ),
    ]

    static func run(binary: String) throws -> [Measurement] {
        let orders = BookBenchmark.orderCount
        let sandbox = try BenchmarkSandbox(binary: binary, orders: orders)
        var measurements: [Measurement] = []
        for version in ProtocolVersion.allCases {
            let network = try sandbox.network(version).name
            for (name, words, exit) in commands {
                func wall() throws -> Duration {
                    let child = try sandbox.run(words + ["--network", network])
                    guard child.exitCode == exit else {
                        throw ChildProcessError.exited(words, child.exitCode)
                    }
                    return child.wall
                }
                // The first one verifies the book, which takes three times as long as all others.
                _ = try wall()
                let walls = try (0..<runs).map { _ in try wall() }
                let middle = median(walls)
                let slowest = walls.max() ?? middle
                measurements.append(
                    Measurement(
                        name: "slowest of \(runs) \(name), \(orders) \(version) orders / median",
                        figure: "\(milliseconds(slowest)) / \(milliseconds(middle))",
                        ratio: slowest / middle,
                        limit: limit
                    )
                )
            }
        }
        try sandbox.stop()
        return measurements
    }
}
