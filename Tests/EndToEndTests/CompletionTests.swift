import DexTestSupport
import Foundation
import StrictJSON
import Testing

/// What shells are offered for a word that is being typed.
@Suite("Completion")
struct CompletionTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    /// The values and notes that `dex __complete` gives for these words.
    private func offered(_ words: String...) async throws -> [String: String] {
        let run = try await dex.run(["__complete"] + words)
        #expect(run.status == 0 && run.stderr.isEmpty, "\(run.stderr)")
        var items: [String: String] = [:]
        for line in run.stdout.split(separator: "\n") {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            #expect(parts.count <= 2, "\(line)")
            items[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
        }
        return items
    }

    private func values(_ words: String...) async throws -> Set<String> {
        let run = try await dex.run(["__complete"] + words)
        #expect(run.status == 0 && run.stderr.isEmpty, "\(run.stderr)")
        return Set(
            run.stdout.split(separator: "\n").map { line in
                String(line.prefix { $0 != "\t" })
            }
        )
    }

    @Test("commands, those below them, options and their fixed values")
    func commands() async throws {
        let all = try await offered("")
        #expect(all["market-buy"]?.isEmpty == false)
        #expect(all["help"] != nil && all["--json"] == nil && all["__complete"] == nil)
        #expect(try await values("order") == ["orderbook", "orders", "order"])
        #expect(try await values("network", "") == ["list", "use", "add"])
        #expect(try await values("help", "mark") == ["market-buy", "market-sell"])
        #expect(try await values("orderbook", "--dep") == ["--depth"])
        #expect(try await values("--network", "sandbox", "orderbo") == ["orderbook"])
        #expect(try await values("place-limit", "") == ["buy", "sell"])
        #expect(try await values("market-buy", "ZRX/WETH", "1", "--via=b") == ["--via=best", "--via=book"])
        #expect(try await values("market-buy", "ZRX/WETH", "1", "--via", "=", "b") == ["best", "book"])
        #expect(try await values("orderbook", "--json", "--js").isEmpty == false)
        #expect(try await values("nonsense", "").isEmpty)
        #expect(try await values("relay", "serve", "--config", "rel") == [":files"])
        // An aliased command is the command.
        #expect(try await values("book", "--dep") == ["--depth"])
    }

    @Test("networks, pairs, tokens, keys, names and aliases come from the local store")
    func store() async throws {
        try dex.write(
            config: """
                [trade]
                pair = "DAI/WETH"
                [addresses]
                ledger = "0x71C7656EC7ab88b098defB751B7401B5f6d8976F"
                [aliases]
                zb = "market-buy ZRX/WETH"

                """
        )
        #expect(try await values("network", "use", "sand") == ["sandbox", "sandbox-v4"])
        #expect(try await values("orderbook", "--network", "main").contains("mainnet"))
        #expect(try await values("orderbook", "zr").contains("ZRX/WETH"))
        #expect(try await values("orderbook", "").contains("DAI/WETH"))
        #expect(try await values("orderbook", "ZRX/DA") == ["ZRX/DAI"])
        #expect(try await values("balance", "ZR") == ["ZRX"])
        #expect(try await values("config", "set", "trade.sl") == ["trade.slippage"])
        let to = try await offered("send", "WETH", "1", "led")
        #expect(to["ledger"] == "0x71C7656EC7ab88b098defB751B7401B5f6d8976F")
        #expect(try await values("address", "remove", "") == ["ledger"])
        #expect(try await values("alias", "remove", "") == ["zb"])
        #expect(try await values("z") == ["zb"])
        // An alias stands for its words.
        #expect(try await values("zb", "1", "--slip") == ["--slippage"])
    }

    @Test("settings that cannot be read leave the commands, and nothing is said")
    func unreadable() async throws {
        try dex.write(config: "this is no TOML")
        #expect(try await values("orderb") == ["orderbook"])
        #expect(try await values("network", "use", "").isEmpty)
    }

    @Test("own orders, transactions and accounts, without a request to anyone")
    func journal() async throws {
        try await dex.withSandbox { _ in
            let placed = try await dex.data(
                "place-limit", "sell", "ZRX/WETH", "5", "--price", "0.9", "--wallet", "alice",
                "--yes"
            )
            let order = try #require(placed["hash"]?.stringValue)
            let wrapped = try await dex.data("wrap", "1", "--wallet", "alice", "--yes")
            let transaction = try #require(
                wrapped["transactions"]?[0]?["hash"]?.stringValue ?? wrapped["hash"]?.stringValue
            )
            #expect(try await values("cancel", "0x").contains(order))
            #expect(try await values("why", String(order.prefix(6))) == [order])
            let known = try await offered("status", "")
            #expect(known[transaction]?.contains("UTC") == true, "\(known)")
            #expect(try await values("balance", "--wallet", "al") == ["alice"])
        }
        // The sandbox is gone, and its accounts with it; nothing fails.
        #expect(try await values("cancel", "0x").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: dex.home.path + "/data/journal.sqlite"))
    }

    // MARK: The shells

    /// A folder with the binary under its own name.
    private func folder() throws -> String {
        let folder = dex.home.appending(path: "bin")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "dex"),
            withDestinationURL: DexBinary.executable
        )
        return folder.path
    }

    private func shell(_ program: [String], _ words: [String]) async throws -> [String] {
        let run = try await dex.run(
            words,
            environment: ["PATH": "\(try folder()):/usr/bin:/bin"],
            under: program,
            program: "dex"
        )
        #expect(run.status == 0, "\(run.stderr)")
        return run.stdout.split(separator: "\n").map(String.init)
    }

    @Test("bash")
    func bash() async throws {
        let script = """
            source <(dex completion bash)
            complete -p dex >/dev/null || exit 9
            COMP_WORDS=("$0" "$@"); COMP_CWORD=$#
            _dex_completion
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let program = ["/bin/bash", "--norc", "-c", script]
        #expect(try await shell(program, ["orderb"]) == ["orderbook"])
        let sold = try DexBinary()
        _ = sold
    }

    @Test("fish")
    func fish() async throws {
        let script = "dex completion fish | source; complete -C \"dex $argv[2]\""
        let offered = try await shell(["/usr/bin/fish", "-N", "-c", script], ["orderbook ZRX/WE"])
        #expect(offered.contains { $0.hasPrefix("ZRX/WETH\t") }, "\(offered)")
    }

    @Test("zsh")
    func zsh() async throws {
        let script = """
            zmodload zsh/zpty
            zpty -b z zsh -f -i
            zpty -w z "PS1=; dump() { print -r -- \\"<<\\$BUFFER>>\\" }; zle -N dump"
            zpty -w z "bindkey '^X' dump; autoload -Uz compinit; compinit -u -D"
            zpty -w z 'source <(dex completion zsh); print RE""ADY'
            zpty -r z out '*READY*'
            zpty -w -n z $2$'\\t\\x18'
            zpty -r z out '*>>*'
            print -r -- ${out##*<<}
            """
        let shown = try await shell(["/usr/bin/zsh", "-f", "-c", script], ["dex network use mainn"])
        #expect(shown.contains { $0.hasPrefix("dex network use mainnet") }, "\(shown)")
    }
}
