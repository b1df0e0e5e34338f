/// What the binary takes to start, with nothing to do and with settings and journal opened.
struct StartUpBenchmark {
    private static let runs = 100

    static func run(binary: String) throws -> [Measurement] {
        let sandbox = try BenchmarkSandbox(binary: binary, orders: 40)
        _ = try sandbox.run(["config", "set", "network", "sandbox"])
        let bare = try medianWall(sandbox, ["--version"])
        let opened = try medianWall(sandbox, ["orders", "--mine", "--json"])
        let peer = try medianWall(["/bin/true"])
        try sandbox.stop()
        return [
            Measurement(
                name: "dex --version / 8 ms (/bin/true: \(milliseconds(peer)))",
                figure: milliseconds(bare),
                ratio: bare / .milliseconds(8),
                limit: 1
            ),
            Measurement(
                name: "dex orders --mine (config, journal) / 15 ms",
                figure: milliseconds(opened),
                ratio: opened / .milliseconds(15),
                limit: 1
            ),
        ]
    }

    private static func medianWall(
        _ sandbox: BenchmarkSandbox,
        _ arguments: [String]
    ) throws -> Duration {
        var walls: [Duration] = []
        for _ in 0..<runs { walls.append(try sandbox.run(arguments).wall) }
        return median(walls)
    }

    private static func medianWall(_ arguments: [String]) throws -> Duration {
        var walls: [Duration] = []
        for _ in 0..<runs { walls.append(try ChildProcess.run(arguments).wall) }
        return median(walls)
    }
}
