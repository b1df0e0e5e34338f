import Glibc
import ZeroEx

/// Prints the benchmarks of docs/architecture.md as ratios to a peer or a limit of the same run.
///
/// It exits with 1 if one is over its limit.
@main
struct Bench {
    static func main() async {
        let words = CommandLine.arguments
        if words.count == 3, words[1] == RelayBenchmarkServer.role {
            await serve(folder: words[2])
        }
        if words.count == 3, words[1] == PoolMarketServer.role {
            await serveMarket(folder: words[2])
        }
        let poolRoles = [PoolDayServer.role, PoolDayServer.timedRole]
        if words.count == 3, poolRoles.contains(words[1]) {
            serveNode(folder: words[2], tellsTimes: words[1] == PoolDayServer.timedRole)
        }
        guard
            words.count == 3
                || words.count == 4
                    && ["book", "evm", "live", "mcp", "pools", "relay", "state"].contains(words[3])
        else {
            print(
                "usage: dex-bench PATH-OF-DEX PYTHON-WITH-ETH-ACCOUNT "
                    + "[book|evm|live|mcp|pools|relay|state]"
            )
            exit(2)
        }
        let binary = words[1]
        let python = words[2]
        let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        do {
            let isWithinLimits =
                switch words.dropFirst(3).first {
                case "book": try await runBook(binary: binary, cores: cores)
                case "evm": try await runInterpreter(python: python)
                case "live": try await runLive(binary: binary, python: python)
                case "mcp": try runToolServer(binary: binary)
                case "pools": try await runPools(binary: binary)
                case "relay": try await runRelay(binary: binary, cores: cores)
                case "state": try await runState()
                default: try await run(binary: binary, python: python, cores: cores)
                }
            exit(isWithinLimits ? 0 : 1)
        } catch {
            print("The benchmarks ended early: \(error)")
            exit(1)
        }
    }

    private static func serve(folder: String) async -> Never {
        do {
            try await RelayBenchmarkServer.run(folder: folder)
            exit(0)
        } catch {
            print("The relay of the benchmark ended: \(error)")
            exit(1)
        }
    }

    private static func serveMarket(folder: String) async -> Never {
        do {
            try await PoolMarketServer.run(folder: folder)
            exit(0)
        } catch {
            print("The node of the benchmark ended: \(error)")
            exit(1)
        }
    }

    private static func serveNode(folder: String, tellsTimes: Bool) -> Never {
        do {
            try PoolDayServer.run(folder: folder, tellsTimes: tellsTimes)
            exit(0)
        } catch {
            print("The node of the benchmark ended: \(error)")
            exit(1)
        }
    }

    /// The figures of a chain's state alone.
    private static func runState() async throws -> Bool {
        let measurements = try await Steady.measured { try TrieBenchmark.run() }
        for measurement in measurements { print(measurement.line) }
        return measurements.allSatisfy(\.isWithinLimit)
    }

    /// The figures of a model's tools alone.
    private static func runToolServer(binary: String) throws -> Bool {
        let measurements = try ToolServerBenchmark.run(binary: binary)
        for measurement in measurements { print(measurement.line) }
        return measurements.allSatisfy(\.isWithinLimit)
    }

    /// The figures of the interpreter alone.
    private static func runInterpreter(python: String) async throws -> Bool {
        let measurements = try await Steady.measured {
            try InterpreterBenchmark.run(python: python)
        }
        for measurement in measurements { print(measurement.line) }
        return measurements.allSatisfy(\.isWithinLimit)
    }

    /// The figures of Uniswap's pools alone.
    private static func runPools(binary: String) async throws -> Bool {
        var isWithinLimits = true
        try await pools(binary) { measurements in
            for measurement in measurements {
                print(measurement.line)
                isWithinLimits = isWithinLimits && measurement.isWithinLimit
            }
        }
        return isWithinLimits
    }

