import StrictJSON

/// `dex orderbook` of three relays with the same 10,000 orders, against one of them.
struct MergedBookBenchmark {
    private static let rounds = 9
    private static let relays = 3
    private static let limit = 1.6

    static func run(binary: String) throws -> [Measurement] {
        var sandbox = try BenchmarkSandbox(binary: binary, orders: BookBenchmark.orderCount)
        let stores = (1...relays).map { "\(sandbox.home)/relay-\($0).sqlite" }
        try sandbox.copyOrders(to: stores)
        var servers: [HostedRelayProcess] = []
        defer { servers.forEach { $0.stop() } }
        for store in stores { servers.append(try HostedRelayProcess(sandbox, store: store)) }
        func book(_ count: Int) throws -> ChildProcess {
            let named = servers.prefix(count).flatMap {
                ["--relay", "http://127.0.0.1:\($0.port)/v0"]
            }
            let arguments =
                ["orderbook", "ZRX/WETH", "--network", "sandbox", "--json", "--quiet"] + named
            let child = try sandbox.run(arguments, keepsOutput: true)
            guard child.exitCode == 0 else {
                throw ChildProcessError.exited(arguments, child.exitCode)
            }
            return child
        }
        let one = try orders(book(1))
        let merged = try orders(book(relays))
        guard merged == one else { throw OtherBook(one: one, merged: merged) }
        var walls: [Duration] = []
        var processors: [Duration] = []
        var ratios: [Double] = []
        // In turn, so that a slow moment of the machine affects both.
        for _ in 0..<rounds {
            let single = try book(1)
            let merged = try book(relays)
            walls.append(merged.wall)
            processors.append(merged.processor)
            ratios.append(merged.wall / single.wall)
        }
        try sandbox.stop()
        let each = median(processors) / one
        return [
            Measurement(
                name: "book of 3 relays with \(one) orders / of one",
                figure: "\(milliseconds(median(walls))); \(microseconds(each)) an order",
                ratio: median(ratios),
                limit: limit
            )
        ]
    }

    private static func orders(_ child: ChildProcess) throws -> Int {
        let data = try JSONParser.parse(text: child.output)["data"]
        return (data?["bids"]?.arrayValue?.count ?? 0) + (data?["asks"]?.arrayValue?.count ?? 0)
    }

    private struct OtherBook: Error, CustomStringConvertible {
        let one: Int
        let merged: Int

        var description: String { "One relay's book has \(one) orders, the merged one \(merged)." }
    }
}
