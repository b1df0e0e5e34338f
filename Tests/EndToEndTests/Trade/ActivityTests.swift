import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("The activity of an account on the sandbox")
struct ActivityTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private func run(_ arguments: String..., status: Int32 = 0) async throws -> JSONValue {
        let run = try await dex.run(arguments + ["--yes", "--json"])
        try #require(run.status == status, "\(arguments) \(run.stdout) \(run.stderr)")
        return try #require(try run.json()["data"])
    }

    private func rows(_ data: JSONValue) throws -> [JSONValue] {
        try #require(data["activity"]?.arrayValue)
    }

    private func kinds(_ data: JSONValue) throws -> [String] {
        try rows(data).compactMap { row in
            let amount = row["amount"]?["value"]?.stringValue ?? "-"
            return row["kind"]?.stringValue.map { "\($0) \(amount)" }
        }
    }

    @Test("what was done is listed, as often as it is asked, to the sender and the recipient")
    func activity() async throws {
        try await dex.withSandbox { _ in
            _ = try await run("wrap", "1.5")
            _ = try await run("send", "ZRX", "5.25", "bob")
            _ = try await run("send", "ETH", "0.5", "bob")
            _ = try await run("allowance", "set", "ZRX", "7")
            let bought = try await run("market-buy", "--via", "book", "ZRX/WETH", "1")
            let first = try await run("activity")
            #expect(
                try kinds(first).suffix(4) == [
                    "approved 7", "sent 0.5", "sent 5.25", "wrapped 1.5",
                ]
            )
            let trade = try #require(try rows(first).first { $0["kind"] == "trade" })
            #expect(trade["receives"]?["value"] == "1" && trade["own"] == true)
            let fill = try #require(bought["transactions"]?.arrayValue?.last)
            #expect(trade["transaction"] == fill["hash"] && trade["gasCost"] == fill["cost"])
            #expect(try rows(first).contains { $0["counterpartyName"] == "bob" })
            #expect(first["next"] == .null && first["hidden"] == 0)
            #expect(try await run("activity")["activity"] == first["activity"])

            let received = try await run("activity", "--wallet", "bob")
            #expect(try kinds(received) == ["received 0.5", "received 5.25"])
            #expect(try rows(received).allSatisfy { $0["gasCost"] == .null && $0["own"] == false })

            try await pages(try rows(first))
            try await screens()
            try await unknown(try #require(try rows(first).last?["transaction"]?.stringValue))
        }
    }

    private func pages(_ all: [JSONValue]) async throws {
        var found: [JSONValue] = []
        var cursor: String?
        repeat {
            let page =
                if let cursor {
                    try await run("activity", "--limit", "2", "--before", cursor)
                } else {
                    try await run("activity", "--limit", "2")
                }
            found += try rows(page)
            cursor = page["next"]?.stringValue
        } while cursor != nil && found.count < 50
        #expect(found == all)
        let bad = try await dex.run("activity --before nothing --json")
        #expect(bad.status == 2)
        #expect(try bad.json()["error"]?["code"] == "bad-cursor")
    }

    private func screens() async throws {
        let text = try await dex.run("activity --limit 1")
        #expect(text.status == 0 && text.stdout.contains("More rows: dex activity --before "))
        #expect(text.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let csv = try await dex.run("activity --csv --sort amount")
        #expect(csv.stdout.hasPrefix("time,block,transaction,kind,status,own,amount,"))
        #expect(csv.stdout.contains(",wrapped,ok,true,1.5,WETH,"))
    }

    /// A transaction that is not the account's own has a call, transfers and logs too.
    private func unknown(_ wrap: String) async throws {
        let status = try await run("status", wrap, "--wallet", "bob")
        #expect(status["coinSent"]?["value"] == "1.5" && status["call"]?["function"] == "deposit")
        #expect(status["logs"]?.arrayValue?.isEmpty == false)
        #expect(status["blockHash"]?.stringValue?.count == 66 && status["time"] != .null)
    }

    @Test("a reorganization takes out what it dropped")
    func reorganized() async throws {
        try await dex.withSandbox { _ in
            _ = try await run("send", "ETH", "0.5", "bob")
            _ = try await run("send", "ETH", "0.25", "bob")
            #expect(try kinds(try await run("activity", "-w", "bob")).count == 2)
            _ = try await run(
                "sandbox",
                "fault",
                "reorg",
                "--blocks",
                "1",
                "--transactions",
                "gone"
            )
            #expect(try kinds(try await run("activity", "-w", "bob")) == ["received 0.5"])
        }
    }
}
