import ArgumentParser
import DexCore
import DexSettings
import Testing

@testable import DexCommandLine

@Suite("Command lines by the words of the command")
struct TypedLineTests {
    @Test(
        "the command and its options are those that ArgumentParser finds from the root",
        arguments: [
            [],
            ["orderbook", "ZRX/WETH", "--json"],
            ["buy", "ZRX/WETH", "500", "--yes", "--timeout=5"],
            ["wallet"],
            ["wallet", "list", "-j"],
            ["allowance", "set", "WETH", "unlimited"],
            ["call", "--json", "0xe41d2489571d322189246dafa5ebde1f4699f498", "name()", "--", "-1"],
            ["send", "ETH", "1", "wallet"],
            ["config", "--json"],
            ["relay", "token", "list"],
        ]
    )
    func sameCommand(_ line: [String]) throws {
        let wanted = try? Dex.parseAsRoot(line)  // nil: both refuse it
        let found = try? TypedLine.parse(line)  // nil: both refuse it
        #expect(String(describing: found) == String(describing: wanted))
    }

    @Test(
        "a command is reported by all its words, also for a short form or a group alone",
        arguments: [
            (["buy", "ZRX/WETH", "500"], "market-buy"),
            (["send", "ETH", "1", "wallet"], "send"),
            (["allowance"], "allowance list"), (["guard"], "guard list"),
            (["config"], "config show"), (["network", "-j"], "network list"),
            (["history", "--json"], "history list"),
            (["sandbox", "fault", "clear", "flaky"], "sandbox fault clear"),
        ]
    )
    func reported(_ line: [String], _ name: String) {
        #expect(CommandPath(line).reportedName == name)
    }

    @Test("what is wrong with a line throws, and so does what asks for the version")
    func refused() {
        for line in [
            ["orderbook", "--nonsense"], ["orderbook", "--version"],
            ["nonsense"], ["send", "ETH", "1"], ["wallet", "--version"],
        ] {
            #expect(throws: (any Error).self, "\(line)") { try TypedLine.parse(line) }
        }
    }

    // MARK: What changes how a line is read

    /// A line as it is read with a config.toml of these lines.
    private func line(_ words: String, _ settings: String...) -> TypedLine {
        let content = Array(settings.joined(separator: "\n").utf8)
        return TypedLine(
            words.split(separator: " ").map(String.init),
            SettingsReading(ProcessEnvironment { ["DEX_HOME": "/none"][$0] }) {
                path throws(DexError) in
                try SettingsFile(content: content, path: path)
            }
        )
    }

    @Test("options before the command stand behind it, and before a --")
    func leading() {
        for (typed, read) in [
            ("-j pairs", "pairs -j"), ("--json pairs x", "pairs x --json"),
            ("-jw bob --network=main pairs -q", "pairs -q -jw bob --network=main"),
            ("--rpc a --rpc b call T f -- -1", "call T f --rpc a --rpc b -- -1"),
            ("--timeout 5 buy ZRX/WETH 1", "buy ZRX/WETH 1 --timeout 5"),
            // No option of every command, none that is whole, or no command at all.
            ("--depth 3 book", "--depth 3 book"), ("--json=1 pairs", "--json=1 pairs"),
            ("-j", "-j"), ("-w", "-w"), ("-w bob", "-w bob"), ("-j --help", "-j --help"),
            ("-jx pairs", "-jx pairs"), ("", ""),
        ] {
            #expect(line(typed).words.joined(separator: " ") == read, "\(typed)")
        }
    }

    @Test("an alias is its words, once, and never in place of a command")
    func aliases() {
        let settings = [
            "[aliases]", "zb = \"market-buy ZRX/WETH\"", "self = \"zb 1\"", "bal = \"orders\"",
        ].joined(separator: "\n")
        for (typed, read) in [
            ("zb 1", "market-buy ZRX/WETH 1"), ("-j zb 1", "market-buy ZRX/WETH 1 -j"),
            ("self", "zb 1"), ("bal", "bal"), ("help zb", "help zb"), ("book zb", "book zb"),
        ] {
            let line = line(typed, settings)
            #expect(line.words.joined(separator: " ") == read && line.failure == nil, "\(typed)")
        }
        // Settings that cannot be read matter only to a word that may be an alias.
        #expect(line("pairs", "nonsense").failure == nil)
        #expect(line("zb", "nonsense").failure?.exit == .configuration)
    }

