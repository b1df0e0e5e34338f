import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Own orders and history on the sandbox")
struct HistoryTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private func run(_ arguments: String..., status: Int32 = 0) async throws -> JSONValue {
        let run = try await dex.run(arguments + ["--yes", "--json"])
        try #require(run.status == status, "\(arguments) \(run.stdout) \(run.stderr)")
        return try #require(try run.json()["data"])
    }

    private func orders(_ data: JSONValue) throws -> [JSONValue] {
        try #require(data["orders"]?.arrayValue)
    }

    @Test("a tag is kept, shown and found, of trades, swaps and what others fill")
    func tags() async throws {
        try await dex.withSandbox { _ in
            _ = try await run("market-buy", "--via", "book", "ZRX/WETH", "30", "--tag", "book 1")
            _ = try await run("market-buy", "--via", "swap", "ZRX/WETH", "30", "--tag", "swap 1")
            _ = try await run("market-buy", "--via", "book", "ZRX/WETH", "30")
            let placed = try await run(
                "place-limit",
                "sell",
                "ZRX/WETH",
                "20",
                "--price",
                "0.01",
                "--tag",
                "ask"
            )
            let hash = try #require(placed["orderHash"]?.stringValue)
            let fill = ["--wallet", "bob", "--allow-high-impact", "--tag", "bob's", "--yes"]
            let filled = try await dex.run(["fill", hash, "5"] + fill)
            #expect(filled.status == 0, "\(filled.stderr)")

            let trades = try await run("history", "--no-value")["trades"]?.arrayValue ?? []
            #expect(Set(trades.map { $0["tag"]?.stringValue }) == ["book 1", "swap 1", nil, "ask"])
            for (tag, role) in [("book 1", "taker"), ("swap 1", "taker"), ("ask", "maker")] {
                let found = try await run("history", "--no-value", "--tag", tag)["trades"]
                let rows = try #require(found?.arrayValue)
                #expect(!rows.isEmpty && rows.allSatisfy { $0["tag"]?.stringValue == tag })
                #expect(rows.allSatisfy { $0["role"]?.stringValue == role })
            }
            let bobs = try await dex.data("history --no-value --wallet bob")["trades"]
            #expect(bobs?.arrayValue?.map { $0["tag"] } == ["bob's"])
            let none = try await run("history", "--no-value", "--tag", "book")["trades"]
            #expect(none == [])
            let screen = try await dex.run("history --no-value")
            #expect(screen.stdout.contains("TAG") && screen.stdout.contains("book 1"))
            // The sums of pairs are of all trades, also where some are not shown.
            #expect(!screen.stdout.contains("The sums of each pair"))
            for filter in ["--tag ask", "--side buy"] {
                let part = try await dex.run("history --no-value \(filter)")
                #expect(part.stdout.contains("The sums of each pair"), "\(part.stdout)")
            }
            let csv = try await dex.run("history --csv")
            #expect(csv.stdout.contains(",quote_address,tag,arrival\r\n"))
            #expect(csv.stdout.contains(",swap 1,balances\r\n"), "\(csv.stdout)")
            for tag in ["", "a\nb", String(repeating: "x", count: 65)] {
                let bad = try await dex.run([
                    "buy", "ZRX/WETH", "1", "--tag", tag, "--yes", "--json",
                ])
                #expect(bad.status == 2)
                #expect(try bad.json()["error"]?["code"] == "bad-tag")
            }
        }
    }

    @Test(
        "what was traded is told, and the chain's logs alone tell the same",
        arguments: SandboxNetwork.allCases
    )
    func history(network: SandboxNetwork) async throws {
        try dex.use(network)
        try await dex.withSandbox { _ in
            let bought = try await run("market-buy", "--via", "book", "ZRX/WETH", "300")
            let placed = try await run("place-limit", "sell", "ZRX/WETH", "20", "--price", "0.01")
            let hash = try #require(placed["orderHash"]?.stringValue)
            _ = try await run(
                "fill",
                hash,
                "5",
                "--wallet",
                "bob",
                "--allow-high-impact"
            )
            let second = try await run("place-limit", "sell", "ZRX/WETH", "1", "--price", "0.02")
            let other = try #require(second["orderHash"]?.stringValue)
            #expect(try await run("why", hash)["reason"] == "fillable")

            let mine = try orders(try await run("orders", "--mine", "--open"))
            #expect(Set(mine.map { $0["orderHash"]?.stringValue }) == [hash, other])
            let partly = try #require(mine.first { $0["orderHash"]?.stringValue == hash })
            #expect(partly["status"] == "partly-filled")
            let event = try #require(partly["events"]?.arrayValue?.first)
            #expect(event["gives"]?["value"] == "5")
            #expect(event["wants"]?["value"] == "0.05")
            #expect(event["time"]?.isNull == false)

            // Both in one transaction, each told by itself.
            let cancelled = try await run("cancel", "--pair", "ZRX/WETH")
            #expect(cancelled["transactions"]?.arrayValue?.count == 1)
            let ends = try orders(cancelled).map { $0["cancelled"]?["value"]?.stringValue ?? "" }
            #expect(ends.sorted() == ["0.02", "0.15"])
            let nothing = try await dex.run("cancel --all --yes")
            #expect(nothing.status == 0 && nothing.stdout.contains("Nothing to cancel"))
            #expect(try await run("why", hash)["reason"] == "cancelled")

            let kept = try await run("history", "--all")
            try check(kept, fills: bought["outcome"]?["orders"]?.arrayValue ?? [])
            try await screens(kept)
            try await rebuilds(kept, network)
        }
    }

    private func check(_ history: JSONValue, fills legs: [JSONValue]) throws {
        let trades = try #require(history["trades"]?.arrayValue)
        let filled = legs.filter { $0["status"] == "filled" || $0["status"] == "partly-filled" }
        #expect(trades.count == filled.count + 3)
        #expect(trades.filter { $0["kind"] == "cancel" }.count == 2)
        #expect(trades.filter { $0["role"] == "maker" && $0["kind"] == "fill" }.count == 1)
        #expect(trades.allSatisfy { $0["time"]?.isNull == false })
        let position = try #require(history["positions"]?.arrayValue?.first)
        #expect(position["pair"] == "ZRX/WETH")
        #expect(position["bought"]?["value"] == "300")
        #expect(position["sold"]?["value"] == "5")
        #expect(position["held"]?["value"] == "295")
        #expect(position["proceeds"]?["value"] == "0.05")
    }

    private func screens(_ history: JSONValue) async throws {
        let trades = try #require(history["trades"]?.arrayValue)
        let screen = try await dex.run("history")
        #expect(screen.status == 0)
        // Trades alone, the latest first.
        let usual = try #require(try await run("history")["trades"]?.arrayValue)
        #expect(usual == trades.filter { $0["kind"] == "fill" })
        #expect(usual.first?["role"] == "maker" && usual.last?["role"] == "taker")
        #expect(screen.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(screen.stdout.contains("profit, FIFO"))
        let csv = try await dex.run("history list --all --csv")
        #expect(csv.status == 0)
        let lines = csv.stdout.components(separatedBy: "\r\n")
        // The header, and nothing behind the last line's end.
        #expect(lines.count == trades.count + 2)
        #expect(lines.last == "")
        #expect(lines.first?.hasPrefix("time,block,log_index,transaction,") == true)
        #expect(!csv.stdout.replacingOccurrences(of: "\r\n", with: "").contains("\n"))
        let later = try await run("history", "--since", "9999-12-31")
        #expect(later["trades"]?.arrayValue?.isEmpty == true)
        let bad = try await dex.run("history --since yesterday")
        #expect(bad.status == 2 && bad.stderr.contains("is not a time"))
        let both = try await dex.run("history --csv --json")
        #expect(both.status == 2)
        let ahead = try await dex.run("history rebuild --from-block 99999999")
        #expect(ahead.status == 2 && ahead.stderr.contains("no block 99999999 yet"))
    }

    /// Takes the journal away and derives the history from the chain alone.
    private func rebuilds(_ kept: JSONValue, _ network: SandboxNetwork) async throws {
        let folder = dex.home.appending(path: "sandbox")
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where file.hasPrefix("journal.sqlite") {
            try FileManager.default.removeItem(at: folder.appending(path: file))
        }
        let rebuild = try await run("history", "rebuild", "--from-block", "0")
        #expect(rebuild["countBefore"] == 0)
        let again = try await run("history", "--all")
        switch network {
        case .v1:
            #expect(again["trades"] == kept["trades"])
            #expect(again["positions"] == kept["positions"])
        case .v4:
            // A cancel names no terms, so without the journal nobody knows what it took.
            let fills = kept["trades"]?.arrayValue?.filter { $0["kind"] == "fill" }
            #expect(fills?.isEmpty == false && again["trades"]?.arrayValue == fills)
            for key in ["bought", "sold", "held", "proceeds", "fees"] {
                #expect(
                    again["positions"]?.arrayValue?.map { $0[key] }
                        == kept["positions"]?.arrayValue?.map { $0[key] }
                )
            }
        }
        #expect(rebuild["countAfter"]?.numberText == "\(again["trades"]?.arrayValue?.count ?? 0)")
        // bob's side of the same logs is another history in the same journal.
        _ = try await run("history", "rebuild", "--from-block", "0", "--wallet", "bob")
        let bob = try await run("history", "--wallet", "bob")
        let roles = try #require(bob["trades"]?.arrayValue).map { $0["role"]?.stringValue }
        #expect(roles.contains("taker"))
    }
}
