import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Lists: order, limit, CSV, zone and pager")
struct ListCommandTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    /// The rows of a CSV without quoted fields, each by its columns.
    private func rows(_ arguments: String...) async throws -> [[String: String]] {
        let run = try await dex.run(arguments + ["--csv"])
        try #require(run.status == 0, "\(arguments) \(run.stderr)")
        let lines = run.stdout.components(separatedBy: "\r\n")
        try #require(lines.last == "", "every line ends in CR LF")
        let table = lines.dropLast().map { $0.components(separatedBy: ",") }
        let header = try #require(table.first)
        return table.dropFirst().map { fields in
            #expect(fields.count == header.count, "\(fields)")
            return Dictionary(uniqueKeysWithValues: zip(header, fields))
        }
    }

    @Test("orders start with the best, and every list has CSV, an order and a limit")
    func lists() async throws {
        try await dex.withSandbox { _ in
            let orders = try await rows("orders", "--pair", "ZRX/WETH")
            let sides = orders.compactMap { $0["side"] }
            let buys = try #require(sides.firstIndex(of: "buy"))
            let open = orders.filter { ["open", "partly-filled"].contains($0["status"]) }
            let asks = open.filter { $0["side"] == "sell" }.compactMap { $0["price"] }
            let bids = open.filter { $0["side"] == "buy" }.compactMap { $0["price"] }
            #expect(buys > 0 && asks.count > 1 && bids.count > 1)
            func numbers(_ texts: [String]) -> [Decimal] {
                texts.compactMap { Decimal(string: $0) }
            }
            #expect(numbers(asks) == numbers(asks).sorted())
            #expect(numbers(bids) == numbers(bids).sorted(by: >))

            let book = try await dex.run("orderbook ZRX/WETH --json")
            let best = try #require(try book.json()["data"]?["asks"]?.arrayValue?.first)
            #expect(best["orderHash"]?.stringValue == orders.first?["order"])
            let sold = try await rows("orders", "--side", "sell", "--limit", "2", "--reverse")
            #expect(sold.count == 2 && sold.allSatisfy { $0["side"] == "sell" })
            let json = try await dex.run("orders --sort expires --limit 3 --json")
            let times = try #require(try json.json()["data"]?["orders"]?.arrayValue)
                .compactMap { $0["expires"]?.numberText.flatMap(UInt64.init) }
            #expect(times.count == 3 && times == times.sorted())

            #expect(try await rows("orderbook", "ZRX/WETH", "--depth", "2").count == 4)
            #expect(try await rows("pairs", "--sort", "pair", "--limit", "1").count == 1)
            let symbols = try await rows("tokens", "--sort", "symbol").compactMap { $0["symbol"] }
            #expect(symbols == symbols.sorted() && symbols.count > 2)
            let marketValue = try await rows("balance", "--sort", "value").dropFirst()
                .compactMap { $0["value"].flatMap { Decimal(string: $0) } }
            #expect(marketValue.count > 1 && marketValue == marketValue.sorted(by: >))
            #expect(try await rows("network", "list", "--sort", "name").count > 2)
            #expect(try await rows("address", "list").first?["source"] == "sandbox account")
            #expect(try await rows("alias", "list", "--limit", "2").count == 2)
            #expect(try await rows("wallet", "list").isEmpty)
            #expect(try await rows("allowance", "list").isEmpty)

            let bought = try await dex.run("buy ZRX/WETH 100 --via book --yes")
            try #require(bought.status == 0)
            #expect(try await rows("tx", "list", "--sort", "nonce").first?["nonce"] == "0")
            #expect(try await rows("history", "--side", "buy").allSatisfy { $0["side"] == "buy" })
            #expect(try await rows("history", "--side", "sell").isEmpty)
            #expect(try await rows("trades", "ZRX/WETH", "--side", "sell").isEmpty)
            let tape = try await rows("trades", "ZRX/WETH", "--sort", "amount")
                .compactMap { $0["base_amount"].flatMap { Decimal(string: $0) } }
            #expect(!tape.isEmpty && tape == tape.sorted(by: >))

            // POSIX: west is positive. Machines without zone files know this form too.
            let east = try await dex.run("trades ZRX/WETH", environment: ["TZ": "XYZ-5:30"])
            #expect(east.stdout.contains("TIME (XYZ)"), "\(east.stdout)")
            let none = try await dex.run("trades ZRX/WETH --side sell")
            #expect(none.stdout.contains("No such trade of ZRX/WETH since"))
            let cut = try await dex.run("orders --limit 2")
            #expect(cut.stdout.contains(" more rows: a higher --limit shows more."))
        }
    }

    @Test(
        "an unknown key names those that there are, and two forms exclude each other: exit 2",
        arguments: [
            (["orders", "--sort", "nonsense"], "'best', 'price', 'amount', 'left' or 'expires'"),
            (["tokens", "--limit", "0"], "--limit takes a number from 1 on."),
            (["trades", "ZRX/WETH", "--csv", "--json"], "--csv and --json exclude each other."),
            (["orderbook", "ZRX/WETH", "--csv", "--watch"], "--csv excludes --json, --watch"),
            (["trades", "ZRX/WETH", "--side", "both"], "'buy' and 'sell'"),
        ] as [([String], String)]
    )
    func refused(arguments: [String], sentence: String) async throws {
        let run = try await dex.run(arguments)
        #expect(run.status == 2)
        #expect(run.stderr.contains(sentence), "\(run.stderr)")
    }

    @Test("a list that is longer than the terminal goes through the pager, and only that")
    func pager() async throws {
        try await dex.withSandbox { _ in
            let terminal = try TmuxTerminal(home: dex.home, columns: 100, rows: 8)
            // less(1) itself: `q` ends it, Ctrl-C is for it, and dex ends with its own code.
            try terminal.type("clear; $DEX tokens; echo ended $?")
            try await terminal.rows { $0.last == ":" && $0.first?.contains("SYMBOL") == true }
            try terminal.press("C-c")
            try terminal.press("C-c")
            try await terminal.rows { rows in
                if rows.last == "(END)" { return true }
                // less drops a key that comes while it is interrupted.
                try terminal.press("G")
                return false
            }
            try terminal.press("q")
            try await terminal.rows(showing: "ended 0")

            // The mark is another one each time: the last screen may still stand.
            func screen(_ mark: String, after command: String) async throws -> [String] {
                try terminal.type("clear; \(command); echo \(mark) $?")
                return try await terminal.rows(showing: "\(mark) 0")
            }
            let cut = try await screen("cut", after: "DEX_PAGER='head -2; echo paged' $DEX tokens")
            #expect(cut.contains("paged") && !cut.contains { $0.contains("tokens on sandbox") })

            let whole = try await screen("whole", after: "DEX_PAGER=no-such-pager $DEX tokens")
            #expect(whole.contains { $0.contains("tokens on sandbox") }, "\(whole)")

            let fundingRequests = [
                "DEX_PAGER=cat $DEX tokens", "PAGER='echo paged' $DEX tokens --no-pager",
            ]
            for (index, wish) in fundingRequests.enumerated() {
                let plain = try await screen("plain-\(index)", after: wish)
                #expect(plain.contains { $0.contains("tokens on sandbox") }, "\(plain)")
                #expect(!plain.contains("paged"))
            }

            try terminal.resize(columns: 100, rows: 30)
            let short = try await screen("short", after: "PAGER='echo paged' $DEX tokens")
            #expect(!short.contains("paged") && short.contains { $0.contains("SYMBOL") })
        }
    }
}