    @Test("the default pair stands where a command lacks its pair, and nowhere else")
    func pairs() throws {
        func parsed(_ words: String) throws -> any ParsableCommand {
            try line(words, "[trade]", "pair = \"DAI/WETH\"").parse()
        }
        #expect(try (parsed("orderbook") as? OrderbookCommand)?.pair == "DAI/WETH")
        #expect(try (parsed("book ZRX/WETH") as? OrderbookCommand)?.pair == "ZRX/WETH")
        #expect(try (parsed("price -j") as? PriceCommand)?.pair == "DAI/WETH")
        #expect(try (parsed("chart") as? ChartCommand)?.pair == "DAI/WETH")
        let limit = try parsed("limit sell 5 --price 1") as? PlaceLimitCommand
        #expect(limit?.pair == "DAI/WETH" && limit?.amount == "5")
        // A command that takes no default pair reports what it lacks.
        #expect(throws: (any Error).self) { try parsed("guard add sell 5 --below 1") }
        #expect(throws: (any Error).self) { try line("orderbook").parse() }
    }

    @Test("a number below zero is named, and commands that take one say how")
    func negative() {
        func problem(_ words: String) -> String {
            do throws(TypedLine.ParsingEnd) {
                _ = try line(words).parse()
                return ""
            } catch {
                return Dex.message(for: error.error)
            }
        }
        #expect(problem("buy ZRX/WETH -5").hasPrefix("\"-5\" is below zero"))
        #expect(problem("limit buy ZRX/WETH 5 --price -.1").hasPrefix("\"-.1\" is below zero"))
        for command in ["call", "transact"] {
            #expect(problem("\(command) ZRX f(int256) -5").hasPrefix("Put -- before"))
            #expect(!problem("\(command) ZRX f(int256) -x").hasPrefix("Put -- before"))
        }
    }

    // MARK: What commands are

    @Test(
        "all commands and groups are described, and only those of the full screen, servers and keys are processes of their own"
    )
    func facts() {
        var processes: [String: CommandProcess] = [:]
        for path in CommandPath.all {
            #expect(path.command is any DescribedCommand.Type, "\(path.name)")
            #expect(path.isGroup != (path.command is any DexCommand.Type), "\(path.name)")
            if path.process != .command { processes[path.name] = path.process }
        }
        #expect(processes.count > 30)
        #expect(processes.removeValue(forKey: "dex live") == .fullScreen)
        #expect(processes.removeValue(forKey: "dex relay serve") == .publicServer)
        for (name, process) in processes {
            #expect(name.hasPrefix("dex sandbox") || name.hasPrefix("dex relay"), "\(name)")
            #expect(process == .server, "\(name)")
        }
        #expect(CommandPath(["agent"]).process == .agent)
        #expect(CommandPath(["help", "live"]).process == .command)
        let withdrawals = CommandPath.all.filter { $0.answering?.isWithdrawal == true }
        #expect(
            Set(withdrawals.map(\.name)) == ["dex cancel", "dex allowance revoke", "dex tx cancel"]
        )
    }

    @Test("a command line of ours is found by the command's type")
    func words() {
        #expect(CommandPath.words(of: SandboxUpCommand.self) == ["sandbox", "up"])
        #expect(CommandPath.words(of: ApproveCommand.List.self) == ["approve", "list"])
        #expect(CommandPath.words(of: MarketCommand<SellWords>.self) == ["market-sell"])
    }

    @Test("the table of options that all commands have is what ArgumentParser makes of them")
    func commonOptions() {
        let declared = CommandArgument.all(of: GlobalOptions.self).filter {
            $0.names != ["-h", "--help"]
        }
        #expect(declared.count == CommonOption.allCases.count)
        for argument in declared {
            #expect(!argument.names.isEmpty)
            for name in argument.names {
                let takesNext = CommonOption.takesNext(name)
                #expect(takesNext == (argument.kind == .option), "\(name)")
            }
        }
        for word in ["--help", "--version", "--csv", "--", "-", "-h", "-1", "--json=x", "json"] {
            #expect(CommonOption.takesNext(word) == nil, "\(word)")
        }
        #expect(CommonOption.takesNext("--network=main") == false)
    }
}
