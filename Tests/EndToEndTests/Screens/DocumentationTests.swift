import DexTestSupport
import Foundation
import Testing

@testable import EndToEndTestSupport

/// The help is what the binary takes; what is written about it elsewhere must say the same.
@Suite("Documentation and help")
struct DocumentationTests {
    private static let root = PythonEnvironment.root

    private static func page(_ path: String) throws -> String {
        try String(decoding: Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    private static func flags(in text: some StringProtocol) -> Set<String> {
        Set(String(text).matches(of: /(?:^|[^\w-])(--[a-z][a-z0-9-]*)/).map { String($0.output.1) })
    }

    /// The groups of options of docs/commands.md by their names in capitals, such as LIST.
    private static func groups() throws -> [String: String] {
        let page = try page("docs/commands.md")
        return Dictionary(
            uniqueKeysWithValues: page.matches(of: /(?m)^- ([A-Z]+): `(.*)`/)
                .map { (String($0.output.1), String($0.output.2)) }
        )
    }

    /// The flags of a line, and those of the groups that it names.
    private static func flags(in line: String, with groups: [String: String]) -> Set<String> {
        let named = line.split(separator: " ").compactMap { groups[String($0)] }
        return named.reduce(into: flags(in: line)) { $0.formUnion(flags(in: $1, with: groups)) }
    }

    @Test("docs/commands.md has every command with exactly the options that its help has")
    func commandPage() async throws {
        let commands = try await HelpPages.shared.commands()
        let groups = try Self.groups()
        #expect(commands.count > 20 && groups.count == 5)
        var documented: Set<String> = []
        let page = try Self.page("docs/commands.md").split(separator: "\n").map(String.init)
        let list = try #require(page.firstIndex { $0.hasPrefix("- EVERY: ") })
        for row in page[list...] where row.hasPrefix("dex ") {
            let words = row.split(separator: " ").dropFirst()
                .prefix { $0.wholeMatch(of: /[a-z][a-z-]*/) != nil }
            let command = words.joined(separator: " ")
            #expect(documented.insert(command).inserted, "\(command)")
            guard let help = commands[command] else { continue }
            #expect(Self.flags(in: row, with: groups) == help.own, "\(command)")
        }
        #expect(documented == Set(commands.keys))
    }

    @Test("the options of every command are the same everywhere")
    func globalOptions() async throws {
        let documented = Self.flags(in: try Self.groups()["EVERY"] ?? "")
        #expect(documented.count == 12)
        for (command, help) in try await HelpPages.shared.commands() {
            #expect(help.global == documented, "\(command)")
        }
        let settings = try Self.page("docs/configuration.md")
        for flag in documented {
            #expect(settings.contains("`\(flag)`"), "docs/configuration.md lacks \(flag)")
        }
    }

    @Test("docs/output.md tells the data of every command, and of no other")
    func outputPage() async throws {
        let commands = Set(try await HelpPages.shared.commands().keys)
        let page = try Self.page("docs/output.md")
        var documented: Set<String> = []
        for line in page.split(separator: "\n") where line.hasPrefix("#### `") {
            for match in line.matches(of: /`([a-z][a-z -]*)`/) {
                documented.insert(String(match.output.1))
            }
        }
        // They have no JSON; `tokens list` is called `tokens` there.
        let silent: Set = ["live", "mcp", "provider", "tokens list"]
        #expect(documented == commands.subtracting(silent).union(["tokens"]))
    }

    @Test("every option and every command line in README and docs exists")
    func mentions() async throws {
        let groups = try await HelpPages.shared.groups()
        let commands = try await HelpPages.shared.commands()
        var known: Set<String> = ["--help", "--version", "--generate-completion-script"]
        for help in [commands.values, groups.values].joined() { known.formUnion(help.all) }
        for page in [
            "README.md", "docs/commands.md", "docs/configuration.md", "docs/doctor.md",
            "docs/output.md",
            "docs/money.md", "docs/sandbox.md", "docs/security.md", "docs/testing.md",
            "docs/trading.md", "docs/wallets.md", "docs/history.md", "docs/journal.md",
            "docs/watch.md", "docs/host-a-relay.md", "docs/market.md", "docs/cookbook.md",
        ] {
            let text = try Self.page(page)
            for match in text.matches(of: /`(?:dex [^`\n]*)?(--[a-z0-9-]+)[^`\n]*`/) {
                let flag = String(match.output.1)
                #expect(known.contains(flag), "\(page): \(flag)")
            }
            for line in text.split(separator: "\n") {
                let line = line.drop { $0 == " " || $0 == "$" }
                guard line.hasPrefix("dex "), !line.contains("…") else { continue }
                let words = line.split(separator: " ").dropFirst().map(String.init)
                let names = (1...3).map { words.prefix($0).joined(separator: " ") }
                // A group may stand without the word of a part: `dex approve --watch`.
                let isGroup = words.dropFirst().first?.hasPrefix("-") ?? true
                let help =
                    names.lazy.compactMap { commands[$0] }.first
                    ?? (isGroup ? words.first.flatMap { groups[$0] } : nil)
                guard let help else {
                    Issue.record("\(page): there is no such command: \(line)")
                    continue
                }
                let used = Self.flags(in: line.prefix { $0 != "#" })
                #expect(used.isSubset(of: help.all), "\(page): \(line)")
            }
        }
    }
}
