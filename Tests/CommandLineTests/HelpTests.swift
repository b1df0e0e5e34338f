import ArgumentParser
import DexSettings
import DexTerminal
import Foundation
import StrictJSON
import Testing

@testable import DexCommandLine

/// The help of every command, made by the command itself.
@Suite("Help of every command")
struct HelpTests {
    /// Every command and group that a user may type.
    private static let paths = CommandPath.all

    /// Their help, made once: in a debug build ArgumentParser takes its time.
    private static let pages = Result { try paths.map { ($0, try CommandHelp($0)) } }

    @Test("each opens with one sentence and two or three examples of itself")
    func openings() throws {
        #expect(Self.paths.count > 80)
        for (path, help) in try Self.pages.get() {
            let name = path.name
            #expect(
                help.summary.hasSuffix(".") && !help.summary.dropLast().contains(". "),
                "\(name)"
            )
            #expect((2...3).contains(help.examples.count), "\(name)")
            let names = Self.spellings(path)
            #expect(
                help.examples.contains { example in
                    names.contains { (example.line + " ").hasPrefix($0 + " ") }
                },
                "no example of \(name) is one"
            )
            for example in help.examples {
                #expect(!example.purpose.hasSuffix("."), "\(name): \(example.purpose)")
            }
        }
    }

    @Test("the coin of a network has no other chain's name")
    func coin() throws {
        let word = try Regex("\\b([Ee]ther|ETH)\\b")
        for (path, help) in try Self.pages.get() {
            let screen = Screen(width: 200, style: .plain, now: 0)
            let lines = HelpView(help).lines(screen).filter {
                // The default and an example are those of Ethereum.
                !$0.contains("ETH).") && !$0.contains("such as ETH") && !$0.contains("dex send ETH")
            }
            for line in lines { #expect(!line.contains(word), "\(path.name): \(line)") }
        }
    }

    @Test("every example is read by the parser of the commands")
    func examples() throws {
        let all =
            try Self.pages.get().flatMap(\.1.examples)
            + (try CommandHelp(.options).examples)
        #expect(all.count > 160)
        for line in Set(all.map(\.line)) {
            let words = try #require(CommandWords.split(line))
            #expect(words.first == "dex", "\(line)")
            do {
                let command = try Self.line(Array(words.dropFirst())).parse()
                // A group alone is help, but for one that does something by default.
                #expect(command is any DexCommand, "\(line)")
            } catch {
                Issue.record("\(line): \(Dex.message(for: error.error))")
            }
        }
    }

    @Test(
        "a page fits the terminal; only a word that is longer stands out",
        arguments: [40, 80, 120]
    )
    func widths(width: Int) throws {
        let screen = Screen(width: width, style: .plain, now: 0)
        for (path, help) in try Self.pages.get() {
            for line in HelpView(help).lines(screen) where line.count > width {
                let words = String(line.drop { $0 == " " }).replacing(#/ \\$/#, with: "")
                let isOneWord =
                    !words.contains(" ") || words.hasPrefix("'") || words.hasPrefix("\"")
                #expect(isOneWord || words.hasPrefix("-"), "\(path.name): \(line)")
            }
        }
    }

    @Test("the options of every command are on a page of their own and on no other")
    func folded() throws {
        let everywhere = try CommandHelp(.options).parameters
        #expect(everywhere.count == 12)
        for (path, help) in try Self.pages.get() {
            #expect(help.parameters.allSatisfy { !everywhere.contains($0) }, "\(path.name)")
        }
    }

    @Test("the words of a command line that ask for help")
    func topics() {
        func words(_ arguments: String...) -> [String]? {
            guard case .command(let words) = HelpTopic(arguments) else { return nil }
            return words
        }
        #expect(words("help") == [])
        #expect(words("help", "wallet", "new") == ["wallet", "new"])
        #expect(words("wallet", "new", "--help") == ["wallet", "new"])
        #expect(words("buy", "-h", "-j") == ["buy"])
        #expect(words("buy", "ZRX/WETH", "1") == nil)
        #expect(words("call", "ZRX", "f(string)", "--", "--help") == nil)
        guard case .options = HelpTopic(["help", "options"]) else {
            Issue.record("dex help options is a topic")
            return
        }
    }

    @Test("short flags, alone, together and before the command")
    func shortFlags() throws {
        for arguments in [
            ["tokens", "-jq"], ["tokens", "-qj"], ["-j", "-q", "tokens"], ["-qj", "tokens", "ZRX"],
        ] {
            let line = Self.line(arguments)
            #expect(line.wantsJSON)
            let command = try line.parse() as? TokensCommand.ListCommand
            #expect(command?.options.isJSON == true && command?.options.isQuiet == true)
        }
        let line = Self.line(["-nvw", "alice", "wrap", "1", "-y"])
        let wrap = try #require(try line.parse() as? WrapCommand)
        #expect(wrap.options.wallet == "alice" && wrap.options.isDryRun && wrap.options.isVerbose)
        #expect(wrap.options.saysYes && !wrap.options.isJSON)
        for word in ["-w", "--json", "-1", "-", "--", "j", "-wj", "-h"] {
            #expect(CommonOption.letters(of: word)?.contains("j") != true, "\(word)")
        }
        #expect(!Self.line(["call", "ZRX", "f(string)", "--", "-j"]).wantsJSON)
    }

    @Test("a group's manual page has every option of every command below it")
    func manualOptions() throws {
        let day = try #require(ManualPage.Day(iso: "2026-11-23"))
        let sandbox = try ManualCommand.text("dex-sandbox", day)
        for flag in ["detach", "block-time", "times", "blocks", "share", "chain-id", "kind"] {
            #expect(sandbox.contains("Fl -\(flag)"), "\(flag)")
        }
        let dex = try ManualCommand.text("dex", day)
        for name in try CommandHelp(.options).parameters.flatMap(\.names) {
            #expect(dex.contains("Fl \(name.dropFirst())"), "\(name)")
        }
        #expect(ManualCommand.pages.count > 30 && !ManualCommand.pages.contains("dex-agent"))
    }

    /// The command's words with each of the short forms.
    private static func spellings(_ path: CommandPath) -> [String] {
        path.commands.dropFirst().reduce(["dex"]) { starts, command in
            starts.flatMap { start in command.spellings.map { "\(start) \($0)" } }
        }
    }

    /// A line as it is read without settings.
    private static func line(_ words: [String]) -> TypedLine {
        TypedLine(words, SettingsReading(ProcessEnvironment { _ in nil }))
    }
}