    private static func pools(
        _ binary: String,
        _ show: ([Measurement]) -> Void
    ) async throws {
        show(try await Steady.measured { try PoolWalkBenchmark.run() })
        show(try await Steady.measured { try await PoolPriceBenchmark.run(binary: binary) })
        show(try await Steady.measured { try PoolEventsBenchmark.run(binary: binary) })
    }

    /// The figures of the full screen alone: its memory is that of this process.
    private static func runLive(binary: String, python: String) async throws -> Bool {
        let measurements =
            try await Steady.measured { try LiveBenchmark.run() }
            + Steady.measured {
                try LiveTimesBenchmark.run(binary: binary, python: python)
            }
        for measurement in measurements { print(measurement.line) }
        return measurements.allSatisfy(\.isWithinLimit)
    }

    /// The figures of `dex orderbook` alone.
    private static func runBook(binary: String, cores: Int) async throws -> Bool {
        var verifications: [ProtocolVersion: VerificationBenchmark] = [:]
        for version in ProtocolVersion.allCases {
            verifications[version] = try await VerificationBenchmark(version, cores: cores)
        }
        let measurements = try await Steady.measured {
            try await BookBenchmark.run(binary: binary, verifications: verifications)
        }
        for measurement in measurements { print(measurement.line) }
        return measurements.allSatisfy(\.isWithinLimit)
    }

    /// The figures of a hosted relay alone.
    private static func runRelay(binary: String, cores: Int) async throws -> Bool {
        let verification = try await VerificationBenchmark(.v1, cores: cores)
        var isWithinLimits = true
        try await relay(binary, verification) { measurements in
            for measurement in measurements {
                print(measurement.line)
                isWithinLimits = isWithinLimits && measurement.isWithinLimit
            }
        }
        return isWithinLimits
    }

    private static func relay(
        _ binary: String,
        _ verification: VerificationBenchmark,
        _ show: ([Measurement]) -> Void
    ) async throws {
        try await RelayBenchmark.run(verification, show)
        show(try await Steady.measured { try await LargeRelayBenchmark.run(binary: binary) })
        show(try await Steady.measured { try MergedBookBenchmark.run(binary: binary) })
    }

    /// Every figure is within its limit.
    private static func run(
        binary: String,
        python: String,
        cores: Int
    ) async throws -> Bool {
        var isWithinLimits = true
        func show(_ measurements: [Measurement]) {
            for measurement in measurements {
                print(measurement.line)
                isWithinLimits = isWithinLimits && measurement.isWithinLimit
            }
        }

        print("\(cores) cores; ratios are what counts, times are noise on a shared machine")
        var verifications: [ProtocolVersion: VerificationBenchmark] = [:]
        for version in ProtocolVersion.allCases {
            let verification = try await VerificationBenchmark(version, cores: cores)
            show(try await Steady.measured { try await verification.run() })
            verifications[version] = verification
        }
        // Before the relay's: the peak of a child's memory has this process's in it, as of its start.
        let books = verifications
        show(
            try await Steady.measured {
                try await BookBenchmark.run(binary: binary, verifications: books)
            }
        )
        if let verification = verifications[.v1] {
            try await relay(binary, verification, show)
        }
        show(try await Steady.measured { try SlowestBenchmark.run(binary: binary) })
        show(try await Steady.measured { try StartUpBenchmark.run(binary: binary) })
        show(try ToolServerBenchmark.run(binary: binary))
        let live = try ChildProcess.run(
            ["/proc/self/exe", binary, python, "live"],
            keepsOutput: true
        )
        print(live.output, terminator: "")
        isWithinLimits = isWithinLimits && live.exitCode == 0
        show(
            try await Steady.measured { [try UnlockBenchmark.run(binary: binary, python: python)] }
        )
        show(try await RoundTripBenchmark.run(binary: binary))
        try await pools(binary, show)
        show(try await Steady.measured { try TrieBenchmark.run() })
        show(try await Steady.measured { try InterpreterBenchmark.run(python: python) })
        return isWithinLimits
    }
}
