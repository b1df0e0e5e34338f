import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("The market's past on the sandbox")
struct MarketTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private func run(_ arguments: String..., status: Int32 = 0) async throws -> JSONValue {
        let run = try await dex.run(arguments + ["--yes", "--json"])
        try #require(run.status == status, "\(arguments) \(run.stdout) \(run.stderr)")
        return try #require(try run.json()["data"])
    }

    @Test(
        "what is traded is on the tape, in the candles, in the volume and beside the price",
        arguments: SandboxNetwork.allCases
    )
    func market(network: SandboxNetwork) async throws {
        try dex.use(network)
        try await dex.withSandbox { _ in
            let empty = try await dex.run("trades ZRX/WETH")
            #expect(empty.status == 0 && empty.stdout.contains("No trade of ZRX/WETH since"))

            let bought = try await run("market-buy", "--via", "book", "ZRX/WETH", "300")
            _ = try await run("market-sell", "--via", "book", "ZRX/WETH", "20")
            let legs = try #require(bought["outcome"]?["orders"]?.arrayValue)
                .count { $0["status"] != "untouched" && $0["status"] != "skipped" }

            let tape = try await run("trades", "ZRX/WETH")
            let trades = try #require(tape["trades"]?.arrayValue)
            #expect(trades.first?["side"] == "sell" && trades.last?["side"] == "buy")
            #expect(trades.count { $0["side"] == "buy" } == legs)
            #expect(tape["volume"]?["baseAmount"]?["value"] == "320")
            #expect(tape["volume"]?["tradeCount"]?.numberText == "\(trades.count)")
            let one = try await run("trades", "ZRX/WETH", "--limit", "1")
            #expect(one["trades"]?.arrayValue == [trades[0]])

            let chart = try await run("chart", "ZRX/WETH")
            let candles = try #require(chart["candles"]?.arrayValue)
            #expect(
                candles.compactMap { $0["tradeCount"]?.numberText }.compactMap(Int.init)
                    .reduce(0, +) == trades.count
            )
            #expect(candles.last?["close"] == trades.first?["price"])
            #expect(candles.first?["open"] == trades.last?["price"])

            let pairs = try #require(try await run("pairs")["pairs"]?.arrayValue)
            #expect(pairs.first?["pair"] == "ZRX/WETH")
            #expect(pairs.first?["volume"] == tape["volume"])
            for key in ["bid", "ask", "spread", "bidDepth", "askDepth"] {
                #expect(pairs.first?[key]?.isNull == false, "\(key)")
            }
            let price = try await run("price", "ZRX/WETH")
            #expect(price["trend"]?["volume"] == tape["volume"])
            try await profit()
            try await screens(trades)
            try await picture()
            try await refusals()
        }
    }

    @Test(
        "a purchase of usual size meets the book; one's swaps are on the tape and in the volume too"
    )
    func swaps() async throws {
        try await dex.withSandbox { _ in
            let plan = try await dex.run("market-buy ZRX/WETH 50 --dry-run --json").json()
            #expect(plan["data"]?["plan"]?["venue"] == "book", "\(plan.text)")
            _ = try await run("market-buy", "--via", "book", "ZRX/WETH", "20")
            _ = try await run("market-buy", "--via", "swap", "ZRX/WETH", "30")
            _ = try await run("market-sell", "--via", "swap", "ZRX/WETH", "10")
            let tape = try await run("trades", "ZRX/WETH")
            let trades = try #require(tape["trades"]?.arrayValue)
            #expect(trades.map { $0["side"] } == ["sell", "buy", "buy"])
            #expect(trades.map { $0["orderHash"]?.isNull } == [true, true, false])
            #expect(trades[1]["baseAmount"]?["value"] == "30")
            #expect(trades[0]["baseAmount"]?["value"] == "10")
            #expect(tape["volume"]?["baseAmount"]?["value"] == "60")
            #expect(tape["volume"]?["tradeCount"] == 3)
            #expect(try await run("price", "ZRX/WETH")["trend"]?["volume"] == tape["volume"])
            #expect(try await run("trades", "DAI/WETH")["trades"]?.arrayValue?.isEmpty == true)
            let screen = try await dex.run("trades ZRX/WETH").stdout
            #expect(screen.contains("VENUE"))
            let venues = screen.split(separator: "\n").filter { $0.contains(" swap") }
            #expect(venues.count == 2, "\(screen)")
        }
    }

    /// 280 ZRX are still held: their profit until now, in WETH and in USDC.
    private func profit() async throws {
        let history = try #require(try await run("history")["positions"]?.arrayValue)
        let balance = try #require(try await run("balance")["positions"]?.arrayValue)
        #expect(history.count == 1 && history == balance)
        let open = history.first?["unrealised"]
        #expect(history.first?["held"]?["value"] == "280")
        #expect(open?["averageProfit"]?["symbol"] == "WETH")
        #expect(open?["dollars"]?["marketValue"]?["symbol"] == "USDC")
        for command in ["history", "balance"] {
            let without = try await run(command, "--no-value")["positions"]?.arrayValue ?? []
            #expect(without.allSatisfy { $0["unrealised"]?.isNull == true }, "\(command)")
        }
        let screen = try await dex.run("balance")
        #expect(screen.stdout.contains("Profit is not realised"))
    }

    private func screens(_ trades: [JSONValue]) async throws {
        for command in [
            ["trades", "ZRX/WETH"], ["chart", "ZRX/WETH"], ["pairs"], ["price", "ZRX/WETH"],
        ] {
            let screen = try await dex.run(command)
            #expect(screen.status == 0, "\(screen.stderr)")
            #expect(screen.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
            #expect(!screen.stdout.contains("\u{1B}"))
        }
        let csv = try await dex.run("trades ZRX/WETH --csv")
        #expect(csv.stdout.components(separatedBy: "\r\n").count == trades.count + 2)
        let list = try await run("pairs", "--books", "0")
        #expect(list["pairs"]?.arrayValue?.allSatisfy { $0["volume"]?.isNull == true } == true)
    }

    private func picture() async throws {
        let path = dex.home.appending(path: "chart.svg").path
        for _ in 0..<2 {
            let written = try await run("chart", "ZRX/WETH", "--svg", path)
            #expect(written["svg"]?.stringValue == path)
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("<svg ") && text.hasSuffix("</svg>\n"))
        let other = try await dex.run("chart ZRX/WETH --svg notes.txt")
        #expect(other.status == 2 && other.stderr.contains("ends in .svg"))
    }

    private func refusals() async throws {
        let interval = try await dex.run("chart ZRX/WETH --interval 1y --json")
        #expect(interval.status == 2)
        #expect(try interval.json()["error"]?["code"] == "bad-interval")
        let many = try await dex.run("chart ZRX/WETH --interval 1m --since 90d --json")
        #expect(many.status == 2)
        #expect(try many.json()["error"]?["code"] == "too-many-candles")
        let both = try await dex.run("trades ZRX/WETH --csv --json")
        #expect(both.status == 2)
        let none = try await dex.run("trades ZRX/WETH --limit 0")
        #expect(none.status == 2 && none.stderr.contains("from 1 on"))
    }
}
