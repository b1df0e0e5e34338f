import DexRelay
import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// What may become of a signed transaction besides being mined.
@Suite("Simulated, replaced, taken back, on an EVM", .serialized)
struct BroadcastTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let scene = Scene.aliceApproved(.weth)

    /// What all change by where alice buys an amount of the order.
    private func bought(_ amount: String, for paid: String) throws -> [String: Int128] {
        [
            "alice ZRX": try zrx(amount), "alice WETH": try weth("-\(paid)"),
            "alice WETH allowance": try weth("-\(paid)"),
            "bob ZRX": try zrx("-\(amount)"), "bob WETH": try weth(paid),
            "bob ZRX allowance": try zrx("-\(amount)"),
        ]
    }

    @Test("a call that the simulation sees fail ends with 10, and nothing is signed")
    func simulation() async throws {
        var scene = scene
        scene.fees = FeeSchedule(
            recipient: try Party.relay.address,
            standard: .init(makerFee: 0, takerFee: try zrx.raw("1"))
        )
        // The fee comes out of what is bought, so the call cannot skip the order.
        scene.balances[.init(.alice, zrx)] = "0"
        scene.allowances[.init(.alice, zrx)] = "1"
        try await EVMStage.run(scene) { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            let raw = try await stage.approve(zrx, "99", by: .bob)
            stage.hooks.before("eth_estimateGas") { try stage.send(raw) }
            let failed = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 10,
                code: "would-revert"
            )
            #expect(failed.transactions == [])
            #expect(!stage.front.methods.contains("eth_sendRawTransaction"))
            try stage.expect(["bob ZRX allowance": zrx("-999901")], since: before, by: failed)
        }
    }

    @Test("a fill whose nonce the account's other wallet takes exits 13; it can be run again")
    func replaced() async throws {
        try await EVMStage.run(scene) { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            // The first nonce: of a transfer here, and of the fill.
            // A minute of blocks, which proves that no server lags.
            stage.overtake(
                with: try await stage.transfer(zrx, "7", from: .alice, to: .carol),
                blocks: 61
            )
            let replaced = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 13,
                code: "replaced-or-dropped"
            )
            #expect(replaced.transactions == ["fill replaced"])
            #expect(replaced.outcomes == ["untouched"])
            #expect(try replaced.raw("outcome.received") == 0)
            let hash = try replaced.text("transactions.0.hash")
            let status = try await stage.dex(.alice, "status \(hash)", exit: 13)
            #expect(status.data.at("status") == "replaced")
            try stage.expect(
                ["alice ZRX": zrx("-7"), "carol ZRX": zrx("7")],
                since: before,
                by: replaced
            )
            let between = try stage.ledger()
            let filled = try await stage.dex(.alice, "fill \(order.hash.hex)")
            #expect(filled.outcomes == ["filled"])
            try stage.expect(bought("100", for: "0.1"), since: between, by: filled)
        }
    }

    @Test("a fill that a reorganization takes out is sent again as it was, and only once")
    func reorganized() async throws {
        try await EVMStage.run(scene) { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            let id = try stage.node.call("evm_snapshot")
            let first = try await stage.dex(.alice, "fill \(order.hash.hex) 30")
            try stage.expect(bought("30", for: "0.03"), since: before, by: first)
            let hash = try first.text("transactions.0.hash")

            try stage.node.call("evm_revert", id)
            try stage.node.call("evm_mine", ["blocks": 2])
            try stage.expect([:], since: before)
            let gone = try await stage.dex(.alice, "status \(hash)", exit: 13)
            #expect(gone.data.at("status") == "dropped")
            let resumed = try await stage.dex(
                .alice,
                "fill \(order.hash.hex) 30",
                exit: 12,
                code: "resumed"
            )
            #expect(try resumed.error.text("message").contains(hash))
            let mined = try stage.mined(since: before)
            #expect(mined.map(\.hash) == [hash])
            let status = try await stage.dex(.alice, "status \(hash) --wait")
            #expect(try status.raw("fills.0.received") == zrx("30"))
            #expect(try status.raw("cost") == mined.first?.cost)
            try stage.expect(bought("30", for: "0.03"), since: before)
        }
    }

    @Test(
        "interrupted while it sends or waits, it tells what is in flight; that is counted once",
        arguments: ["eth_sendRawTransaction", "eth_getTransactionReceipt"]
    )
    func interrupted(method: String) async throws {
        try await EVMStage.run(scene) { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            try stage.node.call("evm_setAutomine", false)
            // The first receipt is asked for before it is sent: nobody may know it yet.
            let number = method == "eth_getTransactionReceipt" ? 2 : 1
            stage.hooks.after(method, number: number) { [binary = stage.binary] in
                let count = try binary.interrupt()
                #expect(count == 1)
            }
            let stopped = try await stage.dex(
                .alice,
                "fill \(order.hash.hex) 30",
                exit: 130,
                code: "interrupted"
            )
            #expect(stopped.transactions == ["fill pending"])
            let hash = try stopped.text("transactions.0.hash")
            try stage.node.call("evm_mine")
            try stage.node.call("evm_setAutomine", true)
            #expect(try stage.mined(since: before).map(\.hash) == [hash])
            _ = try await stage.dex(
                .alice,
                "fill \(order.hash.hex) 30",
                exit: 6,
                code: "unacknowledged-fill"
            )
            let status = try await stage.dex(.alice, "status \(hash)")
            #expect(try status.raw("fills.0.paid") == weth("0.03"))
            try stage.expect(bought("30", for: "0.03"), since: before)
        }
    }
}
