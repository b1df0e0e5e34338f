import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// The same to a sale: bids that go between the plan and the block.
@Suite("Sales that come too late, on an EVM", .serialized)
struct LateSaleTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let scene = Scene.aliceApproved(.zrx)

    /// Buys 100 ZRX.
    private func bid(
        _ stage: EVMStage,
        by maker: Party,
        gives total: String
    ) async throws -> any SignedOrder {
        try await stage.post(by: maker, sells: (weth, total), wants: (zrx, "100"))
    }

    @Test("a sale of three bids: one expires, one is cut short, one is whole, a backup steps in")
    func mixed() async throws {
        try await EVMStage.run(scene) { stage in
            let expiring = try await stage.post(
                by: .bob,
                sells: (weth, "0.1003"),
                wants: (zrx, "100"),
                expires: 1_000
            )
            let partly = try await bid(stage, by: .carol, gives: "0.1002")
            let whole = try await bid(stage, by: .bob, gives: "0.1001")
            _ = try await bid(stage, by: .carol, gives: "0.1")
            let before = try stage.ledger()
            try stage.atNextSend(time: expiring.expiry)
            stage.overtake(with: try await stage.fill(partly, by: .dave, paying: zrx.raw("60")))
            let sold = try await stage.dex(
                .alice,
                "market-sell ZRX/WETH 250",
                exit: 14,
                code: "filled-less"
            )
            #expect(
                sold.outcomes == [
                    "skipped: it had expired",
                    "partly-filled: others had filled a part of it before", "filled", "filled",
                ]
            )
            #expect(sold.data.at("outcome.orders.2.orderHash") == .string(whole.hash.hex))
            // 40 for 0.04008, 100 for 0.1001, 100 for 0.1; nobody is there for the last 10.
            #expect(try sold.raw("outcome.paid") == zrx("240"))
            #expect(try sold.raw("outcome.received") == weth("0.24018"))
            #expect(sold.data.at("outcome.effectivePrice") == "0.00100075")
            try stage.expect(
                [
                    "alice ZRX": zrx("-240"), "alice WETH": weth("0.24018"),
                    "alice ZRX allowance": zrx("-240"),
                    "dave ZRX": zrx("-60"), "dave WETH": weth("0.06012"),
                    "dave ZRX allowance": zrx("-60"),
                    "carol ZRX": zrx("200"), "carol WETH": weth("-0.2002"),
                    "carol WETH allowance": weth("-0.2002"),
                    "bob ZRX": zrx("100"), "bob WETH": weth("-0.1001"),
                    "bob WETH allowance": weth("-0.1001"),
                ],
                since: before,
                by: sold
            )
        }
    }

    @Test("a sale without the token or its allowance is refused or approves exactly what is sold")
    func seller() async throws {
        var scene = Scene()
        scene.balances[.init(.alice, zrx)] = "30"
        try await EVMStage.run(scene) { stage in
            _ = try await bid(stage, by: .bob, gives: "0.1")
            var before = try stage.ledger()
            let poor = try await stage.dex(
                .alice,
                "market-sell ZRX/WETH 30.000000000000000001",
                exit: 6,
                code: "insufficient-balance"
            )
            #expect(poor.transactions == [])
            try stage.expect([:], since: before, by: poor)
            // The maker's allowance goes behind the approval.
            stage.overtake(2, with: try await stage.approve(weth, "0", by: .bob))
            let late = try await stage.dex(
                .alice,
                "market-sell ZRX/WETH 30",
                exit: 14,
                code: "filled-less"
            )
            #expect(late.transactions == ["approve mined", "fill mined"])
            #expect(
                late.outcomes == ["skipped: the maker's or taker's balance or allowance was short"]
            )
            try stage.expect(
                ["alice ZRX allowance": zrx("30"), "bob WETH allowance": weth("-1000000")],
                since: before,
                by: late
            )
            try stage.send(try await stage.approve(weth, "0.03", by: .bob))
            before = try stage.ledger()
            let sold = try await stage.dex(.alice, "market-sell ZRX/WETH 30")
            #expect(sold.transactions == ["fill mined"])
            try stage.expect(
                [
                    "alice ZRX": zrx("-30"), "alice WETH": weth("0.03"),
                    "alice ZRX allowance": zrx("-30"),
                    "bob ZRX": zrx("30"), "bob WETH": weth("-0.03"),
                    "bob WETH allowance": weth("-0.03"),
                ],
                since: before,
                by: sold
            )
        }
    }
}
