import DexTestSupport
import StrictJSON
import Testing

/// The commands of the built binary with their options, as it describes them to tools; read once.
actor HelpPages {
    static let shared = HelpPages()

    /// The options of a command.
    struct Options {
        let own: Set<String>
        /// Those that every command has.
        let global: Set<String>

        var all: Set<String> { own.union(global) }
    }

    static let everywhere: Set<String> = [
        "--network", "--relay", "--rpc", "--wallet", "--json", "--yes", "--dry-run", "--quiet",
        "--verbose", "--no-pager", "--no-color", "--timeout",
    ]

    private var reading: Task<JSONValue, any Error>?

    /// The commands that do something, `network list` and the like for those in groups.
    func commands() async throws -> [String: Options] {
        try Self.commands(try await root(), path: [])
    }

    /// The groups that do something without the word of a part, such as `approve`.
    func groups() async throws -> [String: Options] {
        var groups: [String: Options] = [:]
        for group in try await root()["subcommands"]?.arrayValue ?? [] {
            guard let name = group["commandName"]?.stringValue,
                let part = group["defaultSubcommand"]?.stringValue
            else { continue }
            groups[name] = group["subcommands"]?.arrayValue?
                .first { $0["commandName"]?.stringValue == part }.map(Self.options)
        }
        return groups
    }

    private func root() async throws -> JSONValue {
        if let reading { return try await reading.value }
        let task = Task { try await Self.read(DexBinary()) }
        reading = task
        return try await task.value
    }

    @concurrent
    private static func read(_ dex: DexBinary) async throws -> JSONValue {
        let run = try await dex.run("--experimental-dump-help")
        try #require(run.status == 0, "\(run.stderr)")
        return try #require(try JSONParser.parse(text: run.stdout)["command"])
    }

    /// The commands at and below a path: a group goes on to its parts, a command is one.
    private static func commands(_ command: JSONValue, path: [String]) throws -> [String: Options] {
        let parts = (command["subcommands"]?.arrayValue ?? []).filter {
            $0["shouldDisplay"]?.boolValue == true && $0["commandName"] != "help"
        }
        guard !parts.isEmpty else { return [path.joined(separator: " "): options(command)] }
        var all: [String: Options] = [:]
        for part in parts {
            let name = try #require(part["commandName"]?.stringValue)
            all.merge(try commands(part, path: path + [name])) { $1 }
        }
        return all
    }

    private static func options(_ command: JSONValue) -> Options {
        let names = (command["arguments"]?.arrayValue ?? []).compactMap { argument in
            argument["preferredName"]?["name"]?.stringValue.map { "--\($0)" }
        }
        let listed = Set(names).subtracting(["--help", "--version"])
        return Options(
            own: listed.subtracting(everywhere),
            global: listed.intersection(everywhere)
        )
    }
}
