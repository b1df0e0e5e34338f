import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Short forms, aliases, names and suggestions")
struct NamesTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private static let ledger = "0x71C7656EC7ab88b098defB751B7401B5f6d8976F"
    /// Shares its first three and last three digits.
    private static let lookAlike = "0x71c000000000000000000000000000000000076f"

    // MARK: Settings

    @Test("config unset removes a setting or a table, and --dry-run nothing")
    func unset() async throws {
        try dex.write(config: "wallet = \"a\" # mine\n\n[trade]\nslippage = 2\n")
        let dry = try await dex.run("config unset wallet --dry-run")
        #expect(dry.status == 30, "\(dry.stderr)")
        #expect(try dex.config().contains("wallet"))
        let data = try await dex.data("config unset wallet")
        #expect(data["removedSettings"]?["wallet"] == "a")
        #expect(try dex.config() == "\n[trade]\nslippage = 2\n")
        #expect(
            try await dex.run("config unset trade").stdout
                == "removed trade.slippage = \"2\"\n"
        )
        _ = try await dex.data("config unset trade", exit: 3, status: "error", code: "not-set")
        let unknown = try await dex.run("config unset walet")
        #expect(unknown.status == 2)
        #expect(unknown.stderr.contains("Did you mean \"wallet\"?"), "\(unknown.stderr)")
    }

    @Test("config unset refuses what would leave the settings unusable")
    func unsetInUse() async throws {
        let text = """
            network = "mine"
            [networks.mine]
            chain_id = 7
            exchange = "0x12459c951127e0c374ff9105dda097662a027093"

            """
        try dex.write(config: text)
        for (key, code) in [
            ("networks.mine", "unknown-network"), ("networks.mine.chain_id", "incomplete-network"),
        ] {
            let data = try await dex.run("config unset \(key) --json").json()
            #expect(data["error"]?["code"]?.stringValue == code)
            #expect(try dex.config() == text)
        }
    }

    @Test("config edit keeps what the editor left, if it can be read")
    func edit() async throws {
        try dex.write(config: "wallet = \"a\"\n")
        let changed = try await dex.run(
            ["config", "edit", "--json"],
            environment: ["EDITOR": "sed -i 's/\"a\"/\"b\"/'"]
        )
        #expect(try changed.json()["data"]?["changed"] == true, "\(changed.stderr)")
        #expect(try dex.config() == "wallet = \"b\"\n")
        // VISUAL goes before EDITOR.
        let same = try await dex.run(
            ["config", "edit"],
            environment: ["EDITOR": "false", "VISUAL": "true"]
        )
        #expect(same.stdout.contains("is unchanged"), "\(same.stderr)")
        #expect(try Self.leftOver(dex.home).isEmpty)
    }

    private static func leftOver(_ home: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.path)
            .filter { $0.hasPrefix("config.") && $0 != "config.toml" }
    }

    @Test(
        "config edit leaves the file as it was after anything else",
        arguments: [
            ("false", "editor-failed"), ("/no/such/editor", "editor-failed"),
            ("rm", "editor-failed"),
            ("sed -i s/wallet/walet/", "bad-config"), ("sed -i s/main/nowhere/", "unknown-network"),
        ]
    )
    func editFails(editor: String, code: String) async throws {
        let text = "network = \"mainnet\"\nwallet = \"a\"\n"
        try dex.write(config: text)
        let run = try await dex.run(["config", "edit", "--json"], environment: ["EDITOR": editor])
        #expect(run.status == 3, "\(run.stdout)")
        #expect(try run.json()["error"]?["code"]?.stringValue == code)
        #expect(try dex.config() == text)
        #expect(try Self.leftOver(dex.home).isEmpty)
    }

    @Test("config edit leaves a change that came from elsewhere meanwhile")
    func editMeanwhile() async throws {
        try dex.write(config: "wallet = \"a\"\n")
        let file = dex.configFile.path
        let editor =
            "sh -c 'printf \"wallet = \\\"c\\\"\\n\" > \(file); "
            + "sed -i s/a/a/ \"$1\"; echo >> \"$1\"' x"
        let run = try await dex.run(["config", "edit", "--json"], environment: ["EDITOR": editor])
        #expect(try run.json()["error"]?["code"] == "config-changed", "\(run.stdout)")
        #expect(try dex.config() == "wallet = \"c\"\n")
    }

    @Test("on a terminal a copy that cannot be read is edited again")
    func editAgain() async throws {
        try dex.write(config: "wallet = \"a\"\n")
        // First a mistake, then what was meant.
        let editor =
            "sh -c 'if grep -q walet \"$1\"; then sed -i s/walet/wallet/ \"$1\"; "
            + "else sed -i s/wallet...../walet=\\\"b/ \"$1\"; fi' x"
        let spoken = try await dex.converse(
            ["config", "edit"],
            environment: ["EDITOR": editor],
            [("Edit again? [y/N]", "y\n")]
        )
        #expect(spoken.run.status == 0, "\(spoken.run.stderr) \(spoken.shown)")
        #expect(try dex.config() == "wallet=\"b\"\n")
    }

    // MARK: Commands

    @Test("each short form is its command")
    func shortForms() async throws {
        for (short, long) in [
            ("book", "orderbook"), ("buy", "market-buy"), ("sell", "market-sell"),
            ("limit", "place-limit"), ("bal", "balance"),
        ] {
            let first = try await dex.run(short, "--help")
            let second = try await dex.run(long, "--help")
            #expect(first.status == 0)
            #expect(first.stdout == second.stdout)
            #expect(try await dex.run("help \(short)").stdout == second.stdout)
        }
    }

    @Test(
        "an unknown command is named before anything else, with what was meant",
        arguments: [
            (["orderbok", "--wallet", "x", "--frob"], "'orderbok'. Did you mean \"orderbook\"?"),
            (["byu", "--wallet", "alice"], "'byu'. Did you mean \"buy\"?"),
            (["wallet", "lst", "--frob"], "'lst'. Did you mean \"list\"?"),
            (["--json", "statsu"], "'statsu'. Did you mean \"status\"?"),
            (["help", "orderbok"], "'orderbok'. Did you mean \"orderbook\"?"),
            (["frobnicate", "--wallet", "x"], "'frobnicate'."),
        ]
    )
    func unknownCommand(arguments: [String], words: String) async throws {
        let run = try await dex.run(arguments)
        #expect(run.status == 2)
        #expect(run.stderr.hasPrefix("error: There is no command \(words)\n"), "\(run.stderr)")
    }

    @Test("an unknown network, wallet, token and pair say what was meant")
    func unknownNames() async throws {
        try await dex.withSandbox { _ in
            for (arguments, words) in [
                (["tokens", "--network", "mainet"], "Did you mean \"mainnet\"?"),
                (["balance", "--wallet", "alcie"], "Did you mean \"alice\"?"),
                (["price", "ZRX/WEHT"], "Did you mean \"WETH\"?"),
                (["price", "ZRX-WETH"], "Did you mean ZRX/WETH?"),
                (["send", "ZRX", "1", "bbo"], "Did you mean \"bob\"?"),
            ] {
                let run = try await dex.run(arguments)
                #expect((2...5).contains(run.status), "\(arguments)")
                #expect(run.stderr.contains(words), "\(arguments): \(run.stderr)")
            }
        }
    }

    @Test("an alias stands for its words, and is set, listed and removed")
    func alias() async throws {
        let set = try await dex.run(["alias", "set", "toks", "tokens --network 'mainnet'"])
        #expect(set.stdout == "dex toks is now: dex tokens --network 'mainnet'\n", "\(set.stderr)")
        let tokens = try await dex.run("tokens --network mainnet ZRX --json")
        #expect(try await dex.run("toks ZRX --json").stdout == tokens.stdout)
        #expect(try await dex.run("--json toks ZRX").stdout == tokens.stdout)
        let list = try await dex.data("alias list")["aliases"]?.arrayValue ?? []
        #expect(list.contains { $0["name"] == "buy" && $0["builtIn"] == true })
        #expect(list.contains { $0["name"] == "toks" && $0["builtIn"] == false })
        let near = try await dex.run("tosk")
        #expect(near.stderr.contains("toks"), "\(near.stderr)")
        #expect(try await dex.run("alias remove toks").status == 0)
        #expect(try await dex.run("toks").status == 2)
        _ = try await dex.data("alias remove toks", exit: 2, status: "error", code: "no-such-alias")
    }

    @Test(
        "an alias is refused if it hides a command or begins with none",
        arguments: [
            (["buy", "market-sell ZRX/WETH"], "bad-name"), (["orderbook", "price"], "bad-name"),
            (["help", "price"], "bad-name"), (["a b", "price"], "bad-name"),
            (["zb", "frob ZRX/WETH"], "bad-alias"), (["zb", "price 'x"], "bad-alias"),
            (["zb", ""], "bad-alias"),
        ]
    )
    func badAlias(arguments: [String], code: String) async throws {
        let run = try await dex.run(["alias", "set"] + arguments + ["--json"])
        #expect(run.status == 2)
        #expect(try run.json()["error"]?["code"]?.stringValue == code)
        #expect(!FileManager.default.fileExists(atPath: dex.configFile.path))
    }

    @Test("aliases of aliases are not followed")
    func noRecursion() async throws {
        try dex.write(config: "[aliases]\na = \"b\"\nb = \"a\"\n")
        let run = try await dex.run("a")
        #expect(run.status == 2)
        #expect(run.stderr.contains("There is no command 'b'."), "\(run.stderr)")
    }

    @Test("the default pair is that of commands that name none")
    func defaultPair() async throws {
        try await dex.withSandbox { _ in
            #expect(try await dex.run("book").status == 2)
            #expect(try await dex.run("config set trade.pair ZRX").status == 2)
            #expect(try await dex.run("config set trade.pair ZRX/WETH").status == 0)
            let book = try await dex.data("book --depth 1")
            #expect(book["base"]?["symbol"] == "ZRX")
            #expect(try await dex.data("price --amount 5")["amount"]?["value"] == "5")
            let plan = try await dex.data("buy 7", exit: 25, status: "plan")["plan"]
            #expect(plan?["receive"]?["expected"]?["value"] == "7")
            let limit = try await dex.data("limit --price 0.0001 buy 9", exit: 25, status: "plan")[
                "plan"
            ]
            #expect(limit?["base"]?["symbol"] == "ZRX")
            // A pair on the command line wins, and a missing amount is still missing.
            #expect(try await dex.data("book WETH/ZRX")["base"]?["symbol"] == "WETH")
            for arguments in [["buy"], ["buy", "ZRX/WETH"], ["limit", "buy", "1"]] {
                let run = try await dex.run(arguments)
                #expect(run.status == 2, "\(arguments): \(run.stdout)")
            }
        }
    }

    // MARK: Addresses

    @Test("an address is sent to by its name, and the plan shows both")
    func addressBook() async throws {
        try await dex.withSandbox { _ in
            let added = try await dex.data("address add ledger \(Self.ledger)")
            #expect(added["address"]?.stringValue == Self.ledger)
            #expect(try dex.config() == "[addresses]\nledger = \"\(Self.ledger)\"\n")
            let plan = try await dex.data("send WETH 1 ledger", exit: 25, status: "plan")
            #expect(plan["plan"]?["recipient"]?.stringValue == Self.ledger)
            #expect(plan["plan"]?["recipientName"] == "ledger")
            let text = try await dex.run("send WETH 1 ledger")
            #expect(text.stdout.contains("ledger (\(Self.ledger))"), "\(text.stdout)")
            #expect(try await dex.run("send WETH 1 ledger --yes").status == 0)
            #expect(try await dex.run("send WETH 1 bob --yes").status == 0)
            let names = try await dex.data("address list")["addresses"]?.arrayValue ?? []
            #expect(names.contains { $0["name"] == "ledger" && $0["source"] == "address book" })
            #expect(names.contains { $0["name"] == "alice" && $0["source"] == "sandbox account" })
            // A file that others can write names nobody.
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o666],
                ofItemAtPath: dex.configFile.path
            )
            _ = try await dex.data(
                "send WETH 1 ledger",
                exit: 3,
                status: "error",
                code: "alterable-config"
            )
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: dex.configFile.path
            )
            #expect(try await dex.run("address remove ledger").status == 0)
            _ = try await dex.data(
                "send WETH 1 ledger",
                exit: 2,
                status: "error",
                code: "unknown-address"
            )
        }
    }

    @Test("a look-alike of a known address is warned of, where it is added and where it is sent to")
    func lookAlike() async throws {
        try await dex.withSandbox { _ in
            #expect(try await dex.run("address add ledger \(Self.ledger)").stderr.isEmpty)
            let words = "looks like ledger (\(Self.ledger)), but it is another address"
            let send = try await dex.run("send WETH 1 \(Self.lookAlike) --json").json()
            let warnings = send["warnings"]?.arrayValue?.compactMap(\.stringValue) ?? []
            #expect(warnings.contains { $0.contains(words) }, "\(warnings)")
            let add = try await dex.run("address add other \(Self.lookAlike)")
            #expect(add.status == 0)
            #expect(add.stderr.contains(words), "\(add.stderr)")
        }
    }

    @Test(
        "a name that is taken or none is refused",
        arguments: ["alice", "maker1", "0xabc", "a.eth", "", "ledger"]
    )
    func badName(name: String) async throws {
        _ = try await dex.run("address add ledger \(Self.ledger)")
        let run = try await dex.run(["address", "add", name, Self.ledger, "--json"])
        #expect(run.status == 2)
        #expect(try run.json()["error"]?["code"] == "bad-name")
    }
}
