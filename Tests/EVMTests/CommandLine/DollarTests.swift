import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Dollars: with six decimals, behind a proxy, or with an approve of their own.
@Suite("USDT and USDC, on an EVM", .serialized)
struct DollarTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    // MARK: USDT

    @Test("USDT: an allowance that is not zero is set to zero before it is raised")
    func tether() async throws {
        let usdt = EVMToken.usdt
        var scene = Scene(with: usdt)
        scene.allowances[.init(.alice, usdt)] = "7"
        try await EVMStage.run(scene) { stage in
            _ = try await stage.post(by: .bob, sells: (weth, "2"), wants: (usdt, "5000"))
            let before = try stage.ledger()
            let planned = try await stage.dex(
                .alice,
                "market-buy WETH/USDT 0.5 --dry-run",
                exit: 30
            )
            #expect(
                try planned.data.list("plan.steps").map { $0.at("purpose") }
                    == ["reset-allowance", "approve", "fill"]
            )
            try stage.expect([:], since: before)
            let bought = try await stage.dex(.alice, "market-buy WETH/USDT 0.5")
            #expect(
                bought.transactions == ["reset-allowance mined", "approve mined", "fill mined"]
            )
            #expect(try bought.raw("outcome.paid") == usdt("1250"))
            #expect(try bought.raw("outcome.received") == weth("0.5"))
            try stage.expect(
                [
                    "alice WETH": weth("0.5"), "alice USDT": usdt("-1250"),
                    "alice USDT allowance": usdt("-7"),
                    "bob WETH": weth("-0.5"), "bob USDT": usdt("1250"),
                    "bob WETH allowance": weth("-0.5"),
                ],
                since: before,
                by: bought
            )
            // Its queries cost more than the exchange gives them, so they were announced.
            let fill = try stage.kind(of: bought.text("transactions.-1.hash"))
            #expect(fill.type == "0x2" && fill.slots > 0)
        }
    }

    @Test("USDT: an allowance of zero is raised at once, and an order can be sold for it")
    func tetherFromZero() async throws {
        let usdt = EVMToken.usdt
        try await EVMStage.run(Scene(with: usdt)) { stage in
            let before = try stage.ledger()
            let placed = try await stage.dex(.alice, "place-limit buy WETH/USDT 1 --price 2499.5")
            #expect(placed.transactions == ["approve mined"])
            #expect(placed.data.at("order.makerTokenAmount") == "2499500000")
            let sold = try await stage.dex(.dave, "market-sell WETH/USDT 1 --allow-unchecked-price")
            #expect(sold.transactions == ["fill mined"])
            #expect(try sold.raw("outcome.received") == usdt("2499.5"))
            try stage.expect(
                [
                    "alice WETH": weth("1"), "alice USDT": usdt("-2499.5"),
                    "dave WETH": weth("-1"), "dave USDT": usdt("2499.5"),
                    "dave WETH allowance": weth("-1"),
                ],
                since: before,
                by: placed,
                sold
            )
        }
    }

    @Test("USDT: an allowance that another wallet raises meanwhile is not raised again, exit 10")
    func tetherMeanwhile() async throws {
        let usdt = EVMToken.usdt
        try await EVMStage.run(Scene(with: usdt)) { stage in
            _ = try await stage.post(by: .bob, sells: (weth, "2"), wants: (usdt, "5000"))
            let before = try stage.ledger()
            let raw = try await stage.approve(usdt, "7", by: .alice)
            // Estimated with the plan, and once more right before signing.
            stage.hooks.before("eth_estimateGas", number: 2) { try stage.send(raw) }
            let stopped = try await stage.dex(
                .alice,
                "market-buy WETH/USDT 0.5",
                exit: 10,
                code: "would-revert"
            )
            #expect(stopped.transactions == [])
            #expect(!stage.front.methods.contains("eth_sendRawTransaction"))
            try stage.expect(["alice USDT allowance": usdt("7")], since: before, by: stopped)
            let bought = try await stage.dex(.alice, "market-buy WETH/USDT 0.5")
            #expect(
                bought.transactions == ["reset-allowance mined", "approve mined", "fill mined"]
            )
            #expect(try bought.raw("outcome.paid") == usdt("1250"))
        }
    }

    // MARK: 6 decimals, behind a proxy

    @Test("USDC: six decimals against eighteen, rounded against the one who fills")
    func sixDecimals() async throws {
        let usdc = EVMToken.usdc
        try await EVMStage.run(Scene(with: usdc)) { stage in
            _ = try await stage.post(
                by: .bob,
                sells: (weth, "1.234567890123456789"),
                wants: (usdc, "3086.419753")
            )
            let before = try stage.ledger()
            let bought = try await stage.dex(.alice, "market-buy WETH/USDC 0.1")
            // The dollars are rounded up, and bring a little more than what was asked for.
            let paid: Int128 = 250_000_003
            let received: Int128 = 100_000_000_302_799_989
            #expect(try bought.raw("outcome.paid") == paid)
            #expect(bought.data.at("outcome.paid.value") == "250.000003")
            #expect(try bought.raw("outcome.received") == received)
            #expect(bought.data.at("plan.skipsGoneOrders") == true)
            try stage.expect(
                [
                    "alice WETH": received, "alice USDC": -paid,
                    "bob WETH": -received, "bob USDC": paid, "bob WETH allowance": -received,
                ],
                since: before,
                by: bought
            )
            let fill = try stage.kind(of: bought.text("transactions.-1.hash"))
            #expect(fill.type == "0x2" && fill.slots > 0)

            // A price that no six decimals meet is rounded in the maker's favour.
            let placed = try await stage.dex(
                .carol,
                "place-limit buy WETH/USDC 0.333333333333333333 --price 2499.999999"
            )
            #expect(placed.data.at("order.makerTokenAmount") == "833333332")
            #expect(placed.data.at("order.takerTokenAmount") == "333333333333333333")
            #expect(placed.warnings.contains { $0.contains("rounded in your favour") })
            let between = try stage.ledger()
            let sold = try await stage.dex(.dave, "market-sell WETH/USDC 0.2")
            // 0.2 of it, rounded down: 499,999,999.6 base units.
            let got: Int128 = 499_999_999
            #expect(try sold.raw("outcome.received") == got)
            try stage.expect(
                [
                    "dave WETH": weth("-0.2"), "dave USDC": got,
                    "dave WETH allowance": weth("-0.2"),
                    "carol WETH": weth("0.2"), "carol USDC": -got,
                    "carol USDC allowance": -got,
                ],
                since: between,
                by: sold
            )
        }
    }
}
