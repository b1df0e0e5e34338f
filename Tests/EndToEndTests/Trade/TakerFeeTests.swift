import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("The cap of taker fees, by the built binary")
struct TakerFeeTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    /// MKR is sold with fees of 0.15 and 0.2 ZRX an order, and without.
    private static let purchase = [
        "market-buy", "--via", "book", "MKR/WETH", "3", "--dry-run", "--json",
    ]

    /// The fees of the plan in ZRX.
    private func fees(_ more: String...) async throws -> String? {
        let run = try await dex.run(Self.purchase + more)
        #expect(run.status == 30, "\(run.stderr)")
        return try run.json()["data"]?["plan"]?["fees"]?["value"]?.stringValue
    }

    private func expectRefusal(_ words: [String], _ code: String) async throws {
        let run = try await dex.run(words)
        #expect(run.status == 6, "\(run.stdout) \(run.stderr)")
        let error = try run.json()["error"]
        #expect(error?["code"]?.stringValue == code)
        #expect(error?["hint"]?.stringValue?.contains("--max-taker-fee") == true)
    }

    @Test("a flag and a setting bound what a trade pays in fees, and the flag wins")
    func bounds() async throws {
        try await dex.withSandbox { _ in
            let usual = try #require(try await fees())
            #expect(usual.hasPrefix("1."), "\(usual)")
            #expect(try await fees("--max-taker-fee", "0.5") == "0.5")
            try await expectRefusal(Self.purchase + ["--max-taker-fee", "0"], "taker-fee-cap")
            let set = try await dex.run("config set trade.max_taker_fee 0.5")
            #expect(set.status == 0, "\(set.stderr)")
            #expect(try await fees() == "0.5")
            #expect(try await fees("--max-taker-fee", "10") == usual)
            let wrong = try await dex.run(Self.purchase + ["--max-taker-fee", "much"])
            #expect(wrong.status == 2, "\(wrong.stderr)")
            let book = try await dex.data("orderbook MKR/WETH --depth 100")
            let asks = try #require(book["asks"]?.arrayValue)
            let charged = asks.first { $0["takerFee"]?["value"] == "0.2" }
            let hash = try #require(charged?["orderHash"]?.stringValue)
            let fill = ["fill", hash, "--dry-run", "--json"]
            try await expectRefusal(fill + ["--max-taker-fee", "0.1"], "taker-fee-cap")
            let filled = try await dex.run(fill)
            #expect(filled.status == 30, "\(filled.stderr)")
        }
    }

    @Test("a fee in a token that is neither of the pair's is valued by way of BASE")
    func byWayOfBase() async throws {
        try await dex.withSandbox { _ in
            let price = try await dex.run("price WETH/DAI --amount 3")
            #expect(price.status == 0, "\(price.stderr)")
            let line = price.stdout.split(separator: "\n").first { $0.contains("ZRX") }
            #expect(line?.contains("DAI, in the price)") == true, "\(price.stdout)")
        }
    }
}
