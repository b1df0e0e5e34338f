import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("A network without a relay: Uniswap's pools are the market")
struct PoolMarketTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    /// The sandbox's node as a network of its own, which no relay belongs to.
    private func usePools(_ sandbox: TestSandbox) throws {
        try dex.write(
            config: """
                network = "pools"
                [networks.pools]
                chain_id = 1337
                rpc = ["\(sandbox.rpc)"]
                exchange = "0x12459c951127e0c374ff9105dda097662a027093"
                weth = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
                block_time = 1
                """
        )
    }

    private func data(_ words: String) async throws -> JSONValue {
        let run = try await dex.run(words + " --json")
        try #require(run.status == 0, "\(words) \(run.stdout) \(run.stderr)")
        return try #require(try run.json()["data"])
    }

    @Test("orderbook, price, pool and pairs read the pools by the node alone")
    func market() async throws {
        try await dex.withSandbox { sandbox in
            try usePools(sandbox)
            let book = try await data("orderbook ZRX/WETH")
            #expect(book["venue"] == "pools" && book["nodeCount"]?.numberText == "1")
            let (bids, asks) = (
                try #require(book["bids"]?.arrayValue), try #require(book["asks"]?.arrayValue)
            )
            #expect(!bids.isEmpty && !asks.isEmpty)
            #expect(Set(asks.compactMap { $0["source"]?.stringValue }).count > 1)
            #expect(asks.allSatisfy { $0["orderHash"]?.isNull == true && $0["takeable"] == true })

            let price = try await data("price ZRX/WETH")
            for key in ["bid", "ask", "mid"] { #expect(price[key] == book[key], "\(key)") }
            #expect(price["bid"]?.isNull == false)
            let coin = try await data("price ETH/USDC")
            #expect(coin["bid"]?.isNull == false && coin["nodeCount"]?.numberText == "1")
            let amount = try await data("price ZRX/WETH --amount 10")
            #expect(amount["venues"]?.arrayValue?.map { $0["venue"] } == ["pools"])
            for key in ["bid", "ask", "mid"] { #expect(amount[key] == book[key], "\(key)") }
            #expect(amount["nodeCount"]?.numberText == "1" && amount["pools"]?.isNull == false)

            let pools = try await data("pool ZRX/WETH")
            let rows = try #require(pools["pools"]?.arrayValue)
            #expect(Set(rows.map { $0["source"]?.stringValue }).count == rows.count)
            #expect(rows.count > 1)
            for row in rows {
                #expect(row["buy"]?["baseAmount"]?["value"]?.stringValue != nil)
                #expect(row["sell"]?["quoteAmount"]?["value"]?.stringValue != nil)
            }
            // The oracles of these pools are a day old at block 0.
            #expect(
                rows.contains {
                    ($0["oracle"]?["seconds"]?.numberText).flatMap { Int($0) } ?? 0 > 0
                }
            )
            let listed = try #require(try await data("pairs")["pairs"]?.arrayValue)
            let pair = try #require(listed.first { $0["pair"] == "WETH/USDC" })
            for key in ["bid", "ask", "spread", "bidDepth", "askDepth", "volume"] {
                #expect(pair[key]?.isNull == false, "\(key)")
            }
            try await screens()
        }
    }

    @Test("a relay's book stays the book; --via pools shows the pools beside it")
    func beside() async throws {
        try await dex.withSandbox { _ in
            let book = try await data("orderbook ZRX/WETH --network sandbox")
            #expect(book["venue"] == "book" && book["nodeCount"]?.isNull == true)
            #expect(book["verifiedCount"]?.numberText != "0")
            let pools = try await data("orderbook ZRX/WETH --network sandbox --via pools")
            #expect(pools["venue"] == "pools" && pools["verifiedCount"]?.numberText == "0")
            let price = try await data("price ZRX/WETH --network sandbox --via pools")
            #expect(price["mid"] == pools["mid"])
            let csv = try await dex.run("orderbook ZRX/WETH --network sandbox --via pools --csv")
            #expect(csv.stdout.contains("relays,source,pool\r\n"))
            for words in [
                "orderbook ZRX/WETH --via pools --raw", "orderbook ZRX/WETH --via pools --relays",
                "price ZRX/WETH --via pools --amount 5", "orderbook ZRX/WETH --via swap",
            ] {
                let run = try await dex.run(words + " --network sandbox")
                #expect(run.status == 2, "\(words) \(run.stderr)")
            }
        }
    }

    @Test("a pair without a pool, a token against itself, and a chain without pools")
    func refusals() async throws {
        try await dex.withSandbox { sandbox in
            try usePools(sandbox)
            for command in ["orderbook", "price", "pool"] {
                let none = try await dex.run("\(command) ETH/WETH --json")
                #expect(none.status == 6, "\(none.stdout)")
                #expect(try none.json()["error"]?["code"] == "no-pool")
            }
            for command in ["pool", "orderbook --via pools", "price --via pools"] {
                let run = try await dex.run(
                    "\(command) ZRX/WETH --network fantom --rpc \(sandbox.rpc) --json"
                )
                #expect(run.status == 3, "\(run.stdout)")
                #expect(try run.json()["error"]?["code"] == "no-pools")
            }
        }
    }

    private func screens() async throws {
        for words in [
            "orderbook ZRX/WETH", "price ZRX/WETH", "price ZRX/WETH --amount 10", "pool ZRX/WETH",
            "pairs",
        ] {
            let screen = try await dex.run(words)
            #expect(screen.status == 0, "\(words) \(screen.stderr)")
            #expect(
                screen.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 },
                "\(screen.stdout)"
            )
            #expect(!screen.stdout.contains("\u{1B}"))
        }
    }
}
