import DexTestSupport
import Foundation
import Testing

/// The help is what the binary takes; what is written about it elsewhere must say the same.
@Suite("Documentation and help", .timeLimit(.minutes(2)))
struct DocumentationTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func page(_ path: String) throws -> String {
        try String(decoding: Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    private static func flags(in text: some StringProtocol) -> Set<String> {
        Set(String(text).matches(of: /(?:^|[^\w-])(--[a-z][a-z-]*)/).map { String($0.output.1) })
    }

    private static let everywhere: Set<String> = [
        "--network", "--relay", "--rpc", "--wallet", "--json", "--yes", "--dry-run", "--quiet",
        "--verbose", "--no-color", "--timeout",
    ]

    /// What a command's help lists: its own options, and those that every command has.
    private func help(_ command: String) async throws -> (own: Set<String>, global: Set<String>) {
        let run = try await dex.run(["help"] + command.split(separator: " ").map(String.init))
        try #require(run.status == 0, "\(command): \(run.stderr)")
        let listed = Set(
            run.stdout.split(separator: "\n").compactMap { line in
                line.prefixMatch(of: /\ \ (?:-h, )?(--[a-z-]+)/).map { String($0.output.1) }
            }
        ).subtracting(["--help", "--version"])
        return (
            listed.subtracting(Self.everywhere), listed.intersection(Self.everywhere)
        )
    }

    /// The commands that do something, `network list` and the like for those in groups.
    private func commands() async throws -> Set<String> {
        func listed(_ path: [String]) async throws -> [String] {
            let run = try await dex.run(path + ["--help"])
            var isList = false
            var names: [String] = []
            for line in run.stdout.split(separator: "\n") {
                if !line.hasPrefix(" ") { isList = line.contains("SUBCOMMANDS") }
                guard isList, let match = line.prefixMatch(of: /\ \ ([a-z-]+)(?:,| |$)/) else {
                    continue
                }
                if match.output.1 != "help" { names.append(String(match.output.1)) }
            }
            return names
        }
        // Each path is looked at once: a group goes on to its parts, a command is one.
        var all: Set<String> = []
        var paths = try await listed([]).map { [$0] }
        while let path = paths.popLast() {
            let parts = try await listed(path)
            if parts.isEmpty { all.insert(path.joined(separator: " ")) }
            paths += parts.map { path + [$0] }
        }
        return all
    }

    /// The rows of a page's tables whose first cell begins with a text in code.
    private static func rows(_ page: String) throws -> [String] {
        try Self.page(page).split(separator: "\n").compactMap { line in
            line.prefixMatch(of: /\| `(.*?)` \|/).map { String($0.output.1) }
        }
    }

    @Test("docs/commands.md has every command with exactly the options that its help has")
    func commandPage() async throws {
        let commands = try await commands()
        #expect(commands.count > 20)
        var documented: Set<String> = []
        for row in try Self.rows("docs/commands.md") where row.hasPrefix("dex ") {
            let words = row.split(separator: " ").dropFirst()
                .prefix { $0.wholeMatch(of: /[a-z-]+/) != nil }
            let command = words.joined(separator: " ")
            documented.insert(command)
            guard commands.contains(command) else { continue }
            let help = try await help(command)
            #expect(Self.flags(in: row) == help.own, "\(command)")
        }
        #expect(documented == commands)
    }

    @Test("the options of every command are the same everywhere")
    func globalOptions() async throws {
        let documented = Set(
            try Self.rows("docs/commands.md").filter { $0.hasPrefix("--") }
                .flatMap { Self.flags(in: $0) }
        )
        #expect(documented.count == 11)
        for command in try await commands() {
            let help = try await help(command)
            #expect(help.global == documented, "\(command)")
        }
        let settings = try Self.page("docs/configuration.md")
        for flag in documented {
            #expect(settings.contains("`\(flag)`"), "docs/configuration.md lacks \(flag)")
        }
    }

    @Test("docs/output.md tells the data of every command, and of no other")
    func outputPage() async throws {
        let commands = try await commands()
        let page = try Self.page("docs/output.md")
        let table = try #require(page.components(separatedBy: "### `data` by command").last)
        var documented: Set<String> = []
        for line in table.split(separator: "\n") where line.hasPrefix("| `") {
            let cell = line.dropFirst(2).prefix { $0 != "|" }
            for match in cell.matches(of: /`([a-z][a-z -]*)`/) {
                documented.insert(String(match.output.1))
            }
        }
        // One cell tells of each element of a key of another command.
        #expect(documented.subtracting(commands).isEmpty)
        #expect(commands.subtracting(documented).isEmpty)
    }

    @Test("every option and every command line in README and docs exists")
    func mentions() async throws {
        let commands = try await commands()
        var known: Set<String> = ["--help", "--version", "--generate-completion-script"]
        var byCommand: [String: Set<String>] = [:]
        for command in commands {
            let help = try await help(command)
            byCommand[command] = help.own.union(help.global)
            known.formUnion(help.own.union(help.global))
        }
        for page in [
            "README.md", "docs/commands.md", "docs/configuration.md", "docs/output.md",
            "docs/sandbox.md", "docs/security.md", "docs/testing.md", "docs/trading.md",
            "docs/wallets.md",
        ] {
            let text = try Self.page(page)
            for match in text.matches(of: /`(?:dex [^`\n]*)?(--[a-z-]+)[^`\n]*`/) {
                let flag = String(match.output.1)
                #expect(known.contains(flag), "\(page): \(flag)")
            }
            for line in text.split(separator: "\n") {
                let line = line.drop { $0 == " " || $0 == "$" }
                guard line.hasPrefix("dex "), !line.contains("…") else { continue }
                let words = line.split(separator: " ").dropFirst().map(String.init)
                let names = (1...3).map { words.prefix($0).joined(separator: " ") }
                guard let command = names.first(where: { commands.contains($0) }) else {
                    Issue.record("\(page): there is no such command: \(line)")
                    continue
                }
                let used = Self.flags(in: line.prefix { $0 != "#" })
                #expect(used.isSubset(of: byCommand[command] ?? []), "\(page): \(line)")
            }
        }
    }
}
