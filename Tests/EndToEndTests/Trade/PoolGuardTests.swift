import DexStore
import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Synchronization
import Testing

@testable import EndToEndTestSupport

/// What the built `dex guard` and `dex watch` do on a network that has Uniswap's pools and no relay.
@Suite("Guards and alerts at pools, end to end")
struct PoolGuardTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private func json(
        _ words: [String],
        by trader: FaultTrader? = nil,
        status: Int32 = 0
    ) async throws -> JSONValue {
        let run = try await dex.run(
            words + ["--json"],
            environment: trader.map { ["DEX_PRIVATE_KEY": $0.key] } ?? [:]
        )
        try #require(run.status == status, "\(words) \(run.stdout) \(run.stderr)")
        return try run.json()
    }

    /// A sandbox that the commands know as any network, without a relay.
    private func elsewhere(
        _ body: (_ sandbox: TestSandbox, _ trader: FaultTrader) async throws -> Void
    ) async throws {
        try dex.write(config: "network = \"sandbox\"\n")
        try await dex.withSandbox { sandbox in
            let data = try await dex.run("network", "list", "--json").json()["data"]
            let network = try #require(
                data?["networks"]?.arrayValue?.first { $0["name"] == "sandbox" }
            )
            let exchange = try #require(network["exchange"]?.stringValue)
            let weth = try #require(network["weth"]?.stringValue)
            try dex.write(
                config: """
                    network = "elsewhere"
                    [networks.elsewhere]
                    chain_id = 1337
                    protocol = "v1"
                    exchange = "\(exchange)"
                    weth = "\(weth)"
                    rpc = ["\(sandbox.rpc)"]
                    block_time = 1
                    """
            )
            try await body(sandbox, try await sandbox.traders(0..<1)[0])
        }
    }

    /// Trades at the pools for bob, who moves the price.
    private func rival(_ words: String...) async throws {
        let flags = ["--via", "pools", "--network", "sandbox", "--wallet", "bob", "--yes"]
        _ = try await json(words + ["ZRX/WETH", "40000"] + flags)
    }

    /// A block, later by so many seconds than the machine's clock says.
    private static func mine(_ sandbox: TestSandbox, later seconds: Int = 0) throws {
        if seconds > 0 { try sandbox.call("evm_increaseTime", "\(seconds)") }
        try sandbox.call("evm_mine")
    }

    /// A take-profit 0.1 % above the price of now; the bid of now.
    private func takeProfit(_ trader: FaultTrader) async throws -> JSONValue {
        // Far away, for the price of now.
        let far = ["guard", "add", "sell", "ZRX/WETH", "1", "--above", "1"]
        let plan = try await json(far + ["--dry-run"], by: trader, status: 30)["data"]?["plan"]
        let text = try #require(plan?["now"]?.stringValue)
        let units = try DecimalText.parse(text, decimals: 18)
        let above = DecimalText.format(units / 1_000 * 1_001, decimals: 18)
        let words = ["guard", "add", "sell", "ZRX/WETH", "1", "--above", String(above.prefix(12))]
        let planned = try await json(words, by: trader, status: 25)["data"]?["plan"]
        #expect(planned?["venue"] == "pools")
        #expect(planned?["mean"]?["poolNames"] == ["v3:0.3%", "v3:0.05%"])
        #expect(planned?["mean"]?["reason"]?.isNull == true)
        return try #require(
            try await json(words + ["--yes"], by: trader)["data"],
            "\(words)"
        )
    }

    /// The events of a run of guards, each of whose looks has a block of its own; it is killed at a
    /// look.
    private func run(
        _ sandbox: TestSandbox,
        _ trader: FaultTrader,
        maximum: Int,
        later seconds: Int = 0
    ) async throws -> (events: [JSONValue], status: Int32) {
        let looks = Mutex(0)
        let dex = dex
        let node = try Interposer(before: sandbox.rpc) { request, _ in
            guard request.methods == ["eth_chainId", "eth_getBlockByNumber"] else { return .pass }
            let number = looks.withLock { count in
                count += 1
                return count
            }
            if number == maximum {
                do { try dex.kill() } catch { Issue.record(error) }
            }
            do { try Self.mine(sandbox, later: seconds) } catch { Issue.record(error) }
            return .pass
        }
        let run = try await dex.run(
            ["guard", "run", "--json", "--rpc", node.url],
            environment: ["DEX_PRIVATE_KEY": trader.key]
        )
        let lines = try run.stdout.split(separator: "\n").map {
            try JSONParser.parse(text: String($0))
        }
        return (lines.compactMap { $0["data"] }, run.status)
    }

    @Test("a guard fires at the pools once two blocks and the mean are there, with its outcome")
    func story() async throws {
        try await elsewhere { sandbox, trader in
            let made = try await takeProfit(trader)
            #expect(made["state"] == "waiting")
            try await rival("market-buy")
            let (events, status) = try await run(sandbox, trader, maximum: 60, later: 10)
            #expect(status == 0, "\(events)")
            let words = events.map { $0["event"]?.stringValue ?? "" }
            #expect(words == ["begun", "held", "reached", "firing", "fired"])
            let reason = events.first { $0["event"] == "held" }?["reason"]?.stringValue
            #expect(reason == "Its price is reached, but not by the mean of the last 5 minutes.")
            let trade = events.last?["trade"]
            #expect(trade?["plan"]?["venue"] == "pools", "\(trade?.text ?? "")")
            let list = try await json(["guard", "list"], by: trader)["data"]?["guards"]?.arrayValue
            #expect(list?.map { $0["state"] } == ["ended"])
            #expect(list?.map { $0["venue"] } == ["pools"])
        }
    }

    @Test("a price that is there for a block or two and gone again fires nothing")
    func manipulated() async throws {
        try await elsewhere { sandbox, trader in
            _ = try await takeProfit(trader)
            for blocks in 0..<3 {
                try await rival("market-buy")
                let (events, _) = try await run(sandbox, trader, maximum: 2 + blocks)
                #expect(events.contains { $0["event"] == "held" }, "\(events)")
                #expect(!events.contains { $0["event"] == "firing" }, "\(events)")
                try await rival("market-sell")
                try Self.mine(sandbox)
            }
            let list = try await json(["guard", "list"], by: trader)["data"]?["guards"]?.arrayValue
            #expect(list?.map { $0["state"] } == ["waiting"])
            #expect(try sandbox.sent(by: trader).mined == 0)
        }
    }

    @Test("dex watch tells an alert of the pools' price, without a relay")
    func alert() async throws {
        try await elsewhere { sandbox, trader in
            for condition in ["ZRX/WETH bid > 0.0001", "ZRX/WETH bid > 1", "ZRX/WETH spread < 5%"] {
                _ = try await json(["alert", "add", condition], by: trader)
            }
            try Self.mine(sandbox)
            let look = try await dex.run(
                ["watch", "--once", "--alerts", "--json"],
                environment: ["DEX_PRIVATE_KEY": trader.key]
            )
            #expect(look.status == 0, "\(look.stderr)")
            let lines = try look.stdout.split(separator: "\n").map {
                try JSONParser.parse(text: String($0))
            }
            let fired = lines.compactMap { $0["data"]?["alert"]?["condition"]?.stringValue }
            #expect(fired == ["ZRX/WETH bid > 0.0001", "ZRX/WETH spread < 5%"], "\(look.stdout)")
        }
    }
}
