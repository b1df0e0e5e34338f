import DexStore
import Ethereum
import Glibc

/// The binary's start-up in those of an empty program: without work, and with open settings and
/// journal.
///
/// Processor time is compared, of alternating runs. What makes a start dear, faults and the system's
/// calls, makes both dearer on a busy machine. Where /bin/true takes 0.55 ms, `dex --version` may
/// take 4 ms more, a command that opens settings and journal 14 ms more.
struct StartUpBenchmark {
    private static let runs = 100
    private static let maximumOfVersion = 8.3
    private static let maximumOfConfig = 26.5

    static func run(binary: String) throws -> [Measurement] {
        let sandbox = try BenchmarkSandbox(binary: binary, orders: 40)
        _ = try sandbox.run(["config", "set", "network", "sandbox"])
        // As installed by hand, and by `make install`. What a linker wrote lies in the page cache
        // in small pieces, each of which costs a fault: the first to read a copy has larger ones.
        let copy = "\(sandbox.home)/dex-copy"
        _ = try processor(["/bin/cp", binary, copy])
        let stripped = "\(sandbox.home)/dex-stripped"
        _ = try processor(["/usr/bin/strip", "-o", stripped, binary])
        var peers: [Duration] = []
        var versions: [Duration] = []
        var strippedVersions: [Duration] = []
        var shown: [Duration] = []
        for _ in 0..<runs {
            peers.append(try processor(["/bin/true"]))
            versions.append(try processor([copy, "--version"]))
            strippedVersions.append(try processor([stripped, "--version"]))
            shown.append(try processor([binary, "config", "show", "--json"]))
        }
        let completions = try completions(sandbox)
        let journal = try medianOpening(journal: "\(sandbox.home)/bench.sqlite")
        try sandbox.stop()
        let peer = median(peers)
        let starts = [("dex", versions), ("stripped dex", strippedVersions)].map { name, times in
            Measurement(
                name: "\(name) --version / /bin/true (\(milliseconds(peer)))",
                figure: milliseconds(median(times)),
                ratio: median(times) / peer,
                limit: maximumOfVersion
            )
        }
        return starts + [
            Measurement(
                name: "dex config show + opening the journal / /bin/true",
                figure: "\(milliseconds(median(shown))) + \(milliseconds(journal))",
                ratio: (median(shown) + journal) / peer,
                limit: maximumOfConfig
            ),
            completions,
        ]
    }

    /// The slowest kind of word that a shell lets `dex` complete, as the median of its runs.
    private static func completions(_ sandbox: BenchmarkSandbox) throws -> Measurement {
        _ = try sandbox.run(
            [
                "place-limit", "sell", "ZRX/WETH", "1", "--price", "0.9", "--wallet", "alice",
                "--yes",
            ]
        )
        var slowest: (words: [String], time: Duration) = ([], .zero)
        for words in [
            ["mark"], ["orderbook", "ZRX/WE"], ["network", "use", "main"],
            ["balance", "--wallet", "al"], ["cancel", "0x"], ["tx", "speedup", "0x"],
        ] {
            var times: [Duration] = []
            for _ in 0..<runs {
                times.append(try processor([sandbox.binary, "__complete"] + words))
            }
            let time = median(times)
            if time > slowest.time { slowest = (words, time) }
        }
        return Measurement(
            name: "dex __complete \(slowest.words.joined(separator: " ")) / 30 ms",
            figure: milliseconds(slowest.time),
            ratio: slowest.time / .milliseconds(30),
            limit: 1
        )
    }

    /// Processor time of a run, in the environment of the sandbox's commands.
    private static func processor(_ arguments: [String]) throws -> Duration {
        let child = try ChildProcess.run(arguments)
        guard child.exitCode == 0 else {
            throw ChildProcessError.exited(arguments, child.exitCode)
        }
        return child.processor
    }

    /// The median time to open an existing journal and read it, as a command's first read does.
    private static func medianOpening(journal path: String) throws -> Duration {
        _ = try Journal(path: path).unsettled(chainID: 1, sender: .zero)
        var openings: [Duration] = []
        for _ in 0..<runs {
            let before = processorTime
            _ = try Journal(path: path).unsettled(chainID: 1, sender: .zero)
            openings.append(processorTime - before)
        }
        return median(openings)
    }

    /// This process's processor time.
    private static var processorTime: Duration {
        // clock(3) counts microseconds on every POSIX system.
        .microseconds(clock())
    }
}
