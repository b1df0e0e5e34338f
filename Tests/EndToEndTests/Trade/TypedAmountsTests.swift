import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// Amounts and prices as traders type them, against a book that the binary reads.
@Suite("Typed amounts and prices")
struct TypedAmountsTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private func raw(_ amount: JSONValue?) throws -> UInt256 {
        try #require(amount?["raw"]?.stringValue.flatMap { UInt256(decimal: $0) })
    }

    @Test(
        "a spend, a percentage and max trade the number that the plan shows",
        arguments: SandboxNetwork.allCases
    )
    func amounts(network: SandboxNetwork) async throws {
        try dex.use(network)
        try await dex.withSandbox { _ in
            // What is spent is never more than was said, and all of it but for backups.
            let bought = try await dex.data(
                "market-buy --via book ZRX/WETH --spend .05 --yes --wallet alice"
            )
            let plan = try #require(bought["plan"])
            let spend = UInt256(50_000_000_000_000_000)
            #expect(try raw(plan["pay"]?["max"]) <= spend)
            #expect(try raw(plan["pay"]?["max"]) * 100 > spend * 98)
            #expect(plan["amountFrom"]?["typed"] == ".05")
            #expect(plan["amountFrom"]?["spend"] == true)
            #expect(try raw(plan["amountFrom"]?["resolved"]) == spend)
            #expect(plan["amountFrom"]?["available"]?.isNull == true)
            #expect(try raw(bought["outcome"]?["paid"]) <= spend)

            let balance = try await dex.data("balance ZRX --wallet alice")
            let owned = try raw(
                balance["balances"]?.arrayValue?.first {
                    $0["token"]?["symbol"] == "ZRX"
                }?["balance"]
            )
            let sold = try await dex.data(
                "market-sell --via book ZRX/WETH 1% --yes --wallet alice"
            )
            #expect(try raw(sold["plan"]?["amountFrom"]?["available"]) == owned)
            #expect(try raw(sold["plan"]?["amountFrom"]?["resolved"]) == owned / 100)
            #expect(try raw(sold["outcome"]?["paid"]) == owned / 100)

            let page = try await dex.run("market-sell ZRX/WETH 1% --dry-run --wallet alice")
            #expect(page.status == 30, "\(page.stderr)")
            #expect(page.stdout.contains("1% of "), "\(page.stdout)")

            for (words, status, code) in [
                (["market-buy", "ZRX/WETH", "1,5"], 2, "bad-amount"),
                (["market-sell", "ZRX/WETH", "101%"], 2, "bad-amount"),
                (["market-sell", "ZRX/WETH", "1", "--spend", "1"], 2, "usage"),
                (["market-buy", "ZRX/WETH", "1", "--spend", "1"], 2, "usage"),
                (["market-buy", "ZRX/WETH"], 2, "usage"),
                (["market-buy", "--via", "book", "ZRX/WETH", "--spend", "100000"], 6, nil),
                (["fill", "0x" + String(repeating: "1", count: 64), "max"], 2, nil),
                (["send", "ZRX", "1e3", "bob"], 2, "bad-amount"),
                (["unwrap", "0%"], 2, "bad-amount"),
                (
                    ["guard", "add", "sell", "ZRX/WETH", "all", "--below", "0.0007"], 2,
                    "bad-amount"
                ),
                (["place-limit", "sell", "ZRX/WETH", "1", "--price", "mid*2"], 2, "bad-price"),
                (["place-limit", "sell", "ZRX/WETH", "1", "--price", "1,5"], 2, "bad-price"),
            ] as [([String], Int32, String?)] {
                let run = try await dex.run(words + ["--wallet", "alice", "--yes", "--json"])
                #expect(run.status == status, "\(words): \(run.stdout) \(run.stderr)")
                if let code, let error = try run.json()["error"] {
                    #expect(error["code"]?.stringValue == code, "\(words)")
                }
            }
        }
    }

    @Test("max, a percentage and a number are the same in every command that moves money")
    func everywhere() async throws {
        try await dex.withSandbox { _ in
            for (words, amount) in [
                ("send ZRX 50% bob", "10000"), ("send ZRX 1.5k bob", "1500"), ("unwrap max", "50"),
                ("wrap .5", "0.5"), ("allowance set ZRX 25%", "5000"),
            ] {
                let plan = try await dex.data(
                    "\(words) --dry-run --wallet alice",
                    exit: 30,
                    status: "dry-run"
                )
                let shown = plan["plan"]?["payAmount"] ?? plan["plan"]?["amount"]
                #expect(shown?["value"]?.stringValue == amount, "\(words)")
            }
            for words in [
                "place-limit sell ZRX/WETH max --price 0.0008",
                "guard add sell ZRX/WETH max --below 0.0007",
            ] {
                let page = try await dex.run("\(words) --dry-run --wallet alice")
                #expect(page.status == 30, "\(page.stderr)")
                #expect(page.stdout.lowercased().contains("sell 20000 zrx"), "\(page.stdout)")
            }
            // All of the coin: what the fee does not take stays, and nothing else.
            let sent = try await dex.data("send ETH max bob --yes --wallet dave")
            let maximum = try raw(sent["plan"]?["gas"]?["maxCost"])
            let cost = try raw(sent["transactions"]?.arrayValue?.first?["cost"])
            let left = try await dex.data("balance ETH --wallet dave")
            let balance = try raw(left["balances"]?.arrayValue?.first?["balance"])
            #expect(balance == maximum - cost)
        }
    }

    @Test(
        "a relative price is posted as the number that the plan shows",
        arguments: SandboxNetwork.allCases
    )
    func prices(network: SandboxNetwork) async throws {
        try dex.use(network)
        try await dex.withSandbox { _ in
            let book = try await dex.data("orderbook ZRX/WETH --wallet alice")
            let words = ["place-limit", "buy", "ZRX/WETH", "10", "--wallet", "alice", "--yes"]
            let placed = try await dex.run(words + ["--price", "bid+1", "--json"]).json()
            let data = try #require(placed["data"])
            #expect(data["posted"] == true, "\(placed)")
            #expect(data["plan"]?["priceFrom"]?["typed"] == "bid+1")
            #expect(data["plan"]?["priceFrom"]?["bid"] == book["bid"])
            #expect(data["plan"]?["priceFrom"]?["ask"] == book["ask"])
            let price = try #require(data["plan"]?["price"]?.stringValue)
            let bid = try #require(book["bid"]?.stringValue)
            #expect(try #require(Double(price)) > #require(Double(bid)))
            let order = try await dex.data(arguments: [
                "order", try #require(data["orderHash"]?.stringValue),
            ])
            #expect(order["price"]?.stringValue == price)
            let page = try await dex.run(
                Array(words.dropLast()) + ["--price", "mid-0.1%", "--dry-run"]
            )
            #expect(page.status == 30 && page.stdout.contains("mid-0.1% by bid"), "\(page.stdout)")
        }
    }
}
