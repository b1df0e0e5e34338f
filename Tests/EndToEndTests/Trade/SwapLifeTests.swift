import DexTestSupport
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// A swap of the chain's own coin that is not mined while its command waits.
@Suite("Swaps that outlive their command")
struct SwapLifeTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n[trade]\nreceipt_timeout = 1\n")
    }

    @Test("sped up and mined later, it is told by resume and is in the history, with its amounts")
    func later() async throws {
        try await dex.withSandbox { _ in
            _ = try await dex.data("sandbox fault stuck")
            let sell = [
                "market-sell", "--via", "swap", "ETH/ZRX", "0.01", "--wallet", "bob", "--yes",
            ]
            let sent = try await dex.run(sell + ["--json"])
            #expect(sent.status == 12, "\(sent.stdout) \(sent.stderr)")
            let first = try sent.json()["data"]?["transactions"]?.arrayValue?.last
            let hash = try #require(first?["hash"]?.stringValue)
            #expect(first?["purpose"] == "swap")
            // A pending swap stops another market order, at either venue.
            let again = try await dex.run(sell + ["--json"])
            #expect(try again.json()["error"]?["code"] == "pending-transaction")
            _ = try await dex.data("sandbox fault stuck")
            let faster = try await dex.run("tx speedup \(hash) --yes --beyond-limits --json")
            #expect(faster.status == 12, "\(faster.stdout) \(faster.stderr)")
            _ = try await dex.data("sandbox fault clear")
            let items = try await dex.data("resume --wallet bob")["items"]?.arrayValue
            let mined = try #require(items?.first { $0["status"] == "mined" })
            #expect(mined["hash"]?.stringValue != hash)
            let fill = try #require(mined["outcome"]?["fills"]?.arrayValue?.first)
            #expect(fill["paid"]?["value"] == "0.01")
            let trades = try await dex.data("history list --wallet bob")["trades"]
            let trade = try #require(trades?.arrayValue?.first)
            #expect(trades?.arrayValue?.count == 1)
            #expect(trade["orderHash"] == mined["hash"])
            let received = try #require(fill["received"]?["raw"]?.stringValue)
            let amounts = ["baseAmount", "quoteAmount"].map { trade[$0]?["raw"]?.stringValue }
            #expect(amounts.contains { $0 == received })
        }
    }
}
