import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("The whole story against the sandbox")
struct StoryTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    @Test(
        "read, buy, place, fill, follow, cancel, as a person and as a script would",
        arguments: SandboxNetwork.allCases
    )
    func story(network: SandboxNetwork) async throws {
        try dex.use(network)
        let up = try await dex.run("sandbox up --detach --quiet")
        try #require(up.status == 0, "\(up.stdout) \(up.stderr)")
        var failure: (any Error)?
        do {
            try await reads()
            try await marketOrders()
            try await limitOrder()
            try await prompts()
            try await interruption(network)
        } catch {
            failure = error
        }
        let down = try await dex.run("sandbox down")
        #expect(down.status == 0, "\(down.stderr)")
        if let failure { throw failure }
        #expect(try await dex.run("balance").status == 4)
    }

    @Test("a token that is too dear to query is bought with through an access list")
    func heavyToken() async throws {
        let up = try await dex.run("sandbox up --detach --quiet --memory")
        try #require(up.status == 0, "\(up.stdout) \(up.stderr)")
        let bought = try await dex.run("market-buy --via book WETH/USDC 0.5 --yes --json")
        let fill = try? bought.json()["data"]?["transactions"]?.arrayValue?.last
        let status = try await dex.run(["status", fill?["hash"]?.stringValue ?? "", "--json"])
        _ = try await dex.run("sandbox down")
        #expect(bought.status == 0, "\(bought.stderr)")
        let data = try bought.json()["data"]
        let step = data?["plan"]?["steps"]?.arrayValue?.last
        #expect(step?["summary"]?.stringValue?.hasSuffix("with an access list") == true)
        #expect(data?["plan"]?["skipsGoneOrders"] == true)
        #expect(data?["outcome"]?["received"]?["value"] == "0.5")
        #expect(status.status == 0)
    }

    private func text(_ value: JSONValue?) throws -> String {
        try #require(value?.stringValue)
    }

    // MARK: Steps

    private func reads() async throws {
        let tokens = try await dex.data("tokens ZRX")
        #expect(tokens["tokens"]?.arrayValue?.first?["symbol"] == "ZRX")
        let pairs = try await dex.data("pairs")
        #expect((pairs["pairs"]?.arrayValue?.count ?? 0) >= 4)
        let book = try await dex.data("orderbook ZRX/WETH")
        let asks = try #require(book["asks"]?.arrayValue)
        let bids = try #require(book["bids"]?.arrayValue)
        #expect(asks.count >= 30 && bids.count >= 30)
        #expect(book["receivedCount"] == book["verifiedCount"])
        for order in asks + bids {
            for key in ["price", "amount", "fillable", "orderHash", "maker", "expires", "flags"] {
                #expect(order[key] != nil)
            }
        }
        let price = try await dex.data("price ZRX/WETH --amount 500")
        #expect(price["bid"] == book["bid"] && price["ask"] == book["ask"])
        #expect(price["average"]?.stringValue != nil && price["worst"]?.stringValue != nil)
        let screen = try await dex.run("orderbook ZRX/WETH --depth 3")
        #expect(screen.status == 0 && screen.stderr.isEmpty)
        #expect(screen.stdout.contains("spread "))
        #expect(screen.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let raw = try await dex.data("orderbook ZRX/WETH --raw")
        #expect(raw["block"]?.isNull == true)
        let balance = try await dex.data("balance --wallet bob")
        #expect(balance["balances"]?.arrayValue?.first?["token"]?["symbol"] == "ETH")
    }

    private func marketOrders() async throws {
        let before = try await zrx("alice")
        let dry = try await dex.data(
            "market-buy --via book ZRX/WETH 700 --dry-run",
            exit: 30,
            status: "dry-run"
        )
        #expect(dry["plan"]?["steps"]?.arrayValue?.count == 2, "an approval and the fill")
        #expect(dry["outcome"]?.isNull == true)
        let planned = try await dex.data(
            "market-buy --via book ZRX/WETH 700",
            exit: 25,
            status: "plan"
        )
        #expect(planned["transactions"]?.arrayValue?.isEmpty == true)
        #expect(try await zrx("alice") == before)

        let bought = try await dex.data("market-buy --via book ZRX/WETH 700 --yes")
        #expect(bought["outcome"]?["received"]?["value"] == "700")
        #expect(
            bought["outcome"]?["paid"]?["raw"] == bought["plan"]?["pay"]?["expected"]?["raw"]
        )
        let transactions = try #require(bought["transactions"]?.arrayValue)
        #expect(transactions.map { $0["purpose"]?.stringValue } == ["approve", "fill"])
        let hash = try text(transactions.last?["hash"])
        let status = try await dex.data("status \(hash) --wait --confirmations 1")
        #expect(status["kind"] == "transaction")
        #expect(status["status"] == "mined")
        #expect(status["fills"]?.arrayValue?.isEmpty == false)

        let sold = try await dex.data("market-sell --via book ZRX/WETH 700 --yes")
        #expect(sold["outcome"]?["paid"]?["value"] == "700")
        #expect(try await zrx("alice") == before)

        for (arguments, exit) in [
            (["market-buy", "--via", "book", "ZRX/WETH", "99999999"], 6),
            (["market-buy", "ZRX/WETH", "0"], 2),
            (["market-buy", "--via", "book", "ZRX/WETH", "1e3"], 2),
            (["market-buy", "--via", "book", "ZRX/WETH", "10", "--slippage", "50"], 6),
            (["market-buy", "--via", "book", "ZRX/WETH", "10", "--max-price", "0.0000001"], 6),
            (
                [
                    "market-buy", "--via", "book", "ZRX/WETH", "10", "--max-gas-cost",
                    "0.0000000001",
                ], 6
            ),
            (["market-buy", "--via", "book", "ZRX/ZRX", "10"], 2),
        ] as [([String], Int32)] {
            let run = try await dex.run(arguments + ["--yes"])
            #expect(run.status == exit, "\(arguments): \(run.stderr)")
            #expect(run.stdout.isEmpty)
        }
    }

    private func zrx(_ account: String) async throws -> String {
        try text(await dex.balance("ZRX", of: account)["value"])
    }

    private func limitOrder() async throws {
        let placed = try await dex.data(
            "place-limit sell ZRX/WETH 50 --price 0.00076 --expires 2h --yes"
        )
        let hash = try text(placed["orderHash"])
        #expect(placed["posted"] == true)
        #expect(placed["order"]?["maker"] != nil)

        let book = try await dex.data("orderbook ZRX/WETH")
        let own = try #require(
            book["asks"]?.arrayValue?.first { $0["orderHash"]?.stringValue == hash }
        )
        #expect(own["flags"]?.arrayValue?.contains("own") == true)
        #expect(own["price"] == "0.00076")
        let mine = try await dex.data("orders --mine --open")
        #expect(mine["orders"]?.arrayValue?.map { $0["orderHash"]?.stringValue } == [hash])

        let filled = try await dex.data("fill \(hash) 20 --wallet bob --yes")
        #expect(filled["outcome"]?["received"]?["value"] == "20")
        let status = try await dex.data("status \(hash)")
        #expect(status["kind"] == "order")
        #expect(status["status"] == "partly-filled")
        #expect(status["orderState"]?["filled"]?["value"] == "0.0152")
        #expect(status["fills"]?.arrayValue?.count == 1)

        let foreign = try await dex.run("cancel \(hash) --wallet bob --yes")
        #expect(foreign.status == 6, "\(foreign.stderr)")
        let cancelled = try await dex.data("cancel \(hash) --yes")
        #expect(cancelled["orders"]?.arrayValue?.first?["status"] == "cancelled")
        #expect(try await dex.data("status \(hash)")["status"] == "cancelled")
        #expect(try await dex.run("fill \(hash) --wallet bob --yes").status == 6)

        // A signed order travels without the relay, through a pipe.
        let signed = try await dex.run(
            "place-limit sell ZRX/WETH 3 --price 0.00077 --no-post --yes"
        )
        #expect(signed.status == 0, "\(signed.stderr)")
        let handed = try await dex.run(
            ["fill", "-", "--wallet", "carol", "--yes", "--json"],
            input: signed.stdout
        )
        #expect(handed.status == 0, "\(handed.stderr)")
        #expect(try handed.json()["data"]?["outcome"]?["received"]?["value"] == "3")
    }

    private func prompts() async throws {
        let before = try await zrx("dave")
        let command = ["market-sell", "--via", "book", "ZRX/WETH", "5", "--wallet", "dave"]
        let without = try await dex.run(command)
        #expect(without.status == 25)
        #expect(without.stdout.contains("Sell 5 ZRX"))
        #expect(without.stderr.contains("--yes"))
        for answer in ["n\n", "\n", "maybe\n", "\u{4}"] {
            let declined = try await dex.converse(command, [("[y/N] ", answer)]).run
            #expect(declined.status == 20, "\(declined.stderr)")
            #expect(declined.stdout.isEmpty)
        }
        #expect(try await zrx("dave") == before)
        let accepted = try await dex.converse(command, [("[y/N] ", "y\n")]).run
        #expect(accepted.status == 0, "\(accepted.stderr)")
        #expect(accepted.stdout.contains("Sold 5 ZRX"))
        #expect(try await zrx("dave") != before)
    }

    private func interruption(_ network: SandboxNetwork) async throws {
        let servers = try await dex.run("sandbox status --json").json()["data"]
        // A home of its own: the sandbox is to go on.
        let watcher = try DexBinary()
        let genuine = try await dex.relay(of: network)
        let relay = try Interposer(before: genuine) { _, number in
            // The second look, so the first was printed.
            guard number == 1 else { return .pass }
            return .passThen { #expect((try? watcher.interrupt()) == 1) }
        }
        let watched = try await watcher.run(
            "orderbook",
            "ZRX/WETH",
            "--watch",
            "--json",
            "--depth",
            "1",
            "--network",
            network.rawValue,
            "--rpc",
            try #require(servers?["rpcUrl"]?.stringValue),
            "--relay",
            "\(relay.url)\(try #require(URL(string: genuine)?.path))"
        )
        #expect(watched.status == 130, "\(watched.stderr)")
        let lines = watched.stdout.split(separator: "\n")
        #expect(!lines.isEmpty)
        for line in lines {
            #expect(try JSONParser.parse(text: String(line))["command"] == "orderbook")
        }
    }
}
