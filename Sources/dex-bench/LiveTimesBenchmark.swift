import StrictJSON

/// `dex live` at a pseudo-terminal of 200x60, on the sandbox: its first picture, the echo of a key,
/// what it costs while nothing happens.
struct LiveTimesBenchmark {
    /// Milliseconds.
    private static let firstLimit = 300.0
    private static let echoLimit = 30.0
    /// Percent of a core, at mainnet's pace: a node is asked every 6 seconds.
    private static let idleLimit = 0.3

    private struct Unreadable: Error, CustomStringConvertible {
        let output: String

        var description: String { "dex live was not timed: \(output)" }
    }

    private static func number(_ name: String, _ json: String) -> Double? {
        // nil: it is no JSON
        guard let value = (try? JSONParser.parse(text: json))?[name] else { return nil }
        return value.numberText.flatMap(Double.init)
    }

    static func run(binary: String, python: String) throws -> [Measurement] {
        let usual = try times(binary, python, orders: nil)
        let large = try times(binary, python, orders: BookBenchmark.orderCount)
        return [
            Measurement(
                name: "dex live: the first picture, on the usual sandbox",
                figure: "\(decimals(usual.first, 1)) ms",
                ratio: usual.first / firstLimit,
                limit: 1
            ),
            Measurement(
                name: "dex live: a key's echo, busy cores, 10,000 orders",
                figure: "\(decimals(large.echo, 1)) ms",
                ratio: large.echo / echoLimit,
                limit: 1
            ),
            Measurement(
                name: "dex live: idle, of a core, 10,000 orders",
                figure: "\(decimals(large.idle, 2)) %",
                ratio: large.idle / idleLimit,
                limit: 1
            ),
        ]
    }

    private struct Times {
        /// Milliseconds.
        let first: Double
        let echo: Double
        /// Percent of a core.
        let idle: Double
    }

    private static func times(_ binary: String, _ python: String, orders: Int?) throws -> Times {
        let sandbox = try BenchmarkSandbox(binary: binary, orders: orders)
        let timed = Result { try times(binary, python, sandbox) }
        try sandbox.stop()
        return try timed.get()
    }

    private static func times(
        _ binary: String,
        _ python: String,
        _ sandbox: BenchmarkSandbox
    ) throws -> Times {
        try sandbox.addSlowNetwork("slow")
        let child = try ChildProcess.run(
            [
                python, "Tests/Python/live_times.py", binary, "live", "ZRX/WETH", "--network",
                "slow", "--wallet", sandbox.account,
            ],
            environment: ["DEX_HOME": sandbox.home],
            keepsOutput: true
        )
        guard child.exitCode == 0, let first = number("first_ms", child.output),
            let echo = number("echo_median_ms", child.output),
            let idle = number("idle_percent", child.output)
        else { throw Unreadable(output: child.output) }
        return Times(first: first, echo: echo, idle: idle)
    }
}
