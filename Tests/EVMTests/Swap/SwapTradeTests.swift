import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// The built `dex` trades at a Swap API that shares no code with it, on an EVM.
@Suite("Trades at a Swap API on an EVM", .serialized)
struct SwapTradeTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let dai = EVMToken.dai

    @Test("a sale approves exactly what it sells, asks again, and brings what the pool pays")
    func sale() async throws {
        try await EVMStage.swapping { stage, pool, _ in
            var pool = pool
            let before = try stage.ledger()
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            let sold = try await stage.dex(.alice, "market-sell ZRX/WETH 10 --via swap")
            #expect(sold.transactions == ["approve mined", "swap mined"])
            #expect(sold.data.at("plan.venue") == "swap")
            #expect(try sold.raw("plan.receive.expected") == paid)
            #expect(try sold.raw("outcome.received") == paid)
            #expect(try sold.raw("outcome.paid") == zrx("10"))
            try stage.expect(
                [
                    "alice ZRX": zrx("-10"), "alice WETH": paid,
                    "ZRX/WETH pool ZRX": zrx("10"), "ZRX/WETH pool WETH": -paid,
                ],
                since: before,
                by: sold
            )
        }
    }

    @Test("a sale with an allowance is one transaction, and uses only its part of it")
    func allowed() async throws {
        try await EVMStage.swapping { scene in
            scene.swap?.allowances[.holder] = [.zrx: "1000"]
        } _: { stage, pool, _ in
            var pool = pool
            for _ in 1...2 {
                let before = try stage.ledger()
                let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
                let sold = try await stage.dex(.alice, "market-sell ZRX/WETH 10 --via swap")
                #expect(sold.transactions == ["swap mined"])
                #expect(try sold.raw("outcome.received") == paid)
                try stage.expect(
                    [
                        "alice ZRX": zrx("-10"), "alice ZRX holder allowance": zrx("-10"),
                        "alice WETH": paid,
                        "ZRX/WETH pool ZRX": zrx("10"), "ZRX/WETH pool WETH": -paid,
                    ],
                    since: before,
                    by: sold
                )
            }
        }
    }

    @Test(
        "a purchase brings exactly what was asked for, and the rest comes back",
        arguments: [
            false, true,
        ]
    )
    func purchase(byPermit: Bool) async throws {
        try await EVMStage.swapping { stage, pool, _ in
            var pool = pool
            let before = try stage.ledger()
            let words = ["market-buy", "ZRX/WETH", "100", "--via", "swap"]
            let bought = try await stage.dex(
                .alice,
                arguments: words + (byPermit ? ["--permit2"] : [])
            )
            #expect(bought.transactions == ["approve mined", "swap mined"])
            #expect(bought.data.at("plan.venue") == "swap")
            let maximum = try stage.maximumSold(bought, byPermit: byPermit)
            let wanted = try zrx.raw("100")
            let out = try pool.sell(weth, maximum)
            let back = try pool.sell(zrx, out - wanted)
            let spent = try Int128(base: maximum - back)
            // What was approved was confirmed; the quote after it asks for a little less.
            let left = try bought.raw("plan.pay.max") - Int128(base: maximum)
            #expect(left >= 0 && left < spent / 10_000)
            let spender = byPermit ? "permit2" : "holder"
            #expect(try bought.raw("outcome.received") == zrx("100"))
            #expect(try bought.raw("outcome.paid") == spent)
            try stage.expect(
                [
                    "alice ZRX": zrx("100"), "alice WETH": -spent,
                    "alice WETH \(spender) allowance": left,
                    "ZRX/WETH pool ZRX": zrx("-100"), "ZRX/WETH pool WETH": spent,
                ],
                since: before,
                by: bought
            )
        }
    }

    @Test("ether is what arrives, what is sold, and what is bought to the last wei")
    func ether() async throws {
        try await EVMStage.swapping { stage, zrxPool, daiPool in
            var (zrxPool, daiPool) = (zrxPool, daiPool)
            var before = try stage.ledger()
            var paid = try Int128(base: zrxPool.sell(zrx, zrx.raw("10")))
            let sold = try await stage.dex(.alice, "market-sell ZRX/ETH 10 --via swap")
            #expect(sold.transactions == ["approve mined", "swap mined"])
            #expect(try sold.raw("outcome.received") == paid)
            try stage.expect(
                [
                    "alice ZRX": zrx("-10"), "alice ETH": paid, "WETH contract ETH": -paid,
                    "ZRX/WETH pool ZRX": zrx("10"), "ZRX/WETH pool WETH": -paid,
                ],
                since: before,
                by: sold
            )

            before = try stage.ledger()
            paid = try Int128(base: daiPool.sell(weth, weth.raw("1")))
            let spent = try await stage.dex(
                .alice,
                "market-sell ETH/DAI 1 --via swap --allow-unchecked-price"
            )
            #expect(spent.transactions == ["swap mined"])
            #expect(try spent.raw("outcome.received") == paid)
            #expect(try spent.raw("outcome.paid") == weth("1"))
            try stage.expect(
                [
                    "alice ETH": weth("-1"), "alice DAI": paid, "WETH contract ETH": weth("1"),
                    "WETH/DAI pool WETH": weth("1"), "WETH/DAI pool DAI": -paid,
                ],
                since: before,
                by: spent
            )

            before = try stage.ledger()
            let bought = try await stage.dex(
                .alice,
                "market-buy ETH/DAI 1 --via swap --allow-unchecked-price"
            )
            let maximum = try stage.maximumSold(bought)
            let left = try bought.raw("plan.pay.max") - Int128(base: maximum)
            let out = try daiPool.sell(dai, maximum)
            let back = try daiPool.sell(weth, out - weth.raw("1"))
            let cost = try Int128(base: maximum - back)
            #expect(try bought.raw("outcome.received") == weth("1"))
            #expect(try bought.raw("outcome.paid") == cost)
            try stage.expect(
                [
                    "alice ETH": weth("1"), "alice DAI": -cost,
                    "alice DAI holder allowance": left, "WETH contract ETH": weth("-1"),
                    "WETH/DAI pool WETH": weth("-1"), "WETH/DAI pool DAI": cost,
                ],
                since: before,
                by: bought
            )
        }
    }

    @Test("with --permit2 each sale signs a message of its own, which Permit2 takes")
    func permit() async throws {
        try await EVMStage.swapping { scene in
            scene.swap?.allowances[.permit2] = [.dai: "100000"]
        } _: { stage, zrxPool, daiPool in
            var (zrxPool, daiPool) = (zrxPool, daiPool)
            for _ in 1...2 {
                let before = try stage.ledger()
                let paid = try Int128(base: zrxPool.sell(zrx, zrx.raw("10")))
                let sold = try await stage.dex(.alice, "market-sell ZRX/WETH 10 --permit2")
                #expect(sold.transactions == ["approve mined", "swap mined"])
                #expect(sold.data.at("plan.venue") == "swap")
                try stage.expect(
                    [
                        "alice ZRX": zrx("-10"), "alice WETH": paid,
                        "ZRX/WETH pool ZRX": zrx("10"), "ZRX/WETH pool WETH": -paid,
                    ],
                    since: before,
                    by: sold
                )
            }
            let before = try stage.ledger()
            let paid = try Int128(base: daiPool.sell(dai, dai.raw("2500")))
            let sold = try await stage.dex(
                .alice,
                "market-sell DAI/ETH 2500 --permit2 --allow-unchecked-price"
            )
            #expect(sold.transactions == ["swap mined"])
            try stage.expect(
                [
                    "alice DAI": dai("-2500"), "alice DAI permit2 allowance": dai("-2500"),
                    "alice ETH": paid, "WETH contract ETH": -paid,
                    "WETH/DAI pool DAI": dai("2500"), "WETH/DAI pool WETH": -paid,
                ],
                since: before,
                by: sold
            )
        }
    }

    @Test("the better venue is taken: the pool beside a low bid, the book beside a high one")
    func better() async throws {
        try await EVMStage.swapping { stage, pool, _ in
            var pool = pool
            _ = try await stage.post(by: .bob, sells: (.weth, "0.05"), wants: (.zrx, "100"))
            var before = try stage.ledger()
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("100")))
            let swapped = try await stage.dex(.alice, "market-sell ZRX/WETH 100")
            #expect(swapped.data.at("plan.venue") == "swap")
            #expect(try swapped.data.list("plan.alternatives").count == 1)
            #expect(swapped.data.at("plan.alternatives.0.venue") == "book")
            try stage.expect(
                [
                    "alice ZRX": zrx("-100"), "alice WETH": paid,
                    "ZRX/WETH pool ZRX": zrx("100"), "ZRX/WETH pool WETH": -paid,
                ],
                since: before,
                by: swapped
            )
            _ = try await stage.post(by: .bob, sells: (.weth, "0.2"), wants: (.zrx, "100"))
            before = try stage.ledger()
            let filled = try await stage.dex(.alice, "market-sell ZRX/WETH 100")
            #expect(filled.data.at("plan.venue") == "book")
            #expect(filled.data.at("plan.alternatives.0.venue") == "swap")
            try stage.expect(
                [
                    "alice ZRX": zrx("-100"), "alice WETH": weth("0.2"),
                    "bob ZRX": zrx("100"), "bob WETH": weth("-0.2"),
                    "bob WETH allowance": weth("-0.2"),
                ],
                since: before,
                by: filled
            )
        }
    }

    @Test("a new deployment between two trades changes nothing: the registry is asked each time")
    func deployment() async throws {
        try await EVMStage.swapping { stage, pool, _ in
            var pool = pool
            _ = try pool.sell(zrx, zrx.raw("10"))
            _ = try await stage.dex(.alice, "market-sell ZRX/WETH 10 --via swap")
            let deployed = stage.call(
                "setCurrent(uint256,address)",
                UInt256(2).word,
                SwapScene.previousSettler.word
            )
            try stage.send(
                try await stage.transaction(by: .dave, to: SwapScene.registry, data: deployed)
            )
            let before = try stage.ledger()
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            let sold = try await stage.dex(.alice, "market-sell ZRX/WETH 10 --via swap")
            #expect(sold.transactions == ["approve mined", "swap mined"])
            try stage.expect(
                [
                    "alice ZRX": zrx("-10"), "alice WETH": paid,
                    "ZRX/WETH pool ZRX": zrx("10"), "ZRX/WETH pool WETH": -paid,
                ],
                since: before,
                by: sold
            )
        }
    }
}
