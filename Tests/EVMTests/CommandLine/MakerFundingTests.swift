import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Balances and allowances of makers that are short.
@Suite("Makers that cannot pay, on an EVM", .serialized)
struct MakerFundingTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let scene = Scene.aliceApproved(.weth)

    @Test("a maker who moved its tokens away is refused before a signature, and skipped behind it")
    func makerBalance() async throws {
        try await EVMStage.run(scene) { stage in
            let order = try await stage.ask()
            var before = try stage.ledger()
            stage.overtake(
                with: try await stage.transfer(
                    zrx,
                    "9900.000000000000000001",
                    from: .bob,
                    to: .carol
                )
            )
            let late = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 14,
                code: "filled-less"
            )
            #expect(
                late.outcomes == ["skipped: the maker's or taker's balance or allowance was short"]
            )
            let moved = try zrx("9900.000000000000000001")
            try stage.expect(["bob ZRX": -moved, "carol ZRX": moved], since: before, by: late)

            // One base unit is missing: the book offers the rest.
            before = try stage.ledger()
            let book = try await stage.dex(.alice, "orderbook ZRX/WETH")
            #expect(book.data.at("asks.0.flags") == ["partly-funded"])
            let rest = try zrx("99.999999999999999999")
            #expect(try book.raw("asks.0.fillable") <= rest)
            try stage.send(try await stage.transfer(zrx, "0.5", from: .bob, to: .carol))
            before = try stage.ledger()
            _ = try await stage.dex(.alice, "market-buy ZRX/WETH 100", exit: 6, code: "thin-book")
            let bought = try await stage.dex(.alice, "market-buy ZRX/WETH 40")
            #expect(bought.outcomes == ["filled"])
            try stage.expect(
                [
                    "alice ZRX": zrx("40"), "alice WETH": weth("-0.04"),
                    "alice WETH allowance": weth("-0.04"),
                    "bob ZRX": zrx("-40"), "bob WETH": weth("0.04"),
                    "bob ZRX allowance": zrx("-40"),
                ],
                since: before,
                by: bought
            )
            try stage.send(
                try await stage.transfer(zrx, "59.499999999999999999", from: .bob, to: .carol)
            )
            before = try stage.ledger()
            _ = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 6,
                code: "order-unfunded"
            )
            _ = try await stage.dex(.alice, "market-buy ZRX/WETH 1", exit: 6, code: "no-liquidity")
            try stage.expect([:], since: before)
        }
    }

    @Test(
        "a maker who took its allowance back is refused before a signature, and skipped behind it"
    )
    func makerAllowance() async throws {
        try await EVMStage.run(scene) { stage in
            let order = try await stage.ask()
            var before = try stage.ledger()
            stage.overtake(with: try await stage.approve(zrx, "99", by: .bob))
            let late = try await stage.dex(
                .alice,
                "market-buy ZRX/WETH 100",
                exit: 14,
                code: "filled-less"
            )
            #expect(
                late.outcomes == ["skipped: the maker's or taker's balance or allowance was short"]
            )
            try stage.expect(["bob ZRX allowance": zrx("-999901")], since: before, by: late)
            try stage.send(try await stage.approve(zrx, "0", by: .bob))
            before = try stage.ledger()
            _ = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 6,
                code: "order-unfunded"
            )
            let shown = try await stage.dex(nil, "order \(order.hash.hex)")
            #expect(shown.data.at("status") == "unfunded")
            try stage.expect([:], since: before)
        }
    }

    @Test("orders of one maker share its balance")
    func sharedBalance() async throws {
        var scene = scene
        scene.balances[.init(.bob, zrx)] = "150"
        try await EVMStage.run(scene) { stage in
            _ = try await stage.ask()
            _ = try await stage.post(by: .bob, sells: (zrx, "100"), wants: (weth, "0.1001"))
            let before = try stage.ledger()
            let book = try await stage.dex(.alice, "orderbook ZRX/WETH")
            #expect(
                try book.data.list("asks").map { try $0.raw("fillable") }
                    == [zrx("100"), zrx("50")]
            )
            _ = try await stage.dex(.alice, "market-buy ZRX/WETH 151", exit: 6, code: "thin-book")
            let bought = try await stage.dex(.alice, "market-buy ZRX/WETH 150")
            #expect(bought.outcomes == ["filled", "filled"])
            let paid = try weth("0.15005")
            #expect(try bought.raw("outcome.paid") == paid)
            try stage.expect(
                [
                    "alice ZRX": zrx("150"), "alice WETH": -paid, "alice WETH allowance": -paid,
                    "bob ZRX": zrx("-150"), "bob WETH": paid, "bob ZRX allowance": zrx("-150"),
                ],
                since: before,
                by: bought
            )
        }
    }
}
