import DexRelay
import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Transactions that are mined and fail, and transactions that are not mined.
@Suite("Reverts, gas and the base fee, on an EVM", .serialized)
struct RevertTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let dai = EVMToken.dai

    private func scene(receiptTimeout: Int = 600) -> Scene {
        var scene = Scene.aliceApproved(weth)
        scene.receiptTimeout = receiptTimeout
        return scene
    }

    // MARK: Mined and failed

    @Test("a fill that reverts exits 11, costs its gas and moves nothing")
    func reverted() async throws {
        var scene = scene()
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
            stage.overtake(with: try await stage.approve(zrx, "99", by: .bob))
            let failed = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 11,
                code: "reverted"
            )
            #expect(failed.transactions == ["fill reverted"])
            #expect(try failed.raw("outcome.received") == 0)
            #expect(failed.outcomes == ["untouched"])
            let hash = try failed.text("transactions.0.hash")
            // ZRX answers false, so the exchange reverts and the rest of the gas stays.
            let sent = try #require(try failed.minedTransactions().first)
            #expect(try sent.gasUsed < stage.gasLimit(of: hash))
            #expect(try sent.cost < failed.raw("plan.gas.maxCost"))
            try stage.expect(["bob ZRX allowance": zrx("-999901")], since: before, by: failed)
            let status = try await stage.dex(nil, "status \(hash)", exit: 11)
            #expect(status.data.at("status") == "reverted")
            #expect(status.data.at("cost") == failed.data.at("transactions.0.cost"))
        }
    }

    @Test(
        """
        an approval that runs out of gas is not signed where it can be run on this machine; else it \
        exits 11, and the fill is not sent
        """
    )
    func approvalOutOfGas() async throws {
        try await EVMStage.run { stage in
            _ = try await stage.ask()
            let before = try stage.ledger()
            // A node that says too little.
            stage.hooks.answer("eth_estimateGas", with: "0x7530")
            let refused = try await stage.dex(
                .alice,
                "market-buy ZRX/WETH 10",
                exit: 10,
                code: "run-fails"
            )
            #expect(refused.transactions == [])
            stage.hooks.answer("eth_createAccessList", with: .null)
            let failed = try await stage.dex(
                .alice,
                "market-buy ZRX/WETH 10",
                exit: 11,
                code: "reverted"
            )
            #expect(failed.transactions == ["approve reverted"])
            let sent = try #require(try failed.minedTransactions().first)
            #expect(sent.gasUsed == 33_000)
            #expect(failed.data.at("outcome.received.raw") == "0")
            try stage.expect([:], since: before, by: failed)
            // Nothing stands in the way of the next one.
            stage.hooks.answer("eth_estimateGas", with: nil)
            let bought = try await stage.dex(.alice, "market-buy ZRX/WETH 10")
            try stage.expect(
                [
                    "alice ZRX": zrx("10"), "alice WETH": weth("-0.01"),
                    "bob ZRX": zrx("-10"), "bob WETH": weth("0.01"),
                    "bob ZRX allowance": zrx("-10"),
                ],
                since: before,
                by: failed,
                bought
            )
        }
    }

    @Test("a node that estimates too little is not believed: a fill has the gas that was measured")
    func estimateTooLow() async throws {
        try await EVMStage.run(scene()) { stage in
            _ = try await stage.ask()
            let before = try stage.ledger()
            stage.hooks.answer("eth_estimateGas", with: "0x7530")
            let bought = try await stage.dex(.alice, "market-buy ZRX/WETH 100")
            #expect(bought.transactions == ["fill mined"])
            try stage.expect(
                [
                    "alice ZRX": zrx("100"), "alice WETH": weth("-0.1"),
                    "alice WETH allowance": weth("-0.1"),
                    "bob ZRX": zrx("-100"), "bob WETH": weth("0.1"),
                    "bob ZRX allowance": zrx("-100"),
                ],
                since: before,
                by: bought
            )
        }
    }

    @Test(
        """
        a fill that runs out of gas is not signed where it can be run on this machine; else it exits \
        11: all of its gas is gone and nothing is moved
        """
    )
    func fillOutOfGas() async throws {
        var scene = scene()
        scene.tokens = [zrx, weth, dai]
        scene.fees = FeeSchedule(
            recipient: try Party.relay.address,
            standard: .init(makerFee: try zrx.raw("1"), takerFee: try zrx.raw("1"))
        )
        // Four balances that were zero, which no measured floor counts.
        scene.balances[.init(.alice, dai)] = "0"
        scene.balances[.init(.bob, weth)] = "0"
        scene.allowances[.init(.alice, zrx)] = "1000"
        try await EVMStage.run(scene) { stage in
            let order = try await stage.post(by: .bob, sells: (dai, "300"), wants: (weth, "0.1"))
            let before = try stage.ledger()
            stage.hooks.answer("eth_estimateGas", with: "0x7530")
            let refused = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 10,
                code: "run-fails"
            )
            #expect(refused.transactions == [])
            stage.hooks.answer("eth_createAccessList", with: .null)
            let failed = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 11,
                code: "reverted"
            )
            #expect(failed.transactions == ["fill reverted"])
            let sent = try #require(try failed.minedTransactions().first)
            #expect(try sent.gasUsed == stage.gasLimit(of: sent.hash))
            try stage.expect([:], since: before, by: failed)
        }
    }

    // MARK: The base fee

    @Test("a base fee beyond what was confirmed stops before the signature")
    func feeRose() async throws {
        try await EVMStage.run(scene()) { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            stage.hooks.before("eth_estimateGas", number: 2) { [node = stage.node] in
                try node.call("hardhat_setNextBlockBaseFeePerGas", "0x4a817c800")
                try node.call("evm_mine")
            }
            let stopped = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 6,
                code: "fees-rose"
            )
            #expect(stopped.error.at("retryable") == true)
            #expect(!stage.front.methods.contains("eth_sendRawTransaction"))
            try stage.expect([:], since: before, by: stopped)
        }
    }

    @Test("a base fee that rises less is paid out of what was confirmed")
    func feeRoseALittle() async throws {
        try await EVMStage.run(scene()) { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            stage.hooks.before("eth_estimateGas", number: 2) { [node = stage.node] in
                // From 1 to 1.9 gwei, where twice the base fee was confirmed.
                try node.call("hardhat_setNextBlockBaseFeePerGas", "0x713fb300")
                try node.call("evm_mine")
            }
            let filled = try await stage.dex(.alice, "fill \(order.hash.hex)")
            #expect(filled.transactions == ["fill mined"])
            let hash = try filled.text("transactions.0.hash")
            let sent = try stage.node.call("eth_getTransactionByHash", .string(hash))
            let maximum = try sent.at("maxFeePerGas").quantity() * stage.gasLimit(of: hash)
            #expect(try maximum <= filled.raw("plan.gas.maxCost"))
            try stage.expect(
                [
                    "alice ZRX": zrx("100"), "alice WETH": weth("-0.1"),
                    "alice WETH allowance": weth("-0.1"),
                    "bob ZRX": zrx("-100"), "bob WETH": weth("0.1"),
                    "bob ZRX allowance": zrx("-100"),
                ],
                since: before,
                by: filled
            )
        }
    }

    @Test("a base fee that rises behind an approval stops the fill; the approval stays and is told")
    func feeRoseBehindApproval() async throws {
        try await EVMStage.run { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            stage.hooks.after("eth_sendRawTransaction") { [node = stage.node] in
                try node.call("hardhat_setNextBlockBaseFeePerGas", "0x4a817c800")
                try node.call("evm_mine")
            }
            let stopped = try await stage.dex(.alice, "fill \(order.hash.hex)", exit: 6)
            let message = try stopped.error.text("message")
            #expect(message.contains("The approval is mined and stays as it is."), "\(message)")
            #expect(stopped.transactions == ["approve mined"])
            try stage.expect(["alice WETH allowance": weth("0.1")], since: before, by: stopped)
        }
    }

    @Test("a base fee above the most that is paid leaves it pending: nothing is sent twice")
    func notMined() async throws {
        try await EVMStage.run(scene(receiptTimeout: 1)) { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            stage.hooks.before("eth_sendRawTransaction") { [node = stage.node] in
                try node.call("evm_setAutomine", false)
            }
            stage.hooks.after("eth_sendRawTransaction") { [node = stage.node] in
                try node.call("hardhat_setNextBlockBaseFeePerGas", "0x4a817c800")
                try node.call("evm_mine")
            }
            let command = ["fill", order.hash.hex, "30"]
            let waiting = try await stage.dex(
                .alice,
                arguments: command,
                exit: 12,
                code: "not-mined-yet"
            )
            #expect(waiting.transactions == ["fill pending"])
            let hash = try waiting.text("transactions.0.hash")
            #expect(try waiting.error.text("hint").contains(hash))
            #expect(try stage.node.call("eth_blockNumber") == "0x1", "a block went by without it")
            let pending = try await stage.dex(nil, "status \(hash)", exit: 12)
            #expect(pending.data.at("status") == "pending")
            #expect(pending.data.at("block").isNull)
            // A script that repeats itself trades once.
            let again = try await stage.dex(
                .alice,
                arguments: command,
                exit: 12,
                code: "pending-transaction"
            )
            #expect(try again.error.text("message").contains(hash))
            try stage.expect([:], since: before, by: waiting, again)

            try stage.node.call("hardhat_setNextBlockBaseFeePerGas", "0x3b9aca00")
            try stage.node.call("evm_mine")
            try stage.node.call("evm_setAutomine", true)
            let unseen = try await stage.dex(
                .alice,
                arguments: command,
                exit: 6,
                code: "unacknowledged-fill"
            )
            #expect(unseen.transactions == [])
            let status = try await stage.dex(.alice, "status \(hash) --wait")
            #expect(status.data.at("status") == "mined")
            #expect(try status.raw("fills.0.received") == zrx("30"))
            let mined = try stage.mined(since: before)
            #expect(mined.map(\.hash) == [hash])
            #expect(try status.raw("cost") == mined.first?.cost)
            try stage.expect(
                [
                    "alice ZRX": zrx("30"), "alice WETH": weth("-0.03"),
                    "alice WETH allowance": weth("-0.03"),
                    "bob ZRX": zrx("-30"), "bob WETH": weth("0.03"),
                    "bob ZRX allowance": zrx("-30"),
                ],
                since: before
            )
            let rest = try await stage.dex(.alice, "fill \(order.hash.hex) 70")
            #expect(rest.outcomes == ["filled"])
        }
    }
}
