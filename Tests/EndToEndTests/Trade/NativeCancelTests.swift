import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// Cancels of 0x v4: one, several, and all of a pair by the least valid salt.
@Suite("Cancels on 0x v4")
struct NativeCancelTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
        try dex.use(.v4)
    }

    private func place(_ side: String, _ pair: String, _ price: String) async throws -> String {
        let placed = try await dex.data("place-limit \(side) \(pair) 2 --price \(price) --yes")
        return try #require(placed["orderHash"]?.stringValue)
    }

    private func states(_ data: JSONValue) -> [String] {
        (data["orders"]?.arrayValue ?? []).compactMap { $0["status"]?.stringValue }
    }

    @Test("one order, then several in one transaction; others stay")
    func byHash() async throws {
        try await dex.withSandbox { _ in
            var hashes: [String] = []
            for price in ["0.01", "0.011", "0.012", "0.013"] {
                hashes.append(try await place("sell", "ZRX/WETH", price))
            }
            let one = try await dex.data("cancel \(hashes[0]) --yes")
            #expect(states(one) == ["cancelled"])
            let two = try await dex.data("cancel \(hashes[1]) \(hashes[2]) --yes")
            #expect(states(two) == ["cancelled", "cancelled"])
            #expect(two["transactions"]?.arrayValue?.count == 1)
            let open = try await dex.data("orders --mine --open")["orders"]?.arrayValue
            #expect(open?.map { $0["orderHash"]?.stringValue } == [hashes[3]])
            // A cancelled order costs nobody a transaction.
            let again = try await dex.data("cancel \(hashes[0]) --yes")
            #expect(again["closed"]?.arrayValue?.map { $0["status"] } == ["cancelled"])
            #expect(again["transactions"]?.arrayValue?.isEmpty ?? true)
            let why = try await dex.run("why \(hashes[1])")
            #expect(why.status == 0 && why.stdout.hasPrefix("Its maker cancelled it."))
            let filling = try await dex.run("fill \(hashes[1]) --wallet bob --yes")
            #expect(filling.status == 6 && filling.stderr.contains("its maker cancelled it"))
        }
    }

    @Test("all of a pair go in one transaction, on both sides; the pair's other orders live on")
    func byPair() async throws {
        try await dex.withSandbox { _ in
            let asks = [
                try await place("sell", "ZRX/WETH", "0.01"),
                try await place("sell", "ZRX/WETH", "0.02"),
            ]
            let bid = try await place("buy", "ZRX/WETH", "0.0001")
            let other = try await place("sell", "LINK/WETH", "1")
            let partly = try await dex.data(
                "fill \(asks[0]) 1 --wallet bob --allow-high-impact --yes"
            )
            #expect(partly["outcome"]?["received"]?["value"] == "1")

            let plan = try await dex.run("cancel --pair ZRX/WETH --dry-run")
            #expect(plan.status == 30, "\(plan.stderr)")
            #expect(plan.stdout.contains("by their pair") && plan.stdout.contains("ALL orders"))
            #expect(plan.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
            let cancelled = try await dex.data("cancel --pair ZRX/WETH --yes")
            #expect(cancelled["transactions"]?.arrayValue?.count == 1)
            #expect(states(cancelled) == ["cancelled", "cancelled", "cancelled"])
            let open = try await dex.data("orders --mine --open")["orders"]?.arrayValue
            #expect(open?.map { $0["orderHash"]?.stringValue } == [other])
            for hash in asks + [bid] {
                let status = try await dex.data("status \(hash)")
                #expect(status["status"] == "cancelled")
            }
            let ended = try await dex.data("history --all")["trades"]?.arrayValue ?? []
            #expect(ended.count { $0["kind"] == "cancel" } == 3)

            // The market's own orders of the pair are of other makers.
            let book = try await dex.data("orderbook ZRX/WETH")
            #expect((book["asks"]?.arrayValue?.count ?? 0) >= 30)
        }
    }
}
