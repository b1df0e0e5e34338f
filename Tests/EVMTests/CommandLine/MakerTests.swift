import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Cancels and limit orders that go wrong.
@Suite("Cancels and limit orders, on an EVM", .serialized)
struct MakerTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    /// alice is a maker here.
    private let scene = Scene.aliceApproved(.zrx)

    @Test("a cancel tells what others took before it: a part, or all")
    func filledMeanwhile() async throws {
        try await EVMStage.run(scene) { stage in
            let partly = try await stage.ask(by: .alice)
            let wholly = try await stage.ask(by: .alice)
            let before = try stage.ledger()
            stage.overtake(with: try await stage.fill(partly, by: .dave, paying: weth.raw("0.04")))
            let cancelled = try await stage.dex(.alice, "cancel \(partly.hash.hex)")
            #expect(cancelled.data.at("orders.0.status") == "cancelled")
            #expect(try cancelled.raw("orders.0.filledMeanwhile") == weth("0.04"))
            #expect(try stage.amount("cancelled", of: partly.hash.hex) == weth("0.06"))
            stage.overtake(with: try await stage.fill(wholly, by: .dave, paying: weth.raw("0.1")))
            let late = try await stage.dex(.alice, "cancel \(wholly.hash.hex)", exit: 14)
            #expect(late.transactions == ["cancel mined"])
            #expect(late.data.at("orders.0.status") == "filled-before")
            #expect(try late.raw("orders.0.filledMeanwhile") == weth("0.1"))
            #expect(try stage.amount("cancelled", of: wholly.hash.hex) == 0)
            try stage.expect(
                [
                    "alice ZRX": zrx("-140"), "alice WETH": weth("0.14"),
                    "alice ZRX allowance": zrx("-140"),
                    "dave ZRX": zrx("140"), "dave WETH": weth("-0.14"),
                    "dave WETH allowance": weth("-0.14"),
                ],
                since: before,
                by: cancelled,
                late
            )
        }
    }

    @Test("several orders are cancelled by one transaction, but for one that expires meanwhile")
    func several() async throws {
        try await EVMStage.run(scene) { stage in
            let short = try await stage.ask(by: .alice, expires: 1_000)
            let long = try await stage.ask(by: .alice)
            let bid = try await stage.post(by: .bob, sells: (weth, "0.1"), wants: (zrx, "110"))
            let before = try stage.ledger()
            try stage.atNextSend(time: short.expiry)
            let cancelled = try await stage.dex(.alice, "cancel --pair ZRX/WETH", exit: 14)
            #expect(cancelled.transactions == ["cancel mined"])
            let ends = try cancelled.data.list("orders").reduce(into: [String: JSONValue]()) {
                $0[try $1.text("orderHash")] = $1.at("status")
            }
            #expect(ends == [short.hash.hex: "expired-before", long.hash.hex: "cancelled"])
            #expect(try stage.amount("cancelled", of: short.hash.hex) == 0)
            #expect(try stage.amount("cancelled", of: long.hash.hex) == weth("0.1"))
            #expect(try stage.amount("cancelled", of: bid.hash.hex) == 0)
            try stage.expect([:], since: before, by: cancelled)
        }
    }

    @Test("a cancel that the base fee holds back exits 12, and says that the order can be filled")
    func cancelPending() async throws {
        var scene = scene
        scene.receiptTimeout = 1
        try await EVMStage.run(scene) { stage in
            let order = try await stage.ask(by: .alice)
            let before = try stage.ledger()
            stage.hooks.before("eth_sendRawTransaction") { [node = stage.node] in
                try node.call("evm_setAutomine", false)
            }
            stage.hooks.after("eth_sendRawTransaction") { [node = stage.node] in
                try node.call("hardhat_setNextBlockBaseFeePerGas", "0x4a817c800")
                try node.call("evm_mine")
            }
            let waiting = try await stage.dex(
                .alice,
                "cancel \(order.hash.hex)",
                exit: 12,
                code: "not-mined-yet"
            )
            #expect(waiting.transactions == ["cancel pending"])
            #expect(waiting.data.at("orders.0.status") == "unchanged")
            #expect(waiting.warnings.contains { $0.contains("can still be filled") })
            try stage.expect([:], since: before, by: waiting)
            #expect(try stage.amount("cancelled", of: order.hash.hex) == 0)
        }
    }

    @Test(
        "an order beyond the balance is refused by dex, and by the relay where dex is told not to"
    )
    func unfundedOrder() async throws {
        try await EVMStage.run(scene) { stage in
            let before = try stage.ledger()
            let order = ["place-limit", "sell", "ZRX/WETH", "10000.000000000000000001"]
            let price = ["--price", "0.001"]
            _ = try await stage.dex(
                .alice,
                arguments: order + price,
                exit: 6,
                code: "insufficient-balance"
            )
            try stage.expect([:], since: before)
            let refused = try await stage.dex(
                .alice,
                arguments: order + price + ["--allow-unfunded"],
                exit: 7,
                code: "relay-refused"
            )
            // The relay has seen the signature, so it can be made worthless.
            let hint = try refused.error.text("hint")
            let hash = String(try #require(hint.firstMatch(of: /0x[0-9a-f]{64}/)).output)
            let cancelled = try await stage.dex(.alice, "cancel \(hash)")
            #expect(cancelled.data.at("orders.0.status") == "cancelled")
            let wanted = try stage.amount("cancelled", of: hash)
            #expect(wanted == (try weth("10.000000000000000001")))
            #expect(refused.transactions == ["approve mined"])
            try stage.expect(
                ["alice ZRX allowance": zrx("9000.000000000000000001")],
                since: before,
                by: refused,
                cancelled
            )
        }
    }

    @Test("the approval of an order covers the account's other open orders with it")
    func secondOrder() async throws {
        try await EVMStage.run { stage in
            let before = try stage.ledger()
            let order = ["place-limit", "sell", "ZRX/WETH"]
            let first = try await stage.dex(.alice, arguments: order + ["70", "--price", "0.001"])
            let second = try await stage.dex(.alice, arguments: order + ["50", "--price", "0.002"])
            #expect(first.transactions == ["approve mined"])
            #expect(second.transactions == ["approve mined"])
            try stage.expect(
                ["alice ZRX allowance": zrx("120")],
                since: before,
                by: first,
                second
            )
            // Both can be taken to the last unit.
            let between = try stage.ledger()
            let bought = try await stage.dex(.dave, "market-buy ZRX/WETH 120 --allow-high-impact")
            #expect(bought.outcomes == ["filled", "filled"])
            try stage.expect(
                [
                    "alice ZRX": zrx("-120"), "alice WETH": weth("0.17"),
                    "alice ZRX allowance": zrx("-120"),
                    "dave ZRX": zrx("120"), "dave WETH": weth("-0.17"),
                    "dave WETH allowance": weth("-0.17"),
                ],
                since: between,
                by: bought
            )
        }
    }
}
