import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// What may become of an order between the plan and the block.
@Suite("Fills that come too late, on an EVM", .serialized)
struct LateFillTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let scene = Scene.aliceApproved(.weth)

    @Test("an order is filled until the second before it expires, and not at that second")
    func expiresMeanwhile() async throws {
        try await EVMStage.run(scene) { stage in
            let first = try await stage.ask(expires: 1_000)
            let second = try await stage.ask(expires: 2_000)
            let before = try stage.ledger()
            try stage.atNextSend(time: first.expiry - 1)
            let filled = try await stage.dex(.alice, "fill \(first.hash.hex)")
            #expect(filled.outcomes == ["filled"])
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
            let between = try stage.ledger()
            try stage.atNextSend(time: second.expiry)
            let late = try await stage.dex(
                .alice,
                "fill \(second.hash.hex)",
                exit: 14,
                code: "filled-less"
            )
            #expect(late.transactions == ["fill mined"])
            #expect(late.outcomes == ["skipped: it had expired"])
            #expect(try late.raw("outcome.received") == 0)
            #expect(try late.raw("outcome.paid") == 0)
            #expect(late.data.at("outcome.effectivePrice").isNull)
            try stage.expect([:], since: between, by: late)
            let status = try await stage.dex(
                nil,
                arguments: ["status", late.text("transactions.0.hash")],
                exit: 14
            )
            #expect(status.data.at("status") == "mined")
            #expect(
                try status.data.list("skipped") == [
                    ["orderHash": .string(second.hash.hex), "reason": "expired"]
                ]
            )
        }
    }

    @Test("an order that had expired on chain is neither shown nor taken")
    func expiredBefore() async throws {
        try await EVMStage.run(scene) { stage in
            let order = try await stage.ask(expires: 1_000)
            try stage.node.call(
                "evm_setNextBlockTimestamp",
                .string(order.expiry.quantity)
            )
            try stage.node.call("evm_mine")
            let before = try stage.ledger()
            let hash = order.hash.hex
            _ = try await stage.dex(.alice, "fill \(hash)", exit: 6, code: "order-expired")
            _ = try await stage.dex(.alice, "market-buy ZRX/WETH 1", exit: 6, code: "no-liquidity")
            let book = try await stage.dex(.alice, "orderbook ZRX/WETH")
            #expect(try book.data.list("asks") == [])
            #expect(book.data.at("dropped.0.code") == "expired")
            let status = try await stage.dex(nil, "order \(hash)")
            #expect(status.data.at("status") == "expired")
            let nothing = try await stage.dex(.bob, "cancel \(hash)")
            #expect(nothing.data.at("closed.0.status") == "expired")
            try stage.expect([:], since: before)
        }
    }

    @Test("an order that another fills first costs its gas and nothing else")
    func takenMeanwhile() async throws {
        try await EVMStage.run(scene) { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            stage.overtake(with: try await stage.fill(order, by: .dave, paying: weth.raw("0.1")))
            let late = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 14,
                code: "filled-less"
            )
            #expect(late.transactions == ["fill mined"])
            #expect(late.outcomes == ["skipped: it was filled or cancelled before"])
            let mined = try stage.mined(since: before)
            #expect(mined.map(\.sender) == [try Party.dave.address, try Party.alice.address])
            #expect(Set(mined.map(\.block)).count == 1, "both are in one block")
            try stage.expect(
                [
                    "dave ZRX": zrx("100"), "dave WETH": weth("-0.1"),
                    "dave WETH allowance": weth("-0.1"),
                    "bob ZRX": zrx("-100"), "bob WETH": weth("0.1"),
                    "bob ZRX allowance": zrx("-100"),
                ],
                since: before,
                by: late
            )
        }
    }

    @Test("an order that another fills in part first brings the rest, after an exact approval")
    func partlyTakenMeanwhile() async throws {
        try await EVMStage.run { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            // The approval is the first transaction.
            let raw = try await stage.fill(order, by: .dave, paying: weth.raw("0.08"))
            stage.overtake(2, with: raw)
            let late = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 14,
                code: "filled-less"
            )
            #expect(late.transactions == ["approve mined", "fill mined"])
            #expect(late.outcomes == ["partly-filled: others had filled a part of it before"])
            #expect(try late.raw("outcome.received") == zrx("20"))
            #expect(try late.raw("outcome.paid") == weth("0.02"))
            #expect(late.data.at("outcome.effectivePrice") == "0.001")
            try stage.expect(
                [
                    "alice ZRX": zrx("20"), "alice WETH": weth("-0.02"),
                    // What was approved and not used stays.
                    "alice WETH allowance": weth("0.08"),
                    "dave ZRX": zrx("80"), "dave WETH": weth("-0.08"),
                    "dave WETH allowance": weth("-0.08"),
                    "bob ZRX": zrx("-100"), "bob WETH": weth("0.1"),
                    "bob ZRX allowance": zrx("-100"),
                ],
                since: before,
                by: late
            )
        }
    }

    @Test("a market order moves on to its backups, at the price that was shown as the worst")
    func backups() async throws {
        try await EVMStage.run(scene) { stage in
            let best = try await stage.ask()
            let next = try await stage.ask(by: .carol, wants: "0.1002")
            let before = try stage.ledger()
            stage.overtake(with: try await stage.fill(best, by: .dave, paying: weth.raw("0.1")))
            let late = try await stage.dex(.alice, "market-buy ZRX/WETH 100")
            #expect(late.data.at("plan.skipsGoneOrders") == true)
            #expect(
                try late.data.list("plan.orders").map { $0.at("spare") } == [false, true]
            )
            #expect(late.data.at("plan.prices.worst") == "0.001002")
            #expect(late.outcomes == ["skipped: it was filled or cancelled before", "filled"])
            #expect(late.data.at("outcome.orders.1.orderHash") == .string(next.hash.hex))
            // 0.1 / 0.001002, rounded down as the contract does.
            let received: Int128 = 99_800_399_201_596_806_387
            #expect(try late.raw("outcome.received") == received)
            #expect(try late.raw("outcome.paid") == weth("0.1"))
            #expect(try late.raw("plan.receive.expected") == zrx("100"))
            #expect(try late.raw("plan.receive.min") <= received)
            try stage.expect(
                [
                    "alice ZRX": received, "alice WETH": weth("-0.1"),
                    "alice WETH allowance": weth("-0.1"),
                    "carol ZRX": -received, "carol WETH": weth("0.1"),
                    "carol ZRX allowance": -received,
                    "dave ZRX": zrx("100"), "dave WETH": weth("-0.1"),
                    "dave WETH allowance": weth("-0.1"),
                    "bob ZRX": zrx("-100"), "bob WETH": weth("0.1"),
                    "bob ZRX allowance": zrx("-100"),
                ],
                since: before,
                by: late
            )
        }
    }

    @Test("a cancelled order is refused before a signature, and skipped behind it")
    func cancelled() async throws {
        try await EVMStage.run(scene) { stage in
            let gone = try await stage.ask()
            let next = try await stage.ask()
            try stage.send(try await stage.cancel(gone, by: .bob))
            let before = try stage.ledger()
            _ = try await stage.dex(
                .alice,
                "fill \(gone.hash.hex)",
                exit: 6,
                code: "order-cancelled"
            )
            let book = try await stage.dex(.alice, "orderbook ZRX/WETH")
            #expect(try book.data.list("asks").count == 1)
            #expect(book.data.at("dropped.0.code") == "filled-or-cancelled")
            stage.overtake(with: try await stage.cancel(next, by: .bob))
            let late = try await stage.dex(
                .alice,
                "market-buy ZRX/WETH 100",
                exit: 14,
                code: "filled-less"
            )
            #expect(late.outcomes == ["skipped: it was filled or cancelled before"])
            #expect(late.warnings.contains { $0.contains("filled nothing") })
            try stage.expect([:], since: before, by: late)
            #expect(try stage.amount("cancelled", of: next.hash.hex) == weth("0.1"))
        }
    }

    @Test("an order that goes right before the last look ends with 6, and nothing is signed")
    func goneBeforeTheSignature() async throws {
        try await EVMStage.run(scene) { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            let raw = try await stage.fill(order, by: .dave, paying: weth.raw("0.1"))
            // Estimated with the plan, and once more right before signing.
            stage.hooks.before("eth_estimateGas", number: 2) { try stage.send(raw) }
            let late = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 6,
                code: "order-filled"
            )
            #expect(late.transactions == [])
            #expect(!stage.front.methods.contains("eth_sendRawTransaction"))
            try stage.expect(
                [
                    "dave ZRX": zrx("100"), "dave WETH": weth("-0.1"),
                    "dave WETH allowance": weth("-0.1"),
                    "bob ZRX": zrx("-100"), "bob WETH": weth("0.1"),
                    "bob ZRX allowance": zrx("-100"),
                ],
                since: before,
                by: late
            )
        }
    }
}
