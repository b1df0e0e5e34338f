import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// A transaction that waits, on contracts: replaced, taken back, lost and found again.
@Suite("Speed up, take back and resume, on an EVM", .serialized)
struct LifeOnEVMTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    private var scene: Scene {
        var scene = Scene.aliceApproved(.weth)
        scene.receiptTimeout = 2
        return scene
    }

    /// What all change by where alice buys 30 ZRX.
    private func bought() throws -> [String: Int128] {
        [
            "alice ZRX": try zrx("30"), "alice WETH": try weth("-0.03"),
            "alice WETH allowance": try weth("-0.03"),
            "bob ZRX": try zrx("-30"), "bob WETH": try weth("0.03"),
            "bob ZRX allowance": try zrx("-30"),
        ]
    }

    /// A fill that waits in the pool.
    private func waiting(_ stage: EVMStage) async throws -> String {
        let order = try await stage.post(by: .bob, sells: (zrx, "100"), wants: (weth, "0.1"))
        try stage.node.call("evm_setAutomine", false)
        let run = try await stage.dex(.alice, "fill", order.hash.hex, "30", exit: 12)
        #expect(run.transactions == ["fill pending"])
        return try run.text("transactions.0.hash")
    }

    private func mineAtNextSend(_ stage: EVMStage) {
        let node = stage.node
        stage.hooks.after("eth_sendRawTransaction") {
            try node.call("evm_mine")
            try node.call("evm_setAutomine", true)
        }
    }

    @Test("a faster one is mined in place of the first, and fills once")
    func speedup() async throws {
        try await EVMStage.run(scene) { stage in
            let before = try stage.ledger()
            let hash = try await waiting(stage)
            let list = try await stage.dex(.alice, "tx", "list", "--unsettled")
            #expect(try list.data.list("transactions").map { $0.at("status") } == ["pooled"])
            mineAtNextSend(stage)
            let faster = try await stage.dex(.alice, "tx", "speedup", hash)
            #expect(faster.transactions == ["fill mined"])
            #expect(try faster.raw("outcome.fills.0.received") == zrx("30"))
            let second = try faster.text("transactions.0.hash")
            #expect(second != hash)
            #expect(try stage.mined(since: before).map(\.hash) == [second])
            try stage.expect(bought(), since: before, by: faster)
            let old = try await stage.dex(.alice, "status", hash)
            #expect(old.data.at("status") == "mined" && old.data.at("hash") == .string(second))
            #expect(old.data.at("replaces") == .string(hash))
            let all = try await stage.dex(.alice, "tx", "list")
            let rows = try all.data.list("transactions")
            #expect(rows.map { $0.at("status") } == ["mined", "replaced"])
            #expect(rows.last?.at("successor") == .string(second))
            #expect(rows.first?.at("predecessor") == .string(hash))
            let nothing = try await stage.dex(.alice, "resume")
            #expect(try nothing.data.list("items") == [])
        }
    }

    @Test("a reorganization that mines the first in place of the faster one tells so of both")
    func broughtBack() async throws {
        try await EVMStage.run(scene) { stage in
            let before = try stage.ledger()
            let first = try await waiting(stage)
            // The first waits in the pool, and nothing is mined by itself.
            let id = try stage.node.call("evm_snapshot")
            mineAtNextSend(stage)
            let faster = try await stage.dex(.alice, "tx", "speedup", first)
            let second = try faster.text("transactions.0.hash")
            try stage.node.call("evm_revert", id)
            try stage.node.call("evm_mine", ["blocks": 2])
            try stage.node.call("evm_setAutomine", true)
            #expect(try stage.mined(since: before).map(\.hash) == [first])

            let old = try await stage.dex(.alice, "status", first)
            #expect(old.data.at("status") == "mined")
            #expect(try old.raw("fills.0.received") == zrx("30"))
            let new = try await stage.dex(.alice, "status", second, exit: 13)
            #expect(new.data.at("status") == "replaced")
            try stage.expect(bought(), since: before)
            let nothing = try await stage.dex(nil, "resume")
            #expect(try nothing.data.list("items") == [])
        }
    }

    @Test("one that is taken back moves nothing, and its nonce is used")
    func cancel() async throws {
        try await EVMStage.run(scene) { stage in
            let before = try stage.ledger()
            let hash = try await waiting(stage)
            mineAtNextSend(stage)
            let cancelled = try await stage.dex(.alice, "tx", "cancel", hash)
            #expect(cancelled.transactions == ["void-nonce mined"])
            try stage.expect([:], since: before, by: cancelled)
            _ = try await stage.dex(.alice, "status", hash, exit: 13)
            _ = try await stage.dex(
                .alice,
                "tx",
                "cancel",
                hash,
                exit: 6,
                code: "has-successor"
            )
        }
    }

    @Test("one that is mined before it is taken back is told with what it did, exit 13")
    func tooLate() async throws {
        try await EVMStage.run(scene) { stage in
            let before = try stage.ledger()
            let hash = try await waiting(stage)
            let node = stage.node
            stage.hooks.before("eth_sendRawTransaction") {
                try node.call("evm_mine")
                try node.call("evm_setAutomine", true)
            }
            let late = try await stage.dex(
                .alice,
                "tx",
                "cancel",
                hash,
                exit: 13,
                code: "mined-before"
            )
            #expect(late.transactions == ["void-nonce replaced"])
            #expect(try late.text("outcome.hash") == hash)
            #expect(try late.raw("outcome.fills.0.received") == zrx("30"))
            #expect(try stage.mined(since: before).map(\.hash) == [hash])
            try stage.expect(bought(), since: before)
        }
    }

    @Test("what a reorganization took out is found by resume, sent again, and fills once")
    func resumed() async throws {
        try await EVMStage.run(scene) { stage in
            let order = try await stage.post(by: .bob, sells: (zrx, "100"), wants: (weth, "0.1"))
            let before = try stage.ledger()
            let id = try stage.node.call("evm_snapshot")
            let first = try await stage.dex(.alice, "fill", order.hash.hex, "30")
            let hash = try first.text("transactions.0.hash")
            try stage.node.call("evm_revert", id)
            try stage.node.call("evm_mine", ["blocks": 2])
            try stage.expect([:], since: before)

            let list = try await stage.dex(.alice, "tx", "list")
            let row = try #require(try list.data.list("transactions").first)
            #expect(row.at("status") == "reorganized" && row.at("settled") == false)
            let resumed = try await stage.dex(nil, "resume")
            let item = try #require(try resumed.data.list("items").first)
            #expect(item.at("hash") == .string(hash) && item.at("done") == "sent")
            #expect(item.at("status") == "mined" && item.at("inFlight") == false)
            #expect(try item.raw("outcome.fills.0.received") == zrx("30"))
            #expect(try stage.mined(since: before).map(\.hash) == [hash])
            try stage.expect(bought(), since: before)
            let nothing = try await stage.dex(nil, "resume")
            #expect(try nothing.data.list("items") == [])
        }
    }
}
