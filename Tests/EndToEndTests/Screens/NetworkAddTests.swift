import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("dex network add looks at what it is told")
struct NetworkAddTests {
    private let dex: DexBinary
    private static let exchange = "0x12459C951127e0c374FF9105DdA097662A027093"
    private static let proxy = "0x5315e44798395d4a952530d131249fE00f554565"
    private static let weth = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
    private static let nobody = "0x00000000000000000000000000000000000000e1"

    init() throws {
        dex = try DexBinary()
    }

    private func add(
        _ exchange: String,
        _ version: String,
        _ sandbox: TestSandbox,
        chain: String = "1337",
        _ extra: String...
    ) async throws -> DexBinary.Run {
        try await dex.run(
            [
                "network", "add", "mine", "--chain-id", chain, "--exchange", exchange,
                "--protocol", version, "--rpc", sandbox.rpc,
            ] + extra
        )
    }

    private func isAdded() throws -> Bool {
        guard FileManager.default.fileExists(atPath: dex.configFile.path) else { return false }
        return try dex.config().contains("networks.mine")
    }

    @Test("what is no exchange of that version is told by what it is not, and not added")
    func refusals() async throws {
        try await dex.withSandbox { sandbox in
            let v4 = "does not answer as an Exchange Proxy with the native orders of 0x v4"
            let v1 = "does not answer as an exchange of 0x v1"
            let cases = [
                (Self.exchange, "v4", "\(Self.exchange) \(v4)"),
                (Self.weth, "v4", "\(Self.weth) \(v4)"),
                (Self.proxy, "v1", "\(Self.proxy) \(v1)"),
                (Self.weth, "v1", "\(Self.weth) \(v1)"),
                (Self.nobody, "v4", "There is no contract at \(Self.nobody) on chain 1337"),
                (Self.nobody, "v1", "There is no contract at \(Self.nobody) on chain 1337"),
            ]
            for (exchange, version, words) in cases {
                let run = try await add(exchange, version, sandbox)
                #expect(run.status == 3, "\(exchange) as \(version): \(run.stderr)")
                #expect(run.stderr.contains(words), "\(run.stderr)")
                #expect(run.stderr.contains("check the network's exchange address"))
                #expect(!run.stderr.contains("node"), "it is not the node's error: \(run.stderr)")
                let json = try await add(exchange, version, sandbox, "--json").json()
                #expect(json["error"]?["code"] == "not-an-exchange")
                #expect(try !isAdded())
            }
            let elsewhere = try await add(Self.proxy, "v4", sandbox, chain: "10")
            #expect(elsewhere.status == 3)
            #expect(elsewhere.stderr.contains("is on chain 1337"), "\(elsewhere.stderr)")
            let unknown = try await add(Self.proxy, "v5", sandbox)
            #expect(unknown.status != 0)
            #expect(unknown.stderr.contains("protocol takes \"v1\" or \"v4\""))
            let unsigned = try await add(Self.exchange, "v1", sandbox, "--signature", "eip712")
            #expect(unsigned.status == 3)
            #expect(unsigned.stderr.contains("which 0x v1 does not take"))
            #expect(try !isAdded())
        }
    }

    @Test("a network may have a swap API and no exchange: only its chain is looked at")
    func swapAlone() async throws {
        let words = ["network", "add", "mine", "--chain-id"]
        let swap = ["--swap", "https://swap.example/0x"]
        try await dex.withSandbox { sandbox in
            let elsewhere = try await dex.run(words + ["1"] + swap + ["--rpc", sandbox.rpc])
            #expect(elsewhere.status == 3, "\(elsewhere.stderr)")
            #expect(try !isAdded())
            let run = try await dex.run(words + ["1337"] + swap + ["--rpc", sandbox.rpc, "--json"])
            #expect(run.status == 0, "\(run.stderr)")
            let data = try #require(try run.json()["data"])
            #expect(data["exchange"]?.isNull == true && data["findings"]?.isNull == true)
            #expect(data["swap"]?["api"] == "https://swap.example")
            #expect(data["swap"]?["via"] == "best")
        }
        #expect(
            try dex.config().contains(
                "[networks.mine.swap]\napi = \"https://swap.example/0x\"\n"
            )
        )
        let use = try await dex.run("network use mine")
        #expect(use.status == 0)
        #expect(!use.stderr.contains("relay"), "\(use.stderr)")
        let list = try await dex.run("network list")
        #expect(list.status == 0 && list.stdout.contains("mine"))
    }

    @Test("a network needs an exchange or a swap API, and the API's address keeps a key secret")
    func incomplete() async throws {
        let words = ["network", "add", "mine", "--chain-id", "7"]
        let neither = try await dex.run(words)
        #expect(neither.status == 2, "\(neither.stderr)")
        #expect(neither.stderr.contains("--exchange, --swap, or both"))
        for url in ["http://swap.example", "https://swap.example?key=abc", "swap.example"] {
            let run = try await dex.run(words + ["--swap", url])
            #expect(run.status == 2, "\(url): \(run.stderr)")
            #expect(!run.stderr.contains("abc"))
        }
        #expect(try !isAdded())
    }

    @Test("both exchanges of the sandbox are found, told and added, with how orders are signed")
    func added() async throws {
        try await dex.withSandbox { sandbox in
            let dry = try await add(Self.proxy, "v4", sandbox, "--dry-run", "--json").json()
            #expect(dry["status"] == "dry-run")
            #expect(try !isAdded())
            let run = try await add(Self.proxy, "v4", sandbox, "--signature", "eip712")
            #expect(run.status == 0, "\(run.stderr)")
            #expect(run.stdout.contains("\(Self.proxy) trades (0x v4)"), "\(run.stdout)")
            #expect(run.stdout.contains("for \(Self.proxy)"))
            #expect(run.stdout.contains("in each order's own token"))
            let list = try await dex.run("network list --json").json()
            let rows = list["data"]?["networks"]?.arrayValue ?? []
            let mine = try #require(rows.first { $0["name"] == "mine" })
            #expect(mine["protocol"] == "v4")
            #expect(mine["orderSigning"] == "eip712")
            #expect(mine["exchange"]?.stringValue == Self.proxy)
            let again = try await add(Self.proxy, "v4", sandbox)
            #expect(again.status == 2)
            #expect(again.stderr.contains("There is a network mine already"))
            let old = try await dex.run(
                "network add old --chain-id 1337 --exchange \(Self.exchange) --rpc",
                "\(sandbox.rpc) --json"
            ).json()
            #expect(old["data"]?["findings"]?["version"] == "1.0.0")
            #expect(old["data"]?["protocol"] == "v1")
        }
    }
}
