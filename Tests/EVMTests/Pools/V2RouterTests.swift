import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Trades on chains whose SwapRouter02 knows another v2 factory: v2 Router02 reaches their pairs.
@Suite("Trades by Uniswap's v2 Router02 on an EVM", .serialized)
struct V2RouterTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let dai = EVMToken.dai

    private static let sale = ["market-sell", "ZRX/WETH", "10", "--via", "pools"]

    /// A v2 pair that is twice as good as the v3 pool, which SwapRouter02 does not reach.
    private func apart(_ scene: inout Scene) throws {
        scene.uniswap?.allowances = [.zrx: "100"]
        scene.uniswap?.routerV2Factory = .zero
        scene.uniswap?.pools.append(try EVMUniswapPool((.zrx, "1000000"), (.weth, "2000")))
    }

    @Test("a sale approves v2 Router02, exactly, and sells to the pair; the history has it")
    func sale() async throws {
        try await EVMStage.pooling(apart) { stage, pools in
            var pair = pools[2]
            let before = try stage.ledger()
            let paid = try Int128(base: pair.sell(zrx, zrx.raw("10")))
            let sold = try await stage.dex(.alice, arguments: Self.sale)
            #expect(sold.transactions == ["approve mined", "swap mined"])
            #expect(try sold.raw("plan.receive.expected") == paid)
            #expect(try sold.raw("outcome.received") == paid)
            try stage.expect(
                [
                    "alice ZRX": zrx("-10"), "alice WETH": paid,
                    "ZRX/WETH pair ZRX": zrx("10"), "ZRX/WETH pair WETH": -paid,
                ],
                since: before,
                by: sold
            )
            let hash = try sold.text("transactions.-1.hash")
            let history = try await stage.dex(.alice, "history list")
            let trade = try #require(try history.data.list("trades").first)
            #expect(try trade.text("transaction") == hash)
            #expect(try trade.raw("quoteAmount") == paid)
            let status = try await stage.dex(.alice, "status \(hash)")
            #expect(try status.raw("fills.0.received") == paid)
        }
    }

    @Test("ether in and out, and over two pairs, to the wei")
    func coin() async throws {
        try await EVMStage.pooling {
            try apart(&$0)
            $0.uniswap?.pools.append(try EVMUniswapPool((.dai, "10000000"), (.weth, "4100")))
            // v3 has no better way.
            $0.uniswap?.pools.removeSubrange(0...1)
        } _: { stage, pools in
            var (zrxPair, daiPair) = (pools[0], pools[1])
            var before = try stage.ledger()
            let got = try Int128(base: zrxPair.sell(weth, weth.raw("0.1")))
            let bought = try await stage.dex(
                .alice,
                "market-buy ZRX/ETH --spend 0.1 --via pools --allow-unchecked-price"
            )
            #expect(bought.transactions == ["swap mined"])
            try stage.expect(
                [
                    "alice ETH": weth("-0.1"), "alice ZRX": got, "WETH contract ETH": weth("0.1"),
                    "ZRX/WETH pair ZRX": -got, "ZRX/WETH pair WETH": weth("0.1"),
                ],
                since: before,
                by: bought
            )
            before = try stage.ledger()
            let paid = try Int128(base: zrxPair.sell(zrx, zrx.raw("50")))
            let sold = try await stage.dex(
                .alice,
                "market-sell ZRX/ETH 50 --via pools --allow-unchecked-price"
            )
            #expect(sold.transactions == ["approve mined", "swap mined"])
            try stage.expect(
                [
                    "alice ZRX": zrx("-50"), "alice ETH": paid, "WETH contract ETH": -paid,
                    "ZRX/WETH pair ZRX": zrx("50"), "ZRX/WETH pair WETH": -paid,
                ],
                since: before,
                by: sold
            )
            before = try stage.ledger()
            let middle = try zrxPair.sell(zrx, zrx.raw("20"))
            let last = try Int128(base: daiPair.sell(weth, middle))
            let hops = try await stage.dex(
                .alice,
                "market-sell ZRX/DAI 20 --via pools --allow-unchecked-price"
            )
            #expect(try hops.raw("outcome.received") == last)
        }
    }

    @Test("of a fixed purchase the pairs are proven only of the chain's main tokens")
    func purchase() async throws {
        try await EVMStage.pooling {
            try apart(&$0)
            $0.uniswap?.allowances[.weth] = "10"
            $0.uniswap?.pools.append(try EVMUniswapPool((.dai, "10000000"), (.weth, "4100")))
            $0.uniswap?.pools.removeSubrange(0...1)
        } _: { stage, pools in
            let before = try stage.ledger()
            let words = ["--via", "pools", "--allow-unchecked-price"]
            let refused = try await stage.dex(
                .alice,
                arguments: ["market-buy", "ZRX/WETH", "10"] + words,
                exit: 6,
                code: "exact-in-only"
            )
            try stage.expect([:], since: before, by: refused)
            var pair = pools[1]
            let cost = try Int128(base: pair.buy(dai, dai.raw("500")))
            let bought = try await stage.dex(
                .alice,
                arguments: ["market-buy", "DAI/WETH", "500"] + words
            )
            #expect(bought.transactions == ["approve mined", "swap mined"])
            #expect(try bought.raw("outcome.received") == dai("500"))
            #expect(try bought.raw("outcome.paid") == cost)
        }
    }

    @Test("a v2 Router02 of another factory or coin is not used: v3's pool is")
    func strange() async throws {
        try await EVMStage.pooling(apart) { stage, pools in
            var pool = pools[0]
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            for function in ["factory()", "WETH()"] {
                for answer in [PoolScene.provider.word.bytes, [], [1]] {
                    stage.hooks.answer(
                        call: PoolScene.v2Router,
                        stage.call(function),
                        with: answer
                    )
                    let run = try await stage.dex(
                        .alice,
                        // The pair that is out of reach is the reference, and twice as good.
                        arguments: Self.sale + ["--allow-high-impact", "--dry-run"],
                        exit: 30
                    )
                    #expect(try run.raw("plan.receive.expected") == paid)
                    stage.hooks.forgetCalls()
                }
            }
        }
    }

    @Test("it is mined after its deadline: only gas is lost, and the reason is told")
    func late() async throws {
        try await EVMStage.pooling {
            try apart(&$0)
            $0.uniswap?.pools.removeSubrange(0...1)
        } _: { stage, _ in
            let before = try stage.ledger()
            // Ether needs no approval, so the next send is the trade.
            let sale = [
                "market-sell", "ETH/ZRX", "0.1", "--via", "pools", "--allow-unchecked-price",
            ]
            try stage.atNextSend(time: UInt256(Scene.now + 1_000))
            let run = try await stage.dex(.alice, arguments: sale, exit: 11)
            #expect(run.transactions == ["swap reverted"])
            #expect(run.error.text.contains("UniswapV2Router: EXPIRED"), "\(run.error.text)")
            try stage.expect([:], since: before, by: run)
        }
    }

    @Test("a token of no list that keeps 1 %: what arrives is measured, and the minimum holds")
    func feeToken() async throws {
        let tax = EVMToken(
            symbol: "TAX",
            name: "TAX token",
            decimals: 18,
            kind: "fee",
            address: Address(truncating: (UInt256(0x7e57_0000) << 128 + UInt256(2)).word),
            fee: 10_000
        )
        try await EVMStage.pooling {
            $0.tokens.append(tax)
            $0.uniswap?.routerV2Factory = .zero
            $0.uniswap?.pools = [try EVMUniswapPool((tax, "1000"), (.weth, "1000"))]
        } _: { stage, pools in
            let words = ["--via", "pools", "--allow-unchecked-price"]
            let sale = ["market-sell", "ETH/\(tax.address.checksummed)", "1"] + words
            let before = try stage.ledger()
            let kept = try await stage.dex(
                .alice,
                arguments: sale,
                exit: 10,
                code: "would-revert"
            )
            try stage.expect([:], since: before, by: kept)
            var pool = pools[0]
            let out = try pool.sell(weth, weth.raw("1"))
            let whole = try Int128(base: out)
            let arrived = whole - whole * 10_000 / 1_000_000
            let sold = try await stage.dex(.alice, arguments: sale + ["--slippage", "1.5"])
            #expect(try abs(sold.raw("outcome.received") - arrived) <= 1)
            // And back: the pair sees what came.
            let back = try await stage.dex(
                .alice,
                arguments: ["market-sell", "\(tax.address.checksummed)/WETH", "0.5"] + words
                    + ["--slippage", "1.5"]
            )
            #expect(back.transactions == ["approve mined", "swap mined"])
            #expect(try back.raw("plan.receive.min") <= back.raw("outcome.received"))
        }
    }
}
