import StrictJSON

/// `dex orderbook` end to end, against the sandbox over loopback: time against the recoveries that
/// it cannot avoid, peak memory, and how both grow with the book.
struct BookBenchmark {
    static let orderCount = 10_000

    private static let rounds = 9

    /// - Parameter verification: recovers signatures and does nothing else.
    static func run(
        binary: String,
        verification: VerificationBenchmark
    ) async throws -> [Measurement] {
        let half = try await measure(binary, orders: orderCount / 2, verification)
        let full = try await measure(binary, orders: orderCount, verification)
        let megabyte = 1_048_576.0
        return [
            Measurement(
                name: "orderbook of \(full.received) orders / its recoveries",
                figure: milliseconds(full.wall),
                ratio: full.ratio,
                limit: 1.5
            ),
            Measurement(
                name: "orderbook of \(full.received) orders: memory / 80 MiB",
                figure: "\(decimals(Double(full.peakMemory) / megabyte, 1)) MiB",
                ratio: Double(full.peakMemory) / megabyte / 80,
                limit: 1
            ),
            Measurement(
                name: "time of \(full.received) / 2 x time of \(half.received) orders",
                figure: "\(milliseconds(half.wall)) for half",
                ratio: full.wall / (half.wall * 2),
                limit: 1.1
            ),
        ]
    }

    private struct Run {
        let received: Int
        let wall: Duration
        /// To the recoveries of all orders, spread over all cores.
        let ratio: Double
        let peakMemory: Int
    }

    private static func measure(
        _ binary: String,
        orders: Int,
        _ verification: VerificationBenchmark
    ) async throws -> Run {
        let sandbox = try BenchmarkSandbox(binary: binary, orders: orders)
        let json = ["orderbook", "ZRX/WETH", "--json", "--quiet"]
        let checked = try sandbox.run(json, keepsOutput: true)
        guard checked.exitCode == 0 else {
            throw ChildProcessError.exited(json, checked.exitCode)
        }
        let data = try JSONParser.parse(text: checked.output)["data"]
        let received = data?["received"]?.numberText.flatMap { Int($0) } ?? 0
        // As a trader types it; the count alone takes the other form.
        let arguments = ["orderbook", "ZRX/WETH"]
        var walls: [Duration] = []
        var ratios: [Double] = []
        var peak = 0
        // Both are measured in turn, so that a slow moment of the machine hits both.
        for _ in 0..<rounds {
            let recovery = try await verification.sharedRecovery()
            let child = try sandbox.run(arguments)
            guard child.exitCode == 0 else {
                throw ChildProcessError.exited(arguments, child.exitCode)
            }
            walls.append(child.wall)
            ratios.append(child.wall / (recovery * received))
            peak = max(peak, child.peakMemory)
        }
        try sandbox.stop()
        return Run(
            received: received,
            wall: median(walls),
            ratio: ratios.sorted()[rounds / 2],
            peakMemory: peak
        )
    }
}
