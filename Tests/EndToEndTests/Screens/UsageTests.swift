import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("The command line")
struct UsageTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    @Test("the version is one line on stdout")
    func version() async throws {
        let run = try await dex.run("--version")
        #expect(run.status == 0)
        #expect(run.stdout.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
        #expect(run.stderr.isEmpty)
    }

    @Test("help for what is no command exits 2 and names it")
    func helpForNothing() async throws {
        for words in [["help", "nonsense"], ["help", "network", "nonsense"]] {
            let run = try await dex.run(words)
            #expect(run.status == 2, "\(run.stdout)")
            #expect(run.stderr.contains("There is no command 'nonsense'."))
            #expect(run.stdout.isEmpty)
        }
        for words in [
            ["help"], ["help", "network"], ["help", "network", "add"], ["help", "options"],
            ["sandbox"], ["network", "add", "-h"], ["buy", "ZRX/WETH", "--help"],
        ] {
            let run = try await dex.run(words)
            #expect(run.status == 0 && run.stdout.contains("Usage: dex"), "\(run.stderr)")
            #expect(run.stderr.isEmpty)
        }
    }

    @Test("help refuses an option that it has not, and misspelt words ask for the right one")
    func unknownHelp() async throws {
        for (words, message) in [
            ("help --foo", "Unknown option '--foo'."),
            ("help buy --foo", "Unknown option '--foo'."),
            ("version", "Did you mean dex --version?"), ("hlep", "Did you mean \"help\"?"),
            ("orderbook zrx weth", "Did you mean: dex orderbook ZRX/WETH?"),
            ("buy ZRX/WETH 1 --slipage 1", "Did you mean --slippage?"),
        ] {
            let run = try await dex.run(words)
            #expect(run.status == 2, "\(words): \(run.stdout)")
            #expect(run.stderr.contains(message), "\(words): \(run.stderr)")
            #expect(run.stdout.isEmpty)
        }
    }

    @Test("help names every command and goes to stdout")
    func help() async throws {
        let run = try await dex.run("--help")
        #expect(run.status == 0)
        #expect(run.stderr.isEmpty)
        for command in [
            "orderbook", "price", "trades", "chart", "pairs", "tokens", "market-buy", "market-sell",
            "place-limit",
            "fill", "cancel", "orders", "order", "status", "balance", "network", "config",
            "sandbox",
        ] {
            #expect(
                run.stdout.contains("  \(command) ") || run.stdout.contains("  \(command), "),
                "\(command) is not in the help"
            )
        }
    }

    @Test("completion scripts are made for the three shells", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) async throws {
        let run = try await dex.run("completion \(shell)")
        #expect(run.status == 0)
        #expect(run.stdout.contains("__complete"))
        #expect(run.stdout.hasSuffix("\n") && !run.stdout.hasSuffix("\n\n"))
    }

    @Test(
        "wrong usage exits 2, says why on stderr and leaves stdout empty",
        arguments: [
            ["frobnicate"],
            ["orderbook"],
            ["orderbook", "ZRX/WETH", "--no-such-flag"],
            ["orderbook", "ZRX/WETH", "--depth", "0"],
            ["orderbook", "ZRX/WETH", "--depth", "many"],
            ["price", "ZRX/WETH", "--side", "steal", "--amount", "1"],
            ["price", "ZRX/WETH", "--side", "buy"],
            ["market-buy", "ZRX/WETH", "1", "--slippage", "1", "--max-price", "2"],
            ["place-limit", "buy", "ZRX/WETH", "1"],
            ["cancel"],
            ["cancel", "--all", "--pair", "ZRX/WETH"],
            ["orders", "--mine", "--maker", "0xE41d2489571d322189246DaFA5ebDe1F4699F498"],
            ["order", "0x123"],
            ["status", "nonsense"],
            ["tokens", "--timeout", "0"],
            ["tokens", "--quiet", "--verbose"],
            ["tokens", "--relay", "ftp://example.org"],
            ["tokens", "--rpc", "example.org"],
        ]
    )
    func wrongUsage(arguments: [String]) async throws {
        let quiet = try await dex.run(arguments)
        #expect(quiet.status == 2, "\(arguments): \(quiet.stderr)")
        #expect(quiet.stdout.isEmpty)
        #expect(quiet.stderr.hasPrefix("error: "))
        let json = try await dex.run(arguments + ["--json"])
        #expect(json.status == 2)
        #expect(!json.stderr.isEmpty)
        let envelope = try json.json()
        #expect(envelope["schema"] == "dex/2")
        #expect(envelope["status"] == "error")
        #expect(envelope["exitCode"] == 2)
        #expect(envelope["command"]?.stringValue == arguments[0])
        #expect(envelope["error"]?["message"]?.stringValue?.isEmpty == false)
    }

    @Test("the usage line is that of the help, without the options of every command")
    func usageLine() async throws {
        for (words, usage) in [
            (["address", "remove"], "dex address remove <name>"),
            (["buy", "ZRX/WETH"], "dex market-buy <pair> [<amount>] [options]"),
            (
                ["place-limit", "buy", "ZRX/WETH", "1"],
                "dex place-limit <side> <pair> <amount> --price <p> [options]"
            ),
            (["network", "nonsense"], "dex network <command>"), (["nonsense"], "dex <command>"),
        ] {
            let run = try await dex.run(words)
            #expect(run.status == 2)
            #expect(run.stderr.contains("\nUsage: \(usage)\n  See 'dex "), "\(run.stderr)")
            #expect(!run.stderr.contains("--network"))
        }
    }

    @Test(
        "a number below zero is named as what is wrong, and nothing is said to be missing",
        arguments: [
            ["market-buy", "ZRX/WETH", "-1"], ["market-sell", "ZRX/WETH", "-.5"], ["wrap", "-1"],
            ["send", "ZRX", "-1", "0xE41d2489571d322189246DaFA5ebDe1F4699F498"],
            ["price", "ZRX/WETH", "--amount", "-1"],
            ["place-limit", "buy", "ZRX/WETH", "1", "--price", "-1"],
            ["market-buy", "ZRX/WETH", "1", "--slippage", "-1%"], ["fill", "0x12", "-1"],
            ["allowance", "set", "ZRX", "-1"], ["orderbook", "ZRX/WETH", "--depth", "-1"],
        ]
    )
    func belowZero(arguments: [String]) async throws {
        let number = try #require(arguments.first { $0.hasPrefix("-1") || $0.hasPrefix("-.") })
        let run = try await dex.run(arguments + ["--json"])
        #expect(run.status == 2)
        let words = "\"\(number)\" is below zero: amounts, prices and times never are."
        #expect(run.stderr.hasPrefix("error: \(words)\n"), "\(run.stderr)")
        #expect(try run.json()["error"]?["message"]?.stringValue == words)
    }

    @Test("an argument of a call may be below zero, behind two hyphens")
    func argumentBelowZero() async throws {
        let contract = "0xE41d2489571d322189246DaFA5ebDe1F4699F498"
        let run = try await dex.run("call \(contract) f(int256) -1")
        #expect(run.status == 2)
        #expect(run.stderr.hasPrefix("error: Put -- before arguments that begin with a minus"))
        let nowhere = ["--network", "mainnet", "--rpc", "http://127.0.0.1:1"]
        let behind = try await dex.run(
            ["call", contract, "f(int256)"] + nowhere + ["--", "-1"]
        )
        #expect(behind.status == 4, "\(behind.stderr)")
    }

    @Test("a private key or a phrase typed as an argument is repeated nowhere")
    func secrets() async throws {
        let key = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
        let phrase =
            "legal winner thank year wave sausage worth useful legal winner thank yellow"
        let words = phrase.split(separator: " ").map(String.init)
        for arguments in [
            [key], ["0x\(key)", "--json"], ["wallet", "import", "key", "0x\(key)"],
            ["wallet", "import", "key", "main", key, "--json"],
            ["wallet", "import", "key", "main", "--from=0x\(key)"], ["unlock", key, "--json"],
            ["send", "ETH", "1", "0x\(key)", "--yes"], ["help", key], ["balance", "-w", key],
            ["config", "set", "wallet", key], ["status", key, "--network", "mainnet", "--json"],
            words, ["wallet", "import", "words"] + words, ["wallet", "import", "words", phrase],
            ["unlock"] + words + ["--json"], ["wallet", "new", "main"] + words,
        ] {
            let run = try await dex.run(arguments)
            #expect(run.status == 2, "\(arguments): \(run.stderr)")
            let text = (run.stdout + run.stderr).lowercased()
            #expect(!text.contains(key.prefix(12)) && !text.contains(key.suffix(12)), "\(text)")
            #expect(!text.contains("winner") && !text.contains("sausage"), "\(text)")
            #expect(text.contains("shell's history"), "\(text)")
            guard arguments.contains("--json") else { continue }
            #expect(try run.json()["exitCode"] == 2)
        }
        let files = FileManager.default.enumerator(at: dex.home, includingPropertiesForKeys: nil)
        for case let file as URL in try #require(files) {
            // A folder has no content.
            guard let content = try? Data(contentsOf: file) else { continue }
            let text = String(decoding: content, as: UTF8.self)
            #expect(!text.contains(key.prefix(12)) && !text.contains("winner"), "\(file.path)")
        }
    }

    @Test("a broken pipe ends quietly")
    func brokenPipe() async throws {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "dex").path
        shell.arguments = ["-c", "'\(executable)' tokens --network mainnet 2>err | head -n 1"]
        shell.environment = ["DEX_HOME": dex.home.path, "PATH": "/usr/bin:/bin"]
        shell.currentDirectoryURL = dex.home
        shell.standardOutput = FileHandle.nullDevice
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            shell.terminationHandler = { _ in done.resume() }
            do { try shell.run() } catch { done.resume(throwing: error) }
        }
        let errors = try Data(contentsOf: dex.home.appending(path: "err"))
        #expect(errors.isEmpty)
    }

    @Test("the options of every command may stand before it too")
    func leadingOptions() async throws {
        let run = try await dex.run("--json --network mainnet tokens ZRX")
        #expect(run.status == 0, "\(run.stderr)")
        let tokens = try #require(try run.json()["data"]?["tokens"]?.arrayValue)
        #expect(tokens.contains { $0["symbol"] == "ZRX" })
        let short = try await dex.run("-jq --network mainnet tokens ZRX")
        #expect(short.stdout == run.stdout)
        #expect(try await dex.run("--network=polygon config path").status == 0)
        #expect(try await dex.run("--network mainnet").status == 2)
        #expect(try await dex.run("--depth 3 orderbook ZRX/WETH").status == 2)
    }
}
