import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// What the Exchange Proxy of 0x v4 does differently from v1's exchange, as people see it.
@Suite("Fills that give less or nothing on 0x v4")
struct NativeOutcomeTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
        try dex.use(.v4)
    }

    private func run(_ words: String..., status: Int32 = 0) async throws -> JSONValue {
        let run = try await dex.run(words + ["--yes", "--json"])
        try #require(run.status == status, "\(words): \(run.stdout) \(run.stderr)")
        return try run.json()
    }

    private func balance(_ symbol: String, of account: String) async throws -> String {
        try #require(await dex.balance(symbol, of: account)["value"]?.stringValue)
    }

    /// A node before which somebody trades, right before the next transaction is handed over.
    private func race(
        _ sandbox: TestSandbox,
        _ commands: [String]...
    ) throws -> Interposer {
        let once = Once()
        let dex = dex
        return try Interposer(before: sandbox.rpc) { request, _ in
            guard request.methods.contains("eth_sendRawTransaction"), once.count(upTo: 1) else {
                return .pass
            }
            for command in commands {
                do {
                    let (status, text) = try dex.runBlocking(command + ["--yes"])
                    #expect(status == 0, "\(command): \(text)")
                } catch {
                    Issue.record(error)
                }
            }
            return .pass
        }
    }

    private func place(_ words: String...) async throws -> String {
        let run = try await dex.run(
            ["place-limit"] + words + ["--allow-crossing", "--yes", "--json"]
        )
        try #require(run.status == 0, "\(run.stdout) \(run.stderr)")
        return try #require(try run.json()["data"]?["orderHash"]?.stringValue)
    }

    @Test("one order that is taken meanwhile reverts: 11, the contract's reason as a sentence")
    func reverted() async throws {
        try await dex.withSandbox { sandbox in
            let hash = try await place("sell", "ZRX/WETH", "5", "--price", "0.0006")
            let node = try race(sandbox, ["fill", hash, "--wallet", "carol"])
            let before = (
                try await balance("ZRX", of: "bob"), try await balance("WETH", of: "bob")
            )
            let failed = try await dex.run(
                ["fill", hash, "--wallet", "bob", "--yes", "--rpc", node.url]
            )
            #expect(failed.status == 11, "\(failed.stdout) \(failed.stderr)")
            let words = failed.stdout.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("The contract's reason: The order \(hash) cannot be filled"))
            #expect(failed.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
            let reported = "The contract's reason: The order \(hash) cannot be filled"
            let error = failed.stderr.split(separator: "\n").first { $0.hasPrefix("error: ") }
            #expect(error?.contains(reported) == true, "\(failed.stderr)")
            let after = (
                try await balance("ZRX", of: "bob"), try await balance("WETH", of: "bob")
            )
            #expect(after == before)
            let sent = try await run("tx", "list", "--wallet", "bob")["data"]?["transactions"]
            let look = try await dex.run([
                "status", try #require(sent?.arrayValue?.first?["hash"]?.stringValue), "--json",
            ])
            #expect(look.status == 11, "\(look.stdout)")
            #expect(try look.json()["data"]?["status"] == "reverted")
            #expect(try look.json()["error"]?["message"]?.stringValue?.contains(reported) == true)
        }
    }

    @Test("a fill of zero amounts is mined and emits an event, and is told as nothing filled: 14")
    func zero() async throws {
        try await dex.withSandbox { sandbox in
            // Of a bid; one base unit of ZRX is worth less than one of WETH, so it buys nothing.
            let hash = try await place("buy", "ZRX/WETH", "50", "--price", "0.0009")
            let node = try race(
                sandbox,
                ["fill", hash, "49.999999999999999999", "--wallet", "carol"]
            )
            let before = (
                try await balance("ZRX", of: "bob"), try await balance("WETH", of: "bob")
            )
            let filled = try await dex.run(
                ["fill", hash, "20", "--wallet", "bob", "--yes", "--json", "--rpc", node.url]
            )
            #expect(filled.status == 14, "\(filled.stdout) \(filled.stderr)")
            let json = try filled.json()
            #expect(json["error"]?["code"] == "filled-less")
            let outcome = try #require(json["data"]?["outcome"])
            #expect(outcome["received"]?["raw"] == "0" && outcome["paid"]?["raw"] == "0")
            #expect(outcome["orders"]?.arrayValue?.first?["status"] == "skipped")
            let transaction = try #require(json["data"]?["transactions"]?.arrayValue?.last)
            #expect(transaction["status"] == "mined")
            let after = (
                try await balance("ZRX", of: "bob"), try await balance("WETH", of: "bob")
            )
            #expect(after == before)

            // The event of zeros is in the chain, and is a fill nowhere.
            let receipt = try sandbox.call(
                "eth_getTransactionReceipt",
                "\"\(try #require(transaction["hash"]?.stringValue))\""
            )
            #expect(receipt["status"] == "0x1" && receipt["logs"]?.arrayValue?.count == 1)
            let history = try await run("history", "--wallet", "bob")["data"]
            #expect(history?["trades"]?.arrayValue?.isEmpty == true)
            let status = try await run("status", hash)["data"]
            #expect(status?["fills"]?.arrayValue?.count == 1)
            let shown = try await dex.run([
                "status", try #require(transaction["hash"]?.stringValue),
            ])
            #expect(shown.status == 14, "\(shown.stdout)")
            #expect(shown.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
    }

    @Test("several orders that are all taken meanwhile: mined, nothing moves, told so: 14")
    func allGone() async throws {
        try await dex.withSandbox { sandbox in
            let first = try await place("sell", "ZRX/WETH", "5", "--price", "0.0006")
            let second = try await place("sell", "ZRX/WETH", "5", "--price", "0.00061")
            let node = try race(
                sandbox,
                ["fill", first, "--wallet", "carol"],
                ["fill", second, "--wallet", "carol"]
            )
            let run = try await dex.run(
                [
                    "market-buy", "--via", "book", "ZRX/WETH", "10", "--max-price", "0.00062",
                    "--wallet", "bob",
                    "--yes", "--json", "--rpc", node.url,
                ]
            )
            #expect(run.status == 14, "\(run.stdout) \(run.stderr)")
            let outcome = try #require(try run.json()["data"]?["outcome"])
            #expect(outcome["received"]?["raw"] == "0" && outcome["paid"]?["raw"] == "0")
            let rows = try #require(outcome["orders"]?.arrayValue)
            #expect(rows.map { $0["orderHash"]?.stringValue } == [first, second])
            #expect(rows.allSatisfy { $0["status"] == "skipped" && $0["reason"]?.isNull == false })
        }
    }

    @Test("a collision takes one order of several, and what was bought is told order by order: 14")
    func collision() async throws {
        try await dex.withSandbox { _ in
            _ = try await run("sandbox", "fault", "collision")
            let json = try await run(
                "market-buy",
                "--via",
                "book",
                "ZRX/WETH",
                "700",
                "--wallet",
                "bob",
                status: 14
            )
            let outcome = try #require(json["data"]?["outcome"])
            let rows = try #require(outcome["orders"]?.arrayValue)
            #expect(rows.first?["status"] == "skipped")
            #expect(rows.dropFirst().contains { $0["status"] == "filled" })
            #expect(outcome["received"]?["raw"] != "0")
            let fills = try await run("history", "--wallet", "bob")["data"]?["trades"]
            #expect(fills?.arrayValue?.count == rows.count { $0["status"] == "filled" })
            let faults = try await run("sandbox", "fault", "list")["data"]?["faults"]
            #expect(faults?.arrayValue?.first?["hits"] == 1)
        }
    }
}
