import DexStore
import Ethereum

/// What the binary takes to start: with nothing to do, and until settings and journal are open.
struct StartUpBenchmark {
    private static let runs = 100

    static func run(binary: String) throws -> [Measurement] {
        let sandbox = try BenchmarkSandbox(binary: binary, orders: 40)
        _ = try sandbox.run(["config", "set", "network", "sandbox"])
        let bare = try medianWall(sandbox, ["--version"])
        let configured = try medianWall(sandbox, ["config", "show", "--json"])
        let journal = try medianOpening(journal: "\(sandbox.home)/bench.sqlite")
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
                name: "dex config show + opening the journal / 15 ms",
                figure: "\(milliseconds(configured)) + \(milliseconds(journal))",
                ratio: (configured + journal) / .milliseconds(15),
                limit: 1
            ),
        ]
    }

    private static func medianWall(
        _ sandbox: BenchmarkSandbox,
        _ arguments: [String]
    ) throws -> Duration {
        var walls: [Duration] = []
        for _ in 0..<runs {
            let child = try sandbox.run(arguments)
            guard child.exitCode == 0 else {
                throw ChildProcessError.exited(arguments, child.exitCode)
            }
            walls.append(child.wall)
        }
        return median(walls)
    }

    private static func medianWall(_ arguments: [String]) throws -> Duration {
        var walls: [Duration] = []
        for _ in 0..<runs { walls.append(try ChildProcess.run(arguments).wall) }
        return median(walls)
    }

    /// Opening a journal that is there and reading it, as the first read of a command does.
    private static func medianOpening(journal path: String) throws -> Duration {
        _ = try SQLiteJournal(path: path).unsettled(chainID: 1, sender: .zero)
        var walls: [Duration] = []
        for _ in 0..<runs {
            walls.append(
                try ContinuousClock().measure {
                    _ = try SQLiteJournal(path: path).unsettled(chainID: 1, sender: .zero)
                }
            )
        }
        return median(walls)
    }
}
