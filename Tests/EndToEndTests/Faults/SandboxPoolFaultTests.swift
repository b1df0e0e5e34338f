import DexTestSupport
import Ethereum
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// `dex sandbox fault pools`, and what a trader sees under each of them.
@Suite("Faults of the sandbox's Uniswap pools")
struct SandboxPoolFaultTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n")
    }

    private func fault(_ kind: String) async throws -> JSONValue {
        try await dex.data(arguments: ["sandbox", "fault", "pools", "--kind", kind])
    }

    private func trade(_ line: String) async throws -> DexBinary.Run {
        try await dex.run(
            line.split(separator: " ").map(String.init) + ["--via", "pools", "--yes", "--json"]
        )
    }

    private func code(_ run: DexBinary.Run) throws -> String? {
        try run.json()["error"]?["code"]?.stringValue
    }

    private func sent(_ run: DexBinary.Run) throws -> [String] {
        (try run.json()["data"]?["transactions"]?.arrayValue ?? []).compactMap {
            $0["purpose"]?.stringValue
        }
    }

    /// What each v3 pool of ZRX/WETH has as its price.
    private func prices(_ sandbox: TestSandbox) throws -> [String] {
        try pools(sandbox).map { pool in
            let call = #"{"to":"\#(pool)","data":"0x3850c7bd"},"latest""#
            let answer = try #require(try sandbox.call("eth_call", call).stringValue)
            return String(answer.prefix(66))
        }
    }

    private func pools(_ sandbox: TestSandbox) throws -> [String] {
        try ["1f4", "bb8"].map { fee in
            let words =
                "000000000000000000000000e41d2489571d322189246dafa5ebde1f4699f498"
                + "000000000000000000000000c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                + String(repeating: "0", count: 61) + fee
            let factory = "0x1f98431c8ad98523631ae4a59f267346ea31f984"
            let call = #"{"to":"\#(factory)","data":"0x1698ee82\#(words)"},"latest""#
            let answer = try #require(try sandbox.call("eth_call", call).stringValue)
            return "0x" + answer.suffix(40)
        }
    }

    /// The swaps in the logs of the newest block, of v3 pools.
    private func swaps(_ sandbox: TestSandbox) throws -> Int {
        let topic = "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67"
        let filter = #"{"fromBlock":"latest","toBlock":"latest","topics":["\#(topic)"]}"#
        return try sandbox.call("eth_getLogs", filter).arrayValue?.count ?? 0
    }

    @Test("a manipulated block is undone by the next one, whatever else that brings")
    func moved() async throws {
        try await dex.withSandbox { sandbox in
            let before = try prices(sandbox)
            let set = try await fault("moved")
            #expect(set["faults"]?.arrayValue?.isEmpty == true)
            #expect(set["waiting"]?.arrayValue?.count == 1)
            let between = try prices(sandbox)
            #expect(zip(before, between).allSatisfy { $0 != $1 })
            #expect(try swaps(sandbox) == 2)
            try sandbox.call("evm_mine")
            #expect(try prices(sandbox) == before)
            #expect(try swaps(sandbox) == 2)
            // The plan sees 5 % less to pay. The block before the trade takes that away, so the
            // trade reverts: nothing but gas is lost.
            _ = try await fault("moved")
            let run = try await trade("market-buy ZRX/ETH 10 --wallet carol")
            #expect(run.status == 11, "\(run.stdout)")
            #expect(try sent(run) == ["swap"])
            let outcome = try run.json()["data"]?["outcome"]
            #expect(outcome?["received"]?["raw"] ?? "0" == "0", "\(run.stdout)")
            #expect(try prices(sandbox) == before)
            let fair = try await trade("market-buy ZRX/ETH 10 --wallet carol")
            #expect(fair.status == 0, "\(fair.stdout)")
        }
    }

    @Test("status names the pools, each with its address at the factory")
    func listed() async throws {
        try await dex.withSandbox { sandbox in
            let data = try await dex.data("sandbox status")
            let rows = try #require(data["pools"]?.arrayValue)
            #expect(rows.count == 12)
            let own = rows.filter { $0["pair"] == "ZRX/WETH" && $0["kind"] == "v3" }
            #expect(own.compactMap { $0["feePercent"]?.stringValue } == ["0.05", "0.3"])
            let addresses = own.compactMap { $0["address"]?.stringValue?.lowercased() }
            #expect(try addresses == pools(sandbox))
            let screen = try await dex.run("sandbox status")
            #expect(screen.stdout.contains("\n  pools 5 of Uniswap v2, 7 of v3, on the node\n"))
        }
    }

    @Test("a block that moves a price and moves it back leaves nothing but logs")
    func within() async throws {
        try await dex.withSandbox { sandbox in
            let before = try prices(sandbox)
            let set = try await fault("within")
            #expect(set["waiting"]?.arrayValue?.isEmpty == true)
            #expect(try swaps(sandbox) == 4)
            #expect(try prices(sandbox) == before)
            let block = try sandbox.call("eth_getBlockByNumber", "\"latest\",false")
            #expect(block["transactions"]?.arrayValue?.count == 2)
        }
    }

    @Test("a quote that promises too much: the trade's simulation fails, and nothing is signed")
    func quote() async throws {
        try await dex.withSandbox { _ in
            let set = try await fault("quote")
            #expect(set["faults"]?.arrayValue?.first?["kind"] == "quote")
            // The pool wants more than the ether that is sent along, and no token is allowed.
            for (line, reason) in [
                ("market-sell ZRX/ETH 3000", "Too little received"),
                ("market-buy ZRX/ETH 3000", "STF"),
            ] {
                let run = try await trade("\(line) --wallet bob --allow-unchecked-price")
                #expect(run.status == 10, "\(run.stdout)")
                #expect(try code(run) == "would-revert")
                #expect(try !sent(run).contains("swap"), "\(run.stdout)")
                let message = try run.json()["error"]?["message"]?.stringValue ?? ""
                #expect(message.contains(reason), "\(message)")
            }
            let cleared = try await dex.data("sandbox fault clear pools")
            #expect(cleared["cleared"]?.arrayValue?.first?["fault"] == "pools")
            #expect(try await trade("market-sell ZRX/ETH 10 --wallet bob").status == 0)
        }
    }

    @Test("a token that keeps a part of each transfer is never reported as fully received")
    func fee() async throws {
        try await dex.withSandbox { _ in
            _ = try await fault("fee")
            let sold = try await trade("market-sell LINK/WETH 10 --wallet alice")
            #expect(sold.status != 0, "\(sold.stdout)")
            #expect(try !sent(sold).contains("swap"))
            let bought = try await trade("market-buy LINK/ETH 10 --wallet alice")
            #expect(bought.status == 6, "\(bought.stdout)")
            #expect(try code(bought) == "fee-on-transfer")
            #expect(try !sent(bought).contains("swap"))
            _ = try await dex.data("sandbox fault clear pools")
            let fair = try await trade("market-buy LINK/ETH 10 --wallet alice")
            #expect(fair.status == 0, "\(fair.stdout)")
        }
    }

    @Test("dry pools: a purchase is refused, not filled at any price; cleared, it is filled")
    func dry() async throws {
        try await dex.withSandbox { sandbox in
            let before = try prices(sandbox)
            _ = try await fault("dry")
            for (amount, expected) in [("10", "impact-too-high"), ("1000000", "no-pool")] {
                let run = try await trade("market-buy ZRX/WETH \(amount) --wallet alice")
                #expect(run.status == 6, "\(run.stdout)")
                #expect(try code(run) == expected)
                #expect(try sent(run).isEmpty)
            }
            // Another kind replaces it, which gives the pools back what they had.
            _ = try await fault("quote")
            #expect(try prices(sandbox) == before)
            _ = try await dex.data("sandbox fault clear")
            let run = try await trade("market-buy ZRX/WETH 10 --wallet alice")
            #expect(run.status == 0, "\(run.stdout)")
        }
    }

    @Test("each kind is in the help, fits 80 columns, and needs the accounts that it trades with")
    func kinds() async throws {
        let help = try await dex.run("sandbox fault pools --help")
        let kinds = ["moved", "within", "quote", "fee", "dry"]
        try await dex.withSandbox("--accounts", "none", "--fund", Self.funded) { _ in
            for kind in kinds {
                #expect(help.stdout.contains("\(kind):"))
                let run = try await dex.run(["sandbox", "fault", "pools", "--kind", kind])
                if ["quote", "fee"].contains(kind) {
                    #expect(run.status == 0, "\(run.stderr)")
                    for line in run.stdout.split(separator: "\n") { #expect(line.count <= 80) }
                } else {
                    #expect(run.status == 2)
                    #expect(run.stderr.contains("needs the named accounts"), "\(run.stderr)")
                }
            }
        }
        for words in [[], ["--kind", "evil"]] {
            let run = try await dex.run(["sandbox", "fault", "pools"] + words)
            #expect(run.status == 2 && run.stdout.isEmpty)
        }
    }

    private static let funded = "0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E"
}
