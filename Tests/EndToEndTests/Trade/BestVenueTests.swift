import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// Market orders without `--via` on the sandbox: its book, its Swap API and its pools beside each other.
@Suite("The best venue of the sandbox")
struct BestVenueTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
        try dex.use(.v1)
    }

    private func plan(_ line: String) async throws -> JSONValue {
        let data = try await dex.data("\(line) --wallet bob --dry-run", exit: 30, status: "dry-run")
        return try #require(data["plan"])
    }

    private func others(_ plan: JSONValue) -> [String] {
        (plan["alternatives"]?.arrayValue ?? []).compactMap { $0["venue"]?.stringValue }
    }

    private func fault(_ kind: String) async throws {
        _ = try await dex.data(arguments: ["sandbox", "fault", "pools", "--kind", kind])
    }

    private func trade(_ line: String) async throws -> DexBinary.Run {
        try await dex.run("\(line) --wallet bob --yes --json")
    }

    private func code(_ run: DexBinary.Run) throws -> String? {
        try run.json()["error"]?["code"]?.stringValue
    }

    private func sent(_ run: DexBinary.Run) throws -> [String] {
        (try run.json()["data"]?["transactions"]?.arrayValue ?? []).compactMap {
            $0["purpose"]?.stringValue
        }
    }

    // MARK: Honest venues

    @Test("a pair of the chain's coin, which no book has, has the pools' prices")
    func coin() async throws {
        try await dex.withSandbox { _ in
            let token = try await dex.data("price USDC/WETH --via pools")
            let coin = try await dex.data("price USDC/ETH")
            let sized = try await dex.data("price USDC/ETH --amount 25")
            for price in [coin, sized] {
                for key in ["bid", "ask", "mid"] {
                    #expect(price[key] == token[key] && token[key]?.stringValue != nil, "\(key)")
                }
            }
            let offers = sized["venues"]?.arrayValue ?? []
            #expect(
                Set(offers.compactMap { $0["venue"]?.stringValue }) == ["book", "swap", "pools"]
            )
            let book = offers.first { $0["venue"] == "book" }
            #expect(book?["reason"]?.stringValue?.contains("ETH is the chain's coin") == true)
        }
    }

    @Test(
        "each venue is asked, and the one that leaves most is used",
        arguments: SandboxNetwork.allCases
    )
    func compared(network: SandboxNetwork) async throws {
        try dex.use(network)
        try await dex.withSandbox { _ in
            for (line, venue) in [
                ("market-buy ZRX/WETH 1", "pools"), ("market-buy ZRX/WETH 50", "book"),
                ("market-sell ZRX/WETH 50", "pools"), ("market-sell MKR/WETH 5", "swap"),
            ] {
                let plan = try await plan(line)
                #expect(plan["venue"]?.stringValue == venue, "\(line): \(plan.text)")
                #expect(Set(others(plan) + [venue]) == ["book", "swap", "pools"], "\(line)")
                let named = try await self.plan("\(line) --via \(venue)")
                #expect(named["prices"]?["average"] == plan["prices"]?["average"], "\(line)")
                #expect(others(named).isEmpty, "\(line)")
            }
            // The coin has no book.
            let coin = try await plan("market-buy USDC/ETH 25")
            #expect(coin["venue"] == "pools" && others(coin) == ["swap"], "\(coin.text)")
            let price = try await dex.data("price ZRX/WETH --amount 50")
            #expect(
                price["venues"]?.arrayValue?.map { $0["venue"]?.stringValue }
                    == ["book", "swap", "pools"]
            )
        }
    }

    @Test("an order that the book is too thin for is divided, and both parts are traded")
    func split() async throws {
        try await dex.withSandbox { _ in
            let line = "market-buy LINK/WETH 5000 --split --wallet alice"
            let shown = try await dex.run("\(line) --dry-run")
            #expect(shown.status == 30, "\(shown.stderr)")
            #expect(shown.stdout.contains("NOT ATOMIC") && shown.stdout.contains(", in 2 parts"))
            #expect(shown.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
            let before = try await dex.balance("LINK", of: "alice")["value"]?.stringValue
            let run = try await dex.run("\(line) --yes --json")
            #expect(run.status == 0, "\(run.stderr)")
            let data = try #require(try run.json()["data"])
            let parts = data["tradeParts"]?.arrayValue ?? []
            #expect(parts.map { $0["plan"]?["venue"]?.stringValue } == ["book", "swap"])
            let received = parts.map { $0["outcome"]?["received"]?["value"]?.stringValue ?? "" }
            #expect(received == ["532", "4468"])
            #expect(try sent(run).filter { $0 != "approve" } == ["fill", "swap"])
            #expect(before == "2000")
            #expect(try await dex.balance("LINK", of: "alice")["value"] == "7000")
            // Nothing of it is left open.
            let resumed = try await dex.run("resume")
            #expect(resumed.stdout.contains("Nothing is unfinished"), "\(resumed.stdout)")
            for hash in (data["transactions"]?.arrayValue ?? []).compactMap({
                $0["hash"]?.stringValue
            }) {
                #expect(try await dex.run("status \(hash)").status == 0)
            }
        }
    }

    @Test(
        "what a divided order cannot be is said before anything is asked",
        arguments: [
            ("--via book", "--split is the book and another venue: leave --via book out."),
            ("--no-send --out held.json", "--split and --no-send exclude each other"),
        ]
    )
    func splitUsage(options: String, message: String) async throws {
        let run = try await dex.run("market-buy LINK/WETH 5000 --split \(options)")
        #expect(run.status == 2 && run.stderr.contains(message), "\(run.stderr)")
        let coin = try await dex.run("market-sell ETH/ZRX 1 --split --wallet alice --dry-run")
        #expect(coin.status != 0)
    }

    /// The first block of commands of README's first trade, without `dex init` before it.
    private func readme() throws -> [String] {
        let page = PythonEnvironment.root.appending(path: "README.md")
        let text = try String(decoding: Data(contentsOf: page), as: UTF8.self)
        let section = try #require(text.components(separatedBy: "\n## A first trade\n").last)
        let block = try #require(section.components(separatedBy: "\n```").dropFirst().first)
        let lines = block.split(separator: "\n").map { line in
            line.prefix { $0 != "#" }.split(separator: " ").joined(separator: " ")
        }
        #expect(lines.first == "dex init")
        return lines.dropFirst().map { String($0.dropFirst("dex ".count)) }
    }

    @Test("the words of README's first trade trade on the sandbox, with nothing added")
    func firstTrade() async throws {
        let lines = try readme()
        #expect(lines.count == 3 && lines.allSatisfy { !$0.contains("--wallet") }, "\(lines)")
        try await dex.withSandbox { _ in
            for line in lines.dropLast() {
                let run = try await dex.run(line)
                #expect(run.status == (line.hasSuffix("--dry-run") ? 30 : 0), "\(run.stderr)")
                #expect(run.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
            }
            let trade = try #require(lines.last)
            let asked = try await dex.converse(
                trade.split(separator: " ").map(String.init),
                [
                    ("[y/N] ", "y\n")
                ]
            )
            #expect(asked.run.status == 0, "\(asked.run.stderr)")
            // The names of pools are ours, and stand without quotes.
            let reported = asked.shown + asked.run.stdout
            #expect(reported.contains("  route     v3:0.05% 100.00%"), "\(reported)")
            #expect(!reported.contains("\"v3"), "\(reported)")
            #expect(try await dex.balance("USDC", of: "alice")["value"] == "25025")
        }
    }

    // MARK: Pools that others turn against the trader

    @Test("dry pools fail no purchase that the book can make, and win none")
    func dry() async throws {
        try await dex.withSandbox { _ in
            try await fault("dry")
            // Without the fault the first of them meets a pool.
            for amount in ["1", "50"] {
                let run = try await trade("market-buy ZRX/WETH \(amount)")
                #expect(run.status == 0, "\(run.stdout) \(run.stderr)")
                let data = try run.json()["data"]
                #expect(data?["plan"]?["venue"] == "book", "\(run.stdout)")
                #expect(data?["outcome"]?["received"]?["value"]?.stringValue == amount)
                let pools = data?["plan"]?["alternatives"]?.arrayValue?.first {
                    $0["venue"] == "pools"
                }
                #expect(pools?["reason"]?.stringValue?.isEmpty == false, "\(run.stdout)")
            }
            // Too much for the book: what is left of the pools is no price for it.
            let large = try await trade("market-buy ZRX/WETH 30000")
            #expect(large.status == 0, "\(large.stdout)")
            #expect(try large.json()["data"]?["plan"]?["venue"] == "swap")
        }
    }

    @Test("a quoter that lies wins the comparison and nothing else: no trade is signed")
    func lyingQuote() async throws {
        try await dex.withSandbox { _ in
            let before = try await (
                dex.balance("ZRX", of: "bob"), dex.balance("WETH", of: "bob")
            )
            try await fault("quote")
            for line in ["market-buy ZRX/WETH 500", "market-sell ZRX/WETH 500"] {
                let run = try await trade(line)
                #expect(run.status == 10, "\(run.stdout)")
                #expect(try code(run) == "would-revert")
                #expect(try sent(run) == ["approve"], "\(run.stdout)")
                // Nobody is bound to the liar.
                let book = try await plan("\(line) --via book")
                #expect(book["venue"] == "book")
            }
            let after = try await (
                dex.balance("ZRX", of: "bob"), dex.balance("WETH", of: "bob")
            )
            #expect(before == after)
        }
    }

    @Test("a price of one block wins the comparison, and costs gas alone")
    func moved() async throws {
        try await dex.withSandbox { _ in
            let ready = try await trade(
                "market-buy ZRX/WETH 1 --via pools --approve unlimited"
            )
            #expect(ready.status == 0, "\(ready.stdout)")
            let before = try await (
                dex.balance("ZRX", of: "bob"), dex.balance("WETH", of: "bob")
            )
            try await fault("moved")
            let run = try await trade("market-buy ZRX/WETH 500")
            #expect(run.status == 11, "\(run.stdout)")
            #expect(try run.json()["data"]?["plan"]?["venue"] == "pools")
            #expect(try sent(run) == ["swap"])
            let after = try await (
                dex.balance("ZRX", of: "bob"), dex.balance("WETH", of: "bob")
            )
            #expect(before == after)
            // The price is what it was, and the book is better again.
            let fair = try await trade("market-buy ZRX/WETH 500")
            #expect(fair.status == 0, "\(fair.stdout)")
            #expect(try fair.json()["data"]?["plan"]?["venue"] == "book")
        }
    }

    @Test("a price that is gone behind the approval is not traded for: the new quote is worse")
    func movedBeforeApproval() async throws {
        try await dex.withSandbox { _ in
            let before = try await dex.balance("ZRX", of: "bob")
            try await fault("moved")
            // The approval's block moves the pools back.
            let run = try await trade("market-buy ZRX/WETH 500")
            #expect(run.status == 6, "\(run.stdout)")
            #expect(try code(run) == "quote-moved")
            #expect(try sent(run) == ["approve"])
            #expect(try await dex.balance("ZRX", of: "bob") == before)
        }
    }

    @Test("what moved and moved back within a block changes no plan")
    func within() async throws {
        try await dex.withSandbox { _ in
            let before = try await plan("market-sell ZRX/WETH 500")
            try await fault("within")
            let after = try await plan("market-sell ZRX/WETH 500")
            #expect(before["venue"] == "pools" && after["venue"] == "pools")
            let kept = try (
                #require(before["receive"]?["expected"]).units(),
                #require(after["receive"]?["expected"]).units()
            )
            // The fees of both trades stay in the pools; the price is the same to a millionth.
            #expect(kept.1 >= kept.0 - kept.0 / 1_000_000, "\(kept)")
            #expect(kept.1 <= kept.0 + kept.0 / 1_000_000, "\(kept)")
        }
    }

    @Test("a token that keeps a part of each transfer is at no venue reported as fully received")
    func fee() async throws {
        try await dex.withSandbox { _ in
            try await fault("fee")
            for line in ["market-buy LINK/WETH 5", "market-buy LINK/WETH 10"] {
                let plan = try await plan(line)
                let run = try await trade(line)
                // The run before the signature sees it on the book; a pool's proof does, too.
                if plan["venue"] == "book" {
                    #expect(run.status == 6, "\(run.stdout)")
                    #expect(try code(run) == "unplanned-change")
                    #expect(try !sent(run).contains("fill"), "\(run.stdout)")
                } else {
                    #expect([6, 10].contains(run.status), "\(run.stdout)")
                    #expect(try !sent(run).contains("swap"), "\(run.stdout)")
                }
            }
            for line in ["market-buy LINK/ETH 10", "market-sell LINK/WETH 10"] {
                let run = try await trade(line)
                #expect([6, 10].contains(run.status), "\(run.stdout)")
                #expect(try !sent(run).contains("swap"), "\(run.stdout)")
            }
        }
    }
}
