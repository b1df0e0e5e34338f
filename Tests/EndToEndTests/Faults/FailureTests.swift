import DexTestSupport
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Failures and their exit codes")
struct FailureTests {
    private let dex: DexBinary
    private let nowhere = ["--relay", "http://127.0.0.1:1/v0", "--rpc", "http://127.0.0.1:1"]
    /// The key of the EIP-155 example: 0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F.
    private let key = String(repeating: "46", count: 32)

    init() throws {
        dex = try DexBinary()
    }

    @Test("without a running sandbox it says how to start one")
    func noSandbox() async throws {
        for command in [["orderbook", "ZRX/WETH"], ["balance"], ["pairs"]] {
            let run = try await dex.run(command)
            #expect(run.status == 4)
            #expect(run.stderr.contains("dex sandbox up"))
            #expect(run.stdout.isEmpty)
        }
    }

    @Test("a relay or node that is not there exits 4, and another try may help")
    func nothingListens() async throws {
        for command in [["pairs"], ["orderbook", "ZRX/WETH"], ["price", "ZRX/WETH"]] {
            let run = try await dex.run(command + nowhere + ["--json", "--network", "mainnet"])
            #expect(run.status == 4, "\(run.stderr)")
            let envelope = try run.json()
            #expect(envelope["exitCode"] == 4)
            #expect(envelope["error"]?["retryable"] == true)
            #expect(envelope["error"]?["code"]?.stringValue?.hasSuffix("unreachable") == true)
        }
    }

    @Test("a network without node or relay exits 3 and says how to name one")
    func notConfigured() async throws {
        let relay = try await dex.run("pairs --network scroll")
        #expect(relay.status == 3)
        #expect(relay.stderr.contains("--relay URL"), "\(relay.stderr)")
        // Where there are pools, a node is enough.
        let market = try await dex.run("pairs --network mainnet")
        #expect(market.status == 3)
        #expect(market.stderr.contains("--rpc URL"), "\(market.stderr)")
        let node = try await dex.run("balance --network mainnet")
        #expect(node.status == 3)
        #expect(node.stderr.contains("--rpc URL"))
    }

    @Test("without an account a trade exits 5")
    func noAccount() async throws {
        let run = try await dex.run(
            ["market-buy", "ZRX/WETH", "1", "--network", "mainnet"] + nowhere
        )
        #expect(run.status == 5)
        #expect(run.stderr.contains("DEX_PRIVATE_KEY"))
    }

    @Test(
        "a wrong key exits 5 and is never shown",
        arguments: ["zz", "1234", "0x\(String(repeating: "0", count: 64))"]
    )
    func wrongKey(secret: String) async throws {
        let run = try await dex.run(
            ["balance", "--network", "mainnet", "--json"] + nowhere,
            environment: ["DEX_PRIVATE_KEY": secret]
        )
        #expect(run.status == 5)
        #expect(!run.stderr.contains(secret) && !run.stdout.contains(secret))
    }

    @Test("a key that is not that of --wallet exits 5 and names both accounts")
    func keyMismatch() async throws {
        let run = try await dex.run(
            ["balance", "--network", "mainnet"] + nowhere
                + ["--wallet", "0xE41d2489571d322189246DaFA5ebDe1F4699F498"],
            environment: ["DEX_PRIVATE_KEY": key]
        )
        #expect(run.status == 5)
        #expect(run.stderr.contains("0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F"))
        #expect(run.stderr.contains("0xE41d2489571d322189246DaFA5ebDe1F4699F498"))
        #expect(!run.stderr.contains(key))
    }

    @Test("a named account outside the sandbox exits 5")
    func namedAccount() async throws {
        let run = try await dex.run(
            ["balance", "--network", "mainnet", "--wallet", "alice"] + nowhere
        )
        #expect(run.status == 5)
    }

    @Test("an unknown symbol exits 2 before anything is asked")
    func unknownSymbol() async throws {
        let run = try await dex.run(
            ["orderbook", "NOSUCHTOKEN/WETH", "--network", "mainnet"] + nowhere
        )
        #expect(run.status == 2)
        #expect(run.stderr.contains("NOSUCHTOKEN"))
    }

    @Test("hostile arguments reach no terminal as commands")
    func hostileArguments() async throws {
        let run = try await dex.run(
            ["orderbook", "\u{1B}[31m\u{202E}X/WETH", "--network", "mainnet"] + nowhere
        )
        #expect(run.status == 2)
        #expect(!run.stderr.unicodeScalars.contains("\u{1B}"))
        #expect(!run.stderr.unicodeScalars.contains("\u{202E}"))
    }

    @Test("a file that is no order exits 2")
    func badOrderFile() async throws {
        let run = try await dex.run(
            ["fill", "/no/such/file", "--network", "mainnet"] + nowhere,
            environment: ["DEX_PRIVATE_KEY": key]
        )
        #expect(run.status == 2)
        #expect(run.stderr.contains("neither an order hash"))
    }

    @Test("a relay that never answers is given up after --timeout, with exit 4")
    func timeout() async throws {
        let server = try ScriptedServer { $0.waitForClose() }
        defer { server.stop() }
        let url = "\(server.url)/v0"
        let run = try await dex.run("pairs --network mainnet --relay \(url) --timeout 1 --json")
        #expect(run.status == 4, "\(run.stderr)")
        #expect(try run.json()["error"]?["retryable"] == true)
    }

    @Test("Ctrl-C ends a command that waits, with exit 130 and an envelope")
    func interrupted() async throws {
        let server = try ScriptedServer { [dex] connection in
            guard connection.readRequest() != nil else { return }
            #expect((try? dex.interrupt()) == 1)
            connection.waitForClose()
        }
        defer { server.stop() }
        let url = "\(server.url)/v0"
        let run = try await dex.run("pairs --network mainnet --relay \(url) --json")
        #expect(run.status == 130, "\(run.stderr)")
        let error = try #require(try run.json()["error"])
        #expect(error["code"] == "interrupted")
        #expect(error["message"] == "Cancelled. Nothing was signed or sent.")
    }
}
