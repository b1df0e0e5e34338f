import DexTestSupport
import Foundation
import StrictJSON
import Testing

/// `dex tx list`, `speedup` and `cancel`, and `dex resume`, as people and scripts run them.
@Suite("Following, replacing and resuming")
struct LifeCommandTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
        try use(.v1)
    }

    private func use(_ network: SandboxNetwork) throws {
        try dex.use(network, "[trade]\nreceipt_timeout = 2\n")
    }

    private func run(_ words: String..., status: Int32 = 0) async throws -> JSONValue {
        let run = try await dex.run(words + ["--wallet", "bob", "--json"])
        #expect(run.status == status, "\(words): \(run.stderr)")
        return try run.json()
    }

    private func fault(_ words: String...) async throws {
        let run = try await dex.run(["sandbox", "fault"] + words)
        try #require(run.status == 0, "\(words): \(run.stderr)")
    }

    private func owned() async throws -> String? {
        let rows = try await run("balance", "ZRX")["data"]?["balances"]?.arrayValue
        let row = rows?.first { $0["balance"]?["symbol"] == "ZRX" }
        return row?["balance"]?["value"]?.stringValue
    }

    /// A purchase that pays too little and waits.
    private func stuck() async throws -> String {
        try await fault("stuck")
        let bought = try await run("market-buy", "ZRX/WETH", "5", "--yes", status: 12)
        return try #require(
            bought["data"]?["transactions"]?.arrayValue?.last?["hash"]?.stringValue
        )
    }

    @Test(
        "a stuck purchase is listed, sped up beyond the limits only when told, and buys once",
        arguments: SandboxNetwork.allCases
    )
    func speedup(network: SandboxNetwork) async throws {
        try use(network)
        try await dex.withSandbox { _ in
            let hash = try await stuck()
            let list = try await run("tx", "list", "--unsettled")
            #expect(list["command"] == "tx list")
            let row = try #require(list["data"]?["transactions"]?.arrayValue?.first)
            #expect(row["hash"]?.stringValue == hash && row["status"] == "pooled")
            #expect(row["purpose"] == "fill" && row["settled"] == false)
            let shown = try await dex.run("tx", "--wallet", "bob")
            #expect(shown.status == 0 && shown.stdout.contains("pooled"), "\(shown.stderr)")
            #expect(shown.stdout.contains(hash))

            let dry = try await run("tx", "speedup", hash, "--dry-run", status: 30)
            let plan = try #require(dry["data"]?["plan"])
            #expect(plan["replaces"]?.stringValue == hash && plan["count"] == 1)
            #expect(plan["gas"]?["capped"] == true)
            // It doubled: 150 % of what was confirmed does not get it mined.
            #expect(dry["warnings"]?.arrayValue?.isEmpty == false)
            _ = try await run("tx", "speedup", hash, status: 25)

            let faster = try await run("tx", "speedup", hash, "--yes", "--beyond-limits")
            #expect(faster["command"] == "tx speedup")
            #expect(faster["data"]?["transactions"]?.arrayValue?.first?["status"] == "mined")
            #expect(faster["data"]?["outcome"]?["fills"]?.arrayValue?.count == 1)
            #expect(try await owned() == "20005")
            let old = try await dex.run("status", hash)
            #expect(old.status == 13 && old.stdout.contains("Transaction replaced"))
            let over = try await run("tx", "cancel", hash, "--yes", status: 6)
            #expect(over["error"]?["code"] == "has-successor")
        }
    }

    @Test(
        "a stuck purchase is taken back and nothing is bought",
        arguments: SandboxNetwork.allCases
    )
    func cancel(network: SandboxNetwork) async throws {
        try use(network)
        try await dex.withSandbox { _ in
            let hash = try await stuck()
            let cancelled = try await dex.run(
                "tx",
                "cancel",
                hash,
                "--wallet",
                "bob",
                "--yes",
                "--beyond-limits"
            )
            #expect(cancelled.status == 0, "\(cancelled.stderr)")
            #expect(cancelled.stdout.contains("The fill will never be mined"))
            #expect(cancelled.stderr.contains("Use the nonce of the fill up"))
            #expect(try await owned() == "20000")
            let again = try await run("market-buy", "ZRX/WETH", "5", "--yes")
            #expect(again["status"] == "ok")
            #expect(try await owned() == "20005")
        }
    }

    @Test(
        "resume tells what waits, sends what was lost after a question, and then has nothing",
        arguments: SandboxNetwork.allCases
    )
    func resume(network: SandboxNetwork) async throws {
        try use(network)
        try await dex.withSandbox { _ in
            let none = try await dex.run("resume")
            #expect(none.status == 0 && none.stdout == "Nothing is unfinished.\n")
            let bought = try await run("market-buy", "ZRX/WETH", "5", "--yes")
            let hash = bought["data"]?["transactions"]?.arrayValue?.last?["hash"]
            try await fault("reorg", "--transactions", "gone")
            #expect(try await owned() == "20000")

            let dry = try await run("resume", "--dry-run", status: 30)
            let planned = try #require(dry["data"]?["items"]?.arrayValue?.first)
            #expect(planned["hash"] == hash && planned["action"] == "send")
            #expect(planned["was"] == "mined" && planned["status"] == "reorganized")
            _ = try await run("resume", status: 25)
            #expect(try await owned() == "20000")
            let done = try await run("resume", "--yes")
            let item = try #require(done["data"]?["items"]?.arrayValue?.first)
            #expect(item["done"] == "sent" && item["status"] == "mined")
            #expect(item["outcome"]?["fills"]?.arrayValue?.count == 1)
            #expect(try await owned() == "20005")
            let after = try await run("resume")
            #expect(after["data"]?["items"]?.arrayValue?.isEmpty == true)

            _ = try await stuck()
            let waiting = try await run("resume", status: 12)
            #expect(waiting["error"]?["code"] == "still-in-flight")
            #expect(waiting["data"]?["items"]?.arrayValue?.first?["status"] == "pooled")
            try await fault("clear")
            let mined = try await dex.run("resume")
            #expect(mined.status == 0, "\(mined.stderr)")
            #expect(mined.stdout.contains("fill: mined"))
            #expect(try await owned() == "20010")
        }
    }

    @Test("hashes of nothing that dex sent, and no hashes at all, are refused with what to run")
    func wrongHashes() async throws {
        try await dex.withSandbox { _ in
            let hash = "0x" + String(repeating: "7", count: 64)
            let unknown = try await run("tx", "cancel", hash, "--yes", status: 2)
            #expect(unknown["error"]?["code"] == "unknown-transaction")
            let bad = try await run("tx", "speedup", "0x77", "--yes", status: 2)
            #expect(bad["error"]?["code"] == "bad-hash")
            let limit = try await dex.run("tx", "list", "--limit", "0")
            #expect(limit.status == 2)
        }
    }
}
