import DexTestSupport
import Testing

/// The help of every command of the built binary; read once, since each page is a process.
actor HelpPages {
    static let shared = HelpPages()

    /// The options that a command's help lists.
    struct Options {
        let own: Set<String>
        /// Those that every command has.
        let global: Set<String>

        var all: Set<String> { own.union(global) }
    }

    static let everywhere: Set<String> = [
        "--network", "--relay", "--rpc", "--wallet", "--json", "--yes", "--dry-run", "--quiet",
        "--verbose", "--no-color", "--timeout",
    ]

    private var reading: Task<[String: Options], any Error>?

    /// The commands that do something, `network list` and the like for those in groups.
    func commands() async throws -> [String: Options] {
        if let reading { return try await reading.value }
        let task = Task { try await Self.read([], of: DexBinary()) }
        reading = task
        return try await task.value
    }

    /// The commands at and below a path: a group goes on to its parts, a command is one.
    @concurrent
    private static func read(
        _ path: [String],
        of dex: DexBinary
    ) async throws -> [String: Options] {
        let run = try await dex.run(path + ["--help"])
        try #require(run.status == 0, "\(path): \(run.stderr)")
        let parts = parts(run.stdout)
        guard !parts.isEmpty else { return [path.joined(separator: " "): options(run.stdout)] }
        var all: [String: Options] = [:]
        for part in parts { all.merge(try await read(path + [part], of: dex)) { $1 } }
        return all
    }

    private static func parts(_ help: String) -> [String] {
        var isList = false
        var names: [String] = []
        for line in help.split(separator: "\n") {
            if !line.hasPrefix(" ") { isList = line.contains("SUBCOMMANDS") }
            guard isList, let match = line.prefixMatch(of: /\ \ ([a-z-]+)(?:,| |$)/) else {
                continue
            }
            if match.output.1 != "help" { names.append(String(match.output.1)) }
        }
        return names
    }

    private static func options(_ help: String) -> Options {
        let listed = Set(
            help.split(separator: "\n").compactMap { line in
                line.prefixMatch(of: /\ \ (?:-h, )?(--[a-z-]+)/).map { String($0.output.1) }
            }
        ).subtracting(["--help", "--version"])
        return Options(
            own: listed.subtracting(everywhere),
            global: listed.intersection(everywhere)
        )
    }
}
