import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// What shells are offered for a word that is being typed.
@Suite("Completion")
struct CompletionTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    /// The values and notes that `dex __complete` gives for these words.
    private func offered(
        _ words: [String],
        environment: [String: String] = [:]
    ) async throws -> [String: String] {
        let run = try await dex.run(["__complete"] + words, environment: environment)
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
        Set(try await offered(words).keys)
    }

    @Test("commands, those below them, options and their fixed values")
    func commands() async throws {
        let all = try await offered([""])
        #expect(all["market-buy"]?.isEmpty == false)
        #expect(all["help"] != nil && all["--json"] == nil && all["__complete"] == nil)
        #expect(try await values("order") == ["orderbook", "orders", "order"])
        #expect(try await values("network", "") == ["list", "use", "add"])
        #expect(try await values("help", "mark") == ["market-buy", "market-sell"])
        #expect(try await values("help", "network", "") == ["list", "use", "add"])
        #expect(try await values("orderbook", "--dep") == ["--depth"])
        #expect(try await values("--network", "sandbox", "orderbo") == ["orderbook"])
        #expect(try await values("place-limit", "") == ["buy", "sell"])
        #expect(
            try await values("market-buy", "ZRX/WETH", "1", "--via=b") == [
                "--via=best", "--via=book",
            ]
        )
        #expect(
            try await values("market-buy", "ZRX/WETH", "1", "--via", "=", "b") == ["best", "book"]
        )
        #expect(try await values("orderbook", "--json", "--js").isEmpty == false)
        // Before a command: what every command takes, and no option of one.
        #expect(
            try await values("--") == [
                "--network", "--relay", "--rpc", "--wallet", "--json", "--yes", "--dry-run",
                "--quiet", "--verbose", "--no-pager", "--no-color", "--timeout", "--help",
            ]
        )
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
        let to = try await offered(["send", "WETH", "1", "led"])
        #expect(to["ledger"] == "0x71C7656EC7ab88b098defB751B7401B5f6d8976F")
        #expect(try await values("address", "remove", "") == ["ledger"])
        #expect(try await values("alias", "remove", "") == ["zb"])
        #expect(try await values("z") == ["zb"])
        // An alias stands for its words.
        #expect(try await values("zb", "1", "--slip") == ["--slippage"])
    }

    /// Symbols that a shell would run, cut, or take for something else.
    private static let hostile = [
        "ZZ$(>pwned)", "ZZ`>pwned`", "ZZ;>pwned", "ZZ&>pwned", "ZZ|id", "ZZ>pwned", "ZZ'", "ZZ\"",
        "ZZ*", "ZZ~", "ZZ#", "ZZ{a,b}", "ZZ!1", "-ZZ", "ZZ\\n", "ZZ=1", "ZZ:x",
    ]

    private static func address(_ index: Int) -> String {
        "0x" + String(repeating: "0", count: 36) + String(0xAB00 + index, radix: 16)
    }

    private func writeHostileList() throws -> [String] {
        try dex.write(config: "[networks.mainnet]\ntokens = \"list.json\"\n")
        let addresses = Self.hostile.indices.map(Self.address)
        let all = zip(Self.hostile + ["$ZZD"], addresses + [Self.address(Self.hostile.count)])
        let tokens: [JSONValue] = all.map { symbol, address in
            [
                "chainId": 1, "address": .string(address), "symbol": .string(symbol),
                "name": "$(touch pwned)", "decimals": 18,
            ]
        }
        let list: JSONValue = [
            "name": "List", "timestamp": "2026-01-01T00:00:00Z",
            "version": ["major": 1, "minor": 0, "patch": 0], "tokens": .array(tokens),
        ]
        try Data(list.text.utf8).write(to: dex.home.appending(path: "list.json"))
        return addresses
    }

    @Test("a symbol that a shell would not take for what it is is completed by its address")
    func hostileSymbols() async throws {
        let addresses = Set(try writeHostileList())
        for command in ["balance", "send", "allowance revoke"] {
            let words = ["--network", "mainnet"] + command.split(separator: " ").map(String.init)
            let values = try await offered(words + ["ZZ"])
            let tokens = values.keys.filter { $0.hasPrefix("0x") }
            #expect(!tokens.isEmpty, "\(values)")
            for value in values.keys {
                #expect(value.wholeMatch(of: /[A-Za-z0-9.$+_-]+/) != nil, "\(value)")
            }
            #expect(Set(tokens.map { $0.lowercased() }).isSubset(of: addresses))
        }
        let pairs = try await offered(["--network", "mainnet", "orderbook", "ZZ"])
        #expect(!pairs.isEmpty)
        for value in pairs.keys {
            #expect(value.wholeMatch(of: /[A-Za-z0-9.$+_-]+\/[A-Za-z0-9.$+_-]+/) != nil, "\(value)")
        }
        // What a shell only has to quote keeps its symbol.
        #expect(
            try await offered(["--network", "mainnet", "balance", "$ZZ"]).keys.contains("$ZZD")
        )
        // Nor does an error advise one.
        let run = try await dex.run("price ZZ!2/WETH --network mainnet")
        #expect(!run.stderr.contains("\"ZZ!1\""), "\(run.stderr)")
    }

    @Test(
        "a shell runs nothing of what is completed, whatever the program offers",
        arguments: ["bash", "zsh", "fish"]
    )
    func quoting(shell: String) async throws {
        // A program that offers what dex never does.
        let program = dex.home.appending(path: "bin/dex")
        try FileManager.default.createDirectory(
            at: program.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        let script = try await dex.run("completion \(shell)")
        let completion = dex.home.appending(path: "completion")
        try Data(script.stdout.utf8).write(to: completion)
        let text = """
            #!/bin/sh
            if [ "$1" = __complete ]; then
              printf '%s\\t%s\\n' 'ZZ$(touch pwned)`touch pwned`;touch pwned' '$(touch pwned)'
            else printf '%s\\n' "$@" > got; fi

            """
        try Data(text.utf8).write(to: program)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: program.path
        )
        let run = try await PythonEnvironment.run(
            "clients/shell_completion.py",
            shell,
            dex.home.path,
            completion.path
        )
        try #require(run.status == 0, "\(run.errors)")
        guard run.output != Data("no shell\n".utf8) else { return }
        let home = dex.home
        #expect(!FileManager.default.fileExists(atPath: home.appending(path: "pwned").path))
        let got = try String(
            contentsOf: home.appending(path: "got"),
            encoding: .utf8
        )
        #expect(got == "balance\nZZ$(touch pwned)`touch pwned`;touch pwned\n")
    }

    @Test("a store that cannot be read leaves the commands, and nothing is said")
    func unreadable() async throws {
        try dex.write(config: "network = \"mainnet\"")
        try Data("this is no journal".utf8).write(to: dex.home.appending(path: "journal.sqlite"))
        #expect(try await values("cancel", "0x").isEmpty)
        #expect(try await values("network", "use", "sand").contains("sandbox"))
        try dex.write(config: "this is no TOML")
        #expect(try await values("orderb") == ["orderbook"])
        #expect(try await values("network", "use", "").isEmpty)
    }

    @Test("a word is completed without a journal, and none is made")
    func noJournal() async throws {
        #expect(try await values("cancel", "0x").isEmpty)
        #expect(try await values("status", "").isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: dex.home.path).isEmpty)
    }

    @Test("own orders, transactions and accounts, and no server is asked for them")
    func journal() async throws {
        try await dex.withSandbox { _ in
            let placed = try await dex.data(
                "place-limit sell ZRX/WETH 5 --price 0.9 --wallet alice --yes"
            )
            let order = try #require(placed["orderHash"]?.stringValue)
            let wrapped = try await dex.data("wrap 1 --wallet alice --yes")
            let transaction = try #require(
                wrapped["transactions"]?.arrayValue?.first?["hash"]?.stringValue
            )
            let server = try ScriptedServer { _ in }
            defer { server.stop() }
            let url = "http://127.0.0.1:\(server.port)"
            let away = ["DEX_RPC_URL": url, "DEX_RELAY_URL": url]
            func values(_ words: String...) async throws -> [String: String] {
                try await offered(words, environment: away)
            }
            #expect(try await values("cancel", "0x")[order]?.hasSuffix("UTC") == true)
            #expect(try await values("why", String(order.prefix(6))).keys.contains(order))
            #expect(try await values("fill", "0x").keys.contains(order))
            let known = try await values("status", "")
            #expect(known[transaction]?.hasPrefix("wrap, ") == true, "\(known)")
            #expect(known.keys.contains(order))
            let own = try await values("tx", "speedup", "")
            #expect(own.keys.contains(transaction) && !own.keys.contains(order))
            for name in ["--wallet", "-w", "-yw"] {
                #expect(try await values("balance", name, "al").keys.contains("alice"), "\(name)")
                // Its value is no argument of the command.
                #expect(
                    try await values("orderbook", name, "alice", "ZR").keys.contains("ZRX/WETH")
                )
                #expect(try await values(name, "alice", "orderbo").keys.contains("orderbook"))
            }
            // Without a terminal there is no list.
            #expect(try await values("cancel", "@").isEmpty)
            #expect(try await values("orderbook", "ZRX/WE").keys.contains("ZRX/WETH"))
            #expect(server.accepted == 0)
        }
    }

    // MARK: The shells

    /// A shell with this binary as `dex`.
    private func shell(_ words: String...) async throws -> [String] {
        let folder = dex.home.appending(path: "bin")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let link = folder.appending(path: "dex")
        if !FileManager.default.fileExists(atPath: link.path) {
            try FileManager.default.createSymbolicLink(
                at: link,
                withDestinationURL: DexBinary.executable
            )
        }
        let run = try await dex.run(
            Array(words.dropFirst()),
            environment: ["PATH": "\(folder.path):/usr/bin:/bin", "TERM": "xterm"],
            under: [],
            program: words[0]
        )
        #expect(run.status == 0, "\(run.stderr)")
        return run.stdout.split(separator: "\n").map(String.init)
    }

    /// Types a line and the tabulator key into a shell at a terminal, that of zsh's own module.
    ///
    /// - Parameter setup: makes Control-T print the line that the shell has, between << and >>.
    /// - Returns: that line.
    private func typed(
        _ line: String,
        into program: String,
        setup: String
    ) async throws -> String {
        let script = """
            zmodload zsh/zpty
            zpty shell $1
            zpty -w shell $2
            zpty -w shell "source <(dex completion ${1%% *}); echo RE\\"\\"ADY"
            zpty -r shell out '*READY*'
            zpty -w -n shell $3$'\\t\\x14'
            zpty -r shell out '*<<*>>*'
            print -r -- ${${out##*<<}%%>>*}
            """
        let shown = try await shell("/usr/bin/zsh", "-f", "-c", script, "-", program, setup, line)
        return try #require(shown.first)
    }

    @Test("the rows of the list shown last in this terminal, and the value of -w, in each shell")
    func rows() async throws {
        try await dex.withSandbox { _ in
            let place = [
                "place-limit", "sell", "ZRX/WETH", "5", "--price", "0.9", "-w", "alice", "--yes",
            ]
            let placed = try await dex.run(place)
            try #require(placed.status == 0, "\(placed.stderr)")
            let list = "dex orders --mine --wallet alice"
            let bash = #"PS1=; bind -x '"\C-t": echo "<<$READLINE_LINE>>"'; "# + list
            let zsh =
                "PS1=; dump() { print -r -- \"<<$BUFFER>>\" }; zle -N dump; "
                + "bindkey '^T' dump; autoload -Uz compinit; compinit -u -D; " + list
            for (program, setup) in [
                ("bash --norc --noprofile -i", bash), ("zsh -f -i", zsh),
            ] {
                for (line, whole) in [
                    ("dex cancel @", "dex cancel @1 "), ("dex why @1", "dex why @1 "),
                    ("dex balance -w ali", "dex balance -w alice "),
                ] {
                    let completed = try await typed(line, into: program, setup: setup)
                    #expect(completed == whole, "\(program)")
                }
            }
            let script = #"""
                zmodload zsh/zpty
                zpty shell "fish -N -c '$1; dex completion fish | source; $2'"
                zpty -r shell out '*<<*>>*'
                print -r -- ${${out##*<<}%%>>*}
                """#
            for (line, value) in [("dex cancel @", "@1\t0x"), ("dex balance -w ali", "alice")] {
                let ask = "echo \"<<\"(complete -C \"\(line)\")\">>\""
                let shown = try await shell("/usr/bin/zsh", "-f", "-c", script, "-", list, ask)
                #expect(shown.first?.hasPrefix(value) == true, "\(shown)")
            }
        }
    }

    @Test("bash")
    func bash() async throws {
        func typed(_ line: String) async throws -> String {
            try await self.typed(
                line,
                into: "bash --norc --noprofile -i",
                setup: #"PS1=; bind -x '"\C-t": echo "<<$READLINE_LINE>>"'"#
            )
        }
        #expect(try await typed("dex network use mainnet-") == "dex network use mainnet-v4 ")
        #expect(
            try await typed("dex pairs --network=mainnet-") == "dex pairs --network=mainnet-v4 "
        )
        #expect(try await typed("dex market-buy ZRX/WET") == "dex market-buy ZRX/WETH ")
        try Data().write(to: dex.home.appending(path: "signed.json"))
        let file = "dex fill \(dex.home.path)/sig"
        #expect(try await typed(file) == "dex fill \(dex.home.path)/signed.json ")
    }

    @Test("zsh")
    func zsh() async throws {
        func typed(_ line: String) async throws -> String {
            try await self.typed(
                line,
                into: "zsh -f -i",
                setup: "PS1=; dump() { print -r -- \"<<$BUFFER>>\" }; zle -N dump; "
                    + "bindkey '^T' dump; autoload -Uz compinit; compinit -u -D"
            )
        }
        #expect(try await typed("dex network use mainnet-") == "dex network use mainnet-v4 ")
        #expect(
            try await typed("dex pairs --network=mainnet-") == "dex pairs --network=mainnet-v4 "
        )
        #expect(try await typed("dex market-buy ZRX/WET") == "dex market-buy ZRX/WETH ")
        try Data().write(to: dex.home.appending(path: "signed.json"))
        let file = "dex fill \(dex.home.path)/sig"
        #expect(try await typed(file) == "dex fill \(dex.home.path)/signed.json ")
    }

    @Test("fish")
    func fish() async throws {
        func offered(_ line: String) async throws -> [String] {
            let script = "dex completion fish | source; complete -C $argv[1]"
            return try await shell("/usr/bin/fish", "-N", "-c", script, line)
        }
        let pairs = try await offered("dex orderbook ZRX/WE")
        #expect(pairs.contains { $0.hasPrefix("ZRX/WETH\t") }, "\(pairs)")
        let network = try await offered("dex pairs --network=mainnet-")
        #expect(network.first?.hasPrefix("--network=mainnet-v4\t") == true, "\(network)")
        try Data().write(to: dex.home.appending(path: "signed.json"))
        let files = try await offered("dex fill \(dex.home.path)/sig")
        #expect(files.contains { $0.hasPrefix("\(dex.home.path)/signed.json") }, "\(files)")
    }
}
