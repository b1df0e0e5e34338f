import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

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
        let bought = try await run(
            "market-buy",
            "--via",
            "book",
            "ZRX/WETH",
            "5",
            "--yes",
            status: 12
        )
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
            let shown = try await dex.run("tx --wallet bob")
            #expect(shown.status == 0 && shown.stdout.contains("pooled"), "\(shown.stderr)")
            #expect(shown.stdout.contains(hash.prefix(10)))

            // The base fee doubled: 150 % of what was confirmed does not get it mined.
            let short = try await run("tx", "speedup", hash, "--dry-run", status: 6)
            #expect(short["error"]?["code"] == "replacement-too-low")
            #expect(short["error"]?["hint"]?.stringValue?.contains("--beyond-limits") == true)
            let dry = try await run(
                "tx",
                "speedup",
                hash,
                "--dry-run",
                "--beyond-limits",
                status: 30
            )
            let plan = try #require(dry["data"]?["plan"])
            #expect(plan["replaces"]?.stringValue == hash && plan["count"] == 1)
            _ = try await run("tx", "speedup", hash, "--beyond-limits", status: 25)

            let faster = try await run("tx", "speedup", hash, "--yes", "--beyond-limits")
            #expect(faster["command"] == "tx speedup")
            #expect(faster["data"]?["transactions"]?.arrayValue?.first?["status"] == "mined")
            #expect(faster["data"]?["outcome"]?["fills"]?.arrayValue?.count == 1)
            #expect(try await owned() == "20005")
            let new = faster["data"]?["transactions"]?.arrayValue?.first?["hash"]
            let old = try await dex.run("status \(hash)")
            #expect(old.status == 0 && old.stdout.contains("Transaction mined"), "\(old.stderr)")
            #expect(old.stdout.contains(try #require(new?.stringValue)))
            #expect(old.stdout.contains("replaces") && old.stdout.contains(hash))
            let over = try await run("tx", "cancel", hash, "--yes", status: 6)
            #expect(over["error"]?["code"] == "has-successor")
        }
    }

    @Test(
        "the status of what was sped up is that of its successor: 12 while it waits, then its end",
        arguments: SandboxNetwork.allCases
    )
    func followed(network: SandboxNetwork) async throws {
        try use(network)
        try await dex.withSandbox { _ in
            let hash = try await stuck()
            // The base fee rises again, as the successor arrives.
            try await fault("stuck")
            let faster = try await run(
                "tx",
                "speedup",
                hash,
                "--yes",
                "--beyond-limits",
                status: 12
            )
            let new = try #require(faster["data"]?["transactions"]?.arrayValue?.first?["hash"])
            let waiting = try await run("status", hash, status: 12)
            #expect(waiting["error"]?["code"] == "not-mined-yet")
            #expect(
                waiting["error"]?["hint"]?.stringValue?.contains(try #require(new.stringValue))
                    == true
            )
            let data = try #require(waiting["data"])
            #expect(data["hash"] == new && data["status"] == "pending")
            #expect(data["replaces"]?.stringValue == hash && data["successor"] == new)
            try await fault("clear")
            let done = try await run("status", hash, "--wait")
            #expect(done["data"]?["hash"] == new && done["data"]?["status"] == "mined")
            #expect(done["data"]?["successor"] == new)
            #expect(done["warnings"]?.arrayValue?.first?.stringValue?.contains(hash) == true)
            #expect(done["data"]?["fills"]?.arrayValue?.count == 1)
            // Its end was told.
            #expect(
                try await run("market-buy", "--via", "book", "ZRX/WETH", "5", "--yes")["status"]
                    == "ok"
            )
        }
    }

    @Test("what was taken back never ends as done: 12 while its successor waits, then 13")
    func followedCancel() async throws {
        try await dex.withSandbox { _ in
            let hash = try await stuck()
            try await fault("stuck")
            let taken = try await run(
                "tx",
                "cancel",
                hash,
                "--yes",
                "--beyond-limits",
                status: 12
            )
            let new = try #require(taken["data"]?["transactions"]?.arrayValue?.first?["hash"])
            let waiting = try await run("status", hash, status: 12)
            #expect(waiting["data"]?["hash"] == new && waiting["data"]?["status"] == "pending")
            try await fault("clear")
            let over = try await run("status", hash, "--wait", status: 13)
            #expect(over["data"]?["hash"]?.stringValue == hash)
            #expect(over["data"]?["status"] == "replaced" && over["data"]?["successor"] == new)
            let error = try #require(over["error"])
            #expect(error["code"] == "replaced-or-dropped")
            #expect(error["hint"]?.stringValue?.contains("dex status \(hash)") == false)
            #expect(error["message"]?.stringValue?.contains(try #require(new.stringValue)) == true)
        }
    }

    @Test("what a node lost is told with the command that sends it again, and not with itself")
    func dropped() async throws {
        try await dex.withSandbox { _ in
            let bought = try await run("market-buy", "--via", "book", "ZRX/WETH", "5", "--yes")
            let sent = try #require(bought["data"]?["transactions"]?.arrayValue?.last?["hash"])
            let hash = try #require(sent.stringValue)
            try await fault("reorg", "--transactions", "gone")
            let lost = try await run("status", hash, status: 13)
            #expect(lost["data"]?["status"] == "dropped")
            #expect(lost["error"]?["hint"]?.stringValue?.contains("dex resume") == true)
            #expect(lost["error"]?["hint"]?.stringValue?.contains("dex status") == false)
        }
    }

    @Test("what is replaced is signed for by the account that sent it, whoever acts otherwise")
    func ownAccount() async throws {
        try await dex.withSandbox { _ in
            let hash = try await stuck()
            for command in ["speedup", "cancel"] {
                let dry = try await dex.run(
                    "tx \(command) \(hash) --beyond-limits --dry-run --json"
                )
                #expect(dry.status == 30, "\(dry.stderr)")
                let account = try dry.json()["data"]?["plan"]?["account"]
                let list = try await run("tx", "list")["data"]?["transactions"]?.arrayValue
                #expect(account == list?.first?["account"])
                let other = try await dex.run(
                    [
                        "tx", command, hash, "--beyond-limits", "--dry-run", "--json", "--wallet",
                        "carol",
                    ]
                )
                #expect(other.status == 5, "\(other.stdout)")
                #expect(try other.json()["error"]?["code"] == "wrong-account")
                let named = try await dex.run(
                    ["tx", command, hash, "--beyond-limits", "--dry-run", "--json"],
                    environment: ["DEX_WALLET": "carol"]
                )
                #expect(named.status == 30, "\(named.stdout)")
            }
            let taken = try await dex.run("tx cancel \(hash) --yes --beyond-limits")
            #expect(taken.status == 0, "\(taken.stderr)")
        }
    }

    @Test("an order that the journal knows is cancelled by its maker, whoever is the default")
    func ownOrder() async throws {
        try await dex.withSandbox { _ in
            let place = ["place-limit", "sell", "ZRX/WETH", "1", "--price", "0.01", "--yes"]
            var hashes: [String] = []
            for maker in ["bob", "carol"] {
                let placed = try await dex.run(place + ["--json", "--wallet", maker])
                #expect(placed.status == 0, "\(placed.stderr)")
                let hash = try placed.json()["data"]?["orderHash"]?.stringValue
                hashes.append(try #require(hash))
            }
            // Of several makers, or with another account named, nothing is guessed.
            for arguments in [hashes, [hashes[0], "--wallet", "carol"]] {
                let refused = try await dex.run(["cancel", "--dry-run", "--json"] + arguments)
                #expect(refused.status == 6, "\(refused.stdout)")
                #expect(try refused.json()["error"]?["code"] == "not-own-order")
            }
            for hash in hashes {
                let cancelled = try await dex.run("cancel \(hash) --yes --json")
                #expect(cancelled.status == 0, "\(cancelled.stderr)")
                let orders = try cancelled.json()["data"]?["orders"]?.arrayValue
                #expect(orders?.first?["status"] == "cancelled")
            }
        }
    }

    @Test("a purchase that a pending one stops is not asked about, and names what speeds that up")
    func notAsked() async throws {
        try await dex.withSandbox { _ in
            let hash = try await stuck()
            let buy = ["market-buy", "--via", "book", "ZRX/WETH", "5", "--wallet", "bob"]
            let stopped = try await dex.converse(
                buy,
                [],
                shell: "timeout --foreground 60 \"$@\""
            )
            #expect(stopped.run.status == 12, "\(stopped.run.stderr)")
            #expect(!stopped.shown.contains("[y/N]"), "\(stopped.shown)")
            #expect(stopped.shown.contains("receive"), "the plan is shown")
            #expect(stopped.run.stderr.contains("dex tx speedup \(hash)"))
            // Who goes on regardless is asked.
            let asked = try await dex.converse(
                buy + ["--despite-pending"],
                [("[y/N] ", "n\n")]
            )
            #expect(asked.run.status == 20, "\(asked.run.stderr)")
            // A plan alone is a plan as ever.
            _ = try await run("market-buy", "--via", "book", "ZRX/WETH", "5", status: 25)
            _ = try await run(
                "market-buy",
                "--via",
                "book",
                "ZRX/WETH",
                "5",
                "--dry-run",
                status: 30
            )
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
                "tx cancel \(hash) --wallet bob --yes --beyond-limits"
            )
            #expect(cancelled.status == 0, "\(cancelled.stderr)")
            #expect(cancelled.stdout.contains("The fill will never be mined"))
            #expect(cancelled.stderr.contains("Cancel the fill by using its nonce up"))
            #expect(try await owned() == "20000")
            let again = try await run("market-buy", "--via", "book", "ZRX/WETH", "5", "--yes")
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
            let bought = try await run("market-buy", "--via", "book", "ZRX/WETH", "5", "--yes")
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
            let limit = try await dex.run("tx list --limit 0")
            #expect(limit.status == 2)
        }
    }
}
