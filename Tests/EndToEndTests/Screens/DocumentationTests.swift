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

    /// The rows of a page's tables whose first cell begins with a text in code.
    private static func rows(_ page: String) throws -> [String] {
        try Self.page(page).split(separator: "\n").compactMap { line in
            line.prefixMatch(of: /\| `(.*?)` \|/).map { String($0.output.1) }
        }
    }

    @Test("docs/commands.md has every command with exactly the options that its help has")
    func commandPage() async throws {
        let commands = try await HelpPages.shared.commands()
        #expect(commands.count > 20)
        var documented: Set<String> = []
        for row in try Self.rows("docs/commands.md") where row.hasPrefix("dex ") {
            let words = row.split(separator: " ").dropFirst()
                .prefix { $0.wholeMatch(of: /[a-z][a-z-]*/) != nil }
            let command = words.joined(separator: " ")
            documented.insert(command)
            guard let help = commands[command] else { continue }
            #expect(Self.flags(in: row) == help.own, "\(command)")
        }
        #expect(documented == Set(commands.keys))
    }

    @Test("the options of every command are the same everywhere")
    func globalOptions() async throws {
        let documented = Set(
            try Self.rows("docs/commands.md").filter { $0.hasPrefix("--") }
                .flatMap { Self.flags(in: $0) }
        )
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
        let commands = try await HelpPages.shared.commands()
        var known: Set<String> = ["--help", "--version", "--generate-completion-script"]
        for help in commands.values { known.formUnion(help.all) }
        for page in [
            "README.md", "docs/commands.md", "docs/configuration.md", "docs/doctor.md",
            "docs/output.md",
            "docs/money.md", "docs/sandbox.md", "docs/security.md", "docs/testing.md",
            "docs/trading.md", "docs/wallets.md", "docs/history.md", "docs/journal.md",
            "docs/watch.md", "docs/host-a-relay.md", "docs/market.md",
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
                guard let command = names.first(where: { commands[$0] != nil }) else {
                    Issue.record("\(page): there is no such command: \(line)")
                    continue
                }
                let used = Self.flags(in: line.prefix { $0 != "#" })
                #expect(used.isSubset(of: commands[command]?.all ?? []), "\(page): \(line)")
            }
        }
    }
}
