import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// `dex init` by flags, and at each of its questions.
@Suite("dex init")
struct InitTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }

    init() throws {
        home = try WalletHome()
    }

    /// A network that is not the sandbox's own, on its chain.
    private static let mine = """
        # mine
        [networks.mine]
        chain_id = 1337
        exchange = "0x12459c951127e0c374ff9105dda097662a027093"

        """

    private var isUntouched: Bool {
        let files = FileManager.default
        return !files.fileExists(atPath: dex.configFile.path)
            && !files.fileExists(atPath: dex.home.appending(path: "keystore").path)
    }

    @Test("flags set everything up at once, and again they change nothing")
    func flags() async throws {
        try await dex.withSandbox { sandbox in
            // The network is not a sandbox's by name, and its chain was begun with the first test.
            try sandbox.call("evm_mine")
            try dex.write(config: Self.mine)
            let password = try home.password()
            let words = [
                "init", "--network", "mine", "--rpc", sandbox.rpc + "?key=SECRET", "--relay",
                sandbox.relay, "--yes", "--json",
            ]
            let key = try home.file("key", WalletHome.key)
            let wallet = ["--import", "key", "--from", key, "--name", "main", "--light"]
            let dry = try await dex.run(
                words.filter { $0 != "--yes" } + wallet + ["--dry-run"],
                environment: password
            )
            #expect(dry.status == 30, "\(dry.stdout) \(dry.stderr)")
            #expect(try dry.json()["data"]?["newSettings"]?["network"] == "\"mine\"")
            #expect(try dex.config() == Self.mine)

            let run = try await dex.run(words + wallet, environment: password)
            #expect(run.status == 0, "\(run.stdout) \(run.stderr)")
            let data = try #require(try run.json()["data"])
            #expect(data["wallet"]?["address"] == .string(WalletHome.address))
            #expect(data["missingParts"]?.arrayValue?.isEmpty == true)
            #expect(data["next"] == "dex orderbook ZRX/WETH")
            #expect(data["checkup"]?["network"] == "mine")
            #expect(!run.stdout.contains("SECRET") && !run.stderr.contains("SECRET"))
            let config = try dex.config()
            #expect(config.contains("# mine\n"))
            #expect(config.contains("rpc = [\"\(sandbox.rpc)?key=SECRET\"]"))
            #expect(config.contains("wallet = \"main\""))

            let again = try await dex.run(["init", "--yes", "--json"])
            #expect(again.status == 0, "\(again.stdout)")
            #expect(try again.json()["data"]?["newSettings"]?.objectValue?.members.isEmpty == true)
            #expect(try dex.config() == config)
            let book = try await dex.run("orderbook ZRX/WETH")
            #expect(book.status == 0, "\(book.stderr)")

            let other = try await dex.run(
                [
                    "init", "--network", "mainnet", "--rpc", sandbox.rpc, "--new-wallet", "x",
                    "--light", "--yes", "--json",
                ],
                environment: password
            )
            #expect(other.status == 3)
            #expect(try other.json()["error"]?["code"] == "wrong-chain")
            #expect(try dex.config() == config)
            #expect(try await dex.run("wallet list --json").stdout.contains("\"x\"") == false)
        }
    }

    @Test("a new wallet by flags is the default, and its words are not printed")
    func newWallet() async throws {
        let run = try await dex.run(
            ["init", "--network", "celo", "--new-wallet", "main", "--light", "--yes"],
            environment: try home.password()
        )
        // There is no node.
        #expect(run.status == 3, "\(run.stderr)")
        #expect(run.stderr.contains("dex wallet export main --words"))
        #expect(run.stdout.contains("dex config set networks.celo.rpc URL"))
        #expect(run.stdout.hasSuffix("Next: dex doctor\n"))
        #expect(try dex.config().contains("wallet = \"main\""))
        #expect(try await dex.run("config get network").stdout == "celo\n")
    }

    @Test("without a terminal it says which flags answer it, and writes nothing")
    func nobody() async throws {
        for arguments in [["init"], ["init", "--json"]] {
            let run = try await dex.run(arguments)
            #expect(run.status == 2)
            #expect(run.stderr.contains("--network NAME --rpc URL --relay URL"), "\(run.stderr)")
        }
        let code = try await dex.run("init --json").json()["error"]?["code"]
        #expect(code == "nobody-to-ask")
        #expect(isUntouched)
    }

    @Test("flags that cannot be used end it before anything is written")
    func refused() async throws {
        let cases: [([String], Int32, String)] = [
            (["--network", "kovan"], 3, "unknown-network"),
            (["--network", "mainet"], 3, "unknown-network"),
            (["--network", "celo", "--rpc", "node"], 2, "bad-url"),
            (["--network", "celo", "--rpc", "http://127.0.0.1:1"], 4, "node-unreachable"),
            (["--network", "celo", "--relay", "http://127.0.0.1:1"], 4, "relay-unreachable"),
            (["--network", "celo", "--wallet", "nobody"], 5, "unknown-wallet"),
            (["--wallet", "a", "--new-wallet", "b"], 2, "usage"),
            (["--name", "a"], 2, "usage"), (["--import", "keystore"], 2, "usage"),
        ]
        for (flags, status, code) in cases {
            let wallet = code == "usage" || code == "unknown-wallet" ? [] : ["--new-wallet", "w"]
            let run = try await dex.run(
                ["init", "--light", "--yes", "--json"] + flags + wallet,
                environment: try home.password()
            )
            #expect(run.status == status, "\(flags): \(run.stdout)")
            #expect(try run.json()["error"]?["code"]?.stringValue == code, "\(flags)")
            #expect(isUntouched, "\(flags)")
        }
    }

    @Test("what is not set up names dex init")
    func hints() async throws {
        for (arguments, words) in [
            (["orderbook", "ZRX/WETH"], "dex init\n"),
            (["orderbook", "ZRX/WETH", "--network", "mainnet"], "dex init --network mainnet\n"),
            (["market-buy", "ZRX/WETH", "1", "--network", "celo"], "dex init"), ([], "dex init"),
        ] {
            let run = try await dex.run(arguments)
            #expect((run.stderr + run.stdout).contains(words), "\(arguments): \(run.stderr)")
        }
        let use = try await dex.run("network use celo")
        #expect(use.stderr.contains("dex init --network celo"), "\(use.stderr)")
    }

    @Test("Ctrl-C at each question ends with 130, with nothing written", arguments: 0..<9)
    func interrupted(at place: Int) async throws {
        let all = [
            ("Network [sandbox]: ", "celo\n"), ("Node URL (Enter skips): ", "\n"),
            ("Relay URL (Enter skips): ", "\n"), ("Wallet [1]: ", "1\n"),
            ("Its name [wallet-1]: ", "\n"),
            ("New password for the wallet wallet-1: ", "open sesame\n"),
            ("Repeat password: ", "open sesame\n"), ("asked back. ", "\n"), ("Word ", "wrong\n"),
        ]
        let script = all[...place].enumerated().map { index, step in
            index == place ? (step.0, Conversation.interrupt) : step
        }
        let broken = try await dex.converse(["init", "--light"], script)
        #expect(broken.run.status == 130, "\(broken.run.stderr)")
        #expect(broken.run.stderr.hasSuffix("Cancelled. Nothing was signed or sent.\n"))
        #expect(broken.run.stdout.isEmpty)
        #expect(broken.echoes)
        #expect(isUntouched)
        // The screen with the words is left again.
        let parts = broken.shown.components(separatedBy: "\u{1B}[?1049h")
        #expect(parts.count == (place < 7 ? 1 : 2))
        #expect(parts.dropFirst().allSatisfy { $0.contains("\u{1B}[?1049l") })
    }

    @Test("typed ahead, nothing is an answer, a password, an Enter below the words, or one of them")
    func typedAhead() async throws {
        let talk = try await dex.converse(
            ["init", "--light"],
            [
                // What follows a line end is typed before the next question is there.
                ("Network [sandbox]: ", "celo\nhttp://127.0.0.1:1\n\n4\n"),
                ("Node URL (Enter skips): ", "\nhttp://127.0.0.1:1\n"),
                ("Relay URL (Enter skips): ", "\n4\n"), ("Wallet [1]: ", "1\nother\n"),
                ("Its name [wallet-1]: ", "main\ntyped too early\ntyped too early\n\n\n\n"),
                ("New password for the wallet main: ", "open sesame\n"),
                // Again too early: the words are not shown yet.
                ("Repeat password: ", "open sesame\n\n\nabandon\n"),
                ("asked back. ", "\nabandon\n"), ("Word ", Conversation.interrupt),
            ]
        )
        #expect(talk.run.status == 130, "\(talk.run.stderr)")
        #expect(!talk.shown.contains("sesame"))
        #expect(!talk.shown.contains("shown again"), "\(talk.shown)")
        #expect(isUntouched)
    }

    @Test("a keystore, a key and a phrase come in by the questions; what is wrong is asked again")
    func imports() async throws {
        let talk = try await dex.converse(
            ["init", "--light", "--network", "celo"],
            [
                ("Node URL", "http://127.0.0.1:1\n"), ("Check the node's address", ""),
                ("Node URL", "\n"), ("Relay URL", "\n"),
                ("Wallet [1]: ", "3\n"), ("Its name [wallet-1]: ", "alice\n"),
                ("Its name [wallet-1]: ", "main\n"), ("Private key: ", "nonsense\n"),
                ("Wallet [1]: ", "3\n"), ("Its name [wallet-1]: ", "main\n"),
                ("Private key: ", WalletHome.key + "\n"), ("New password", "open sesame\n"),
                ("Repeat password: ", "open barley\n"), ("New password", "open sesame\n"),
                ("Repeat password: ", "open sesame\n"),
            ]
        )
        #expect(talk.run.status == 3, "\(talk.run.stderr)")
        #expect(talk.shown.contains(WalletHome.address))
        #expect(talk.run.stdout.hasSuffix("Next: dex doctor\n"))
        #expect(!talk.shown.contains("sesame") && !talk.shown.contains("4c0883"))
        #expect(try dex.config().contains("wallet = \"main\""))
    }
}
