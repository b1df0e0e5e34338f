import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// Orders that change, and several at once, on both versions of 0x.
@Suite("Replaced orders, ladders, post-only")
struct ReplaceOrderTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private func open() async throws -> Set<String> {
        let data = try await dex.data("orders --mine --open")
        return Set((data["orders"]?.arrayValue ?? []).compactMap { $0["orderHash"]?.stringValue })
    }

    @Test(
        "the old order is cancelled and the new one stands; a repeat places no other",
        arguments: SandboxNetwork.allCases
    )
    func replaces(network: SandboxNetwork) async throws {
        try dex.use(network)
        try await dex.withSandbox { _ in
            let first = try await dex.data(
                "place-limit sell ZRX/WETH 2 --price 0.01 --expires 23:59 --post-only --yes"
            )
            let old = try #require(first["orderHash"]?.stringValue)
            let plan = try await dex.run("replace \(old) --price 0.02 --dry-run")
            #expect(plan.status == 30, "\(plan.stderr)")
            #expect(plan.stdout.contains("Replace an order: sell 2 ZRX at 0.02"), "\(plan.stdout)")
            #expect(plan.stdout.contains("neither stands"))
            let replaced = try await dex.data("replace \(old) --price 0.02 --amount 1.5 --yes")
            let new = try #require(replaced["orderHash"]?.stringValue)
            #expect(replaced["posted"] == true)
            #expect(replaced["orders"]?.arrayValue?.first?["status"] == "cancelled")
            #expect(try await open() == [new])
            let order = try await dex.data("order \(new)")
            #expect(order["price"] == "0.02")
            #expect(order["expires"] == first["plan"]?["expires"])
            _ = try await dex.data(
                "replace \(old) --price 0.03 --yes",
                exit: 6,
                status: "error",
                code: "not-open"
            )
            #expect(try await open() == [new])
            #expect(try await dex.run("resume").stdout.contains(new) == false)
        }
    }

    @Test("a ladder is one plan and several orders", arguments: SandboxNetwork.allCases)
    func ladder(network: SandboxNetwork) async throws {
        try dex.use(network)
        try await dex.withSandbox { _ in
            let words = [
                "place-limit", "sell", "ZRX/WETH", "9", "--price", "0.01", "--to", "0.02",
                "--ladder", "3",
            ]
            let plan = try await dex.run(words + ["--dry-run"])
            #expect(plan.status == 30, "\(plan.stderr)")
            #expect(plan.stdout.contains("Sell 9 ZRX by 3 orders from 0.01"), "\(plan.stdout)")
            let placed = try await dex.run(words + ["--yes", "--json"])
            #expect(placed.status == 0, "\(placed.stdout) \(placed.stderr)")
            let rows = try #require(placed.json()["data"]?["orders"]?.arrayValue)
            #expect(rows.compactMap { $0["posted"] } == [true, true, true])
            #expect(
                rows.compactMap { $0["plan"]?["price"]?.stringValue } == ["0.01", "0.015", "0.02"]
            )
            #expect(
                try await open() == Set(rows.compactMap { $0["orderHash"]?.stringValue })
            )
            for (words, code) in [
                (["--price", "0.01", "--ladder", "3"], "usage"),
                (["--price", "0.01", "--to", "0.02"], "usage"),
                (["--price", "0.01", "--to", "0.02", "--ladder", "1"], "bad-ladder"),
                (["--price", "0.01", "--post-only", "--allow-crossing"], "usage"),
                (["--price", "0.01", "--expires", "25:00"], "bad-expiry"),
                (["--price", "0.01", "--expires", "2020-01-01"], "bad-expiry"),
            ] {
                let run = try await dex.run(
                    ["place-limit", "sell", "ZRX/WETH", "1", "--json", "--yes"] + words
                )
                #expect(run.status == 2, "\(words): \(run.stdout) \(run.stderr)")
                #expect(try run.json()["error"]?["code"]?.stringValue == code, "\(words)")
            }
            let taken = try await dex.run(
                "place-limit sell ZRX/WETH 1 --price bid --post-only --yes --json"
            )
            #expect(taken.status == 6)
            #expect(try taken.json()["error"]?["code"] == "post-only")
        }
    }
}
