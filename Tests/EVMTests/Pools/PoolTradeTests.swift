import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// The built `dex` trades at Uniswap's own contracts, with a node and nothing else.
@Suite("Trades at Uniswap's pools on an EVM", .serialized)
struct PoolTradeTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let dai = EVMToken.dai

    @Test("pools are where they were computed, and the contracts name each other as the list does")
    func contracts() async throws {
        try await EVMStage.pooling {
            $0.uniswap?.pools.append(try EVMUniswapPool((.zrx, "1000"), (.dai, "250")))
        } _: { stage, pools in
            func word(_ address: Address) -> String { Hex.encode(address.word.bytes) }
            for contract in [PoolScene.router, PoolScene.quoter] {
                let factory = try stage.answer(contract, stage.call("factory()"))
                let wrapped = try stage.answer(contract, stage.call("WETH9()"))
                #expect(factory == word(PoolScene.v3Factory))
                #expect(wrapped == word(weth.address))
            }
            let factoryV2 = try stage.answer(PoolScene.router, stage.call("factoryV2()"))
            #expect(factoryV2 == word(PoolScene.v2Factory))
            for (pool, fee) in zip(pools, [3_000, 500, nil] as [UInt64?]) {
                let tokens = [pool.first, pool.second].map(\.address.word)
                let found =
                    if let fee {
                        try stage.answer(
                            PoolScene.v3Factory,
                            stage.call(
                                "getPool(address,address,uint24)",
                                tokens[0],
                                tokens[1],
                                UInt256(fee).word
                            )
                        )
                    } else {
                        try stage.answer(
                            PoolScene.v2Factory,
                            stage.call("getPair(address,address)", tokens[0], tokens[1])
                        )
                    }
                #expect(found == word(try pool.address), "\(pool.name)")
            }
        }
    }

    @Test("the genuine TickLens lists a word's ticks as the sandbox's does")
    func lens() async throws {
        try await EVMStage.pooling { stage, pools in
            // 69081 - 60000 and + 60000 at spacing 60: ticks 9060 and 129060, bits 151 and 103.
            let pool = try pools[0].address.word
            let liquidity = UInt256(31_600) * UInt256(1_000_000_000_000_000_000)
            func answer(_ word: UInt256) throws -> String {
                let data = stage.call("getPopulatedTicksInWord(address,int16)", pool, word.word)
                return try stage.answer(PoolScene.lens, data)
            }
            func words(_ words: UInt256...) -> String { Hex.encode(words.flatMap(\.word.bytes)) }
            #expect(try answer(0) == words(32, 1, 9_060, liquidity, liquidity))
            #expect(try answer(8) == words(32, 1, 129_060, 0 &- liquidity, liquidity))
            #expect(try answer(1) == words(32, 0))
            #expect(try answer(0 &- 1) == words(32, 0))
        }
    }

    @Test("a sale approves exactly what it sells, and brings to the wei what the plan said")
    func sale() async throws {
        try await EVMStage.pooling { stage, pools in
            var pool = pools[0]
            let before = try stage.ledger()
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            let sold = try await stage.dex(.alice, "market-sell ZRX/WETH 10 --via pools")
            #expect(sold.transactions == ["approve mined", "swap mined"])
            #expect(sold.data.at("plan.venue") == "pools")
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

    @Test("a purchase brings exactly what was asked for, and pays what the plan expected")
    func purchase() async throws {
        try await EVMStage.pooling {
            $0.uniswap?.allowances = [.weth: "5"]
        } _: { stage, pools in
            var pool = pools[0]
            for _ in 1...2 {
                let before = try stage.ledger()
                let cost = try Int128(base: pool.buy(zrx, zrx.raw("100")))
                let bought = try await stage.dex(.alice, "market-buy ZRX/WETH 100 --via pools")
                #expect(bought.transactions == ["swap mined"])
                #expect(try bought.raw("outcome.received") == zrx("100"))
                #expect(try bought.raw("outcome.paid") == cost)
                try stage.expect(
                    [
                        "alice ZRX": zrx("100"), "alice WETH": -cost,
                        "alice WETH router allowance": -cost,
                        "ZRX/WETH pool ZRX": zrx("-100"), "ZRX/WETH pool WETH": cost,
                    ],
                    since: before,
                    by: bought
                )
            }
        }
    }

    @Test("a pair without a pool trades over the wrapped coin, both ways")
    func hops() async throws {
        try await EVMStage.pooling {
            $0.uniswap?.allowances = [.dai: "5000", .zrx: "5000"]
        } _: { stage, pools in
            var (zrxPool, daiPool) = (pools[0], pools[1])
            var before = try stage.ledger()
            let middle = try zrxPool.sell(zrx, zrx.raw("100"))
            let paid = try Int128(base: daiPool.sell(weth, middle))
            let sold = try await stage.dex(
                .alice,
                "market-sell ZRX/DAI 100 --via pools --allow-unchecked-price"
            )
            #expect(sold.transactions == ["swap mined"])
            #expect(try sold.raw("plan.receive.expected") == paid)
            #expect(try sold.raw("outcome.received") == paid)
            try stage.expect(
                [
                    "alice ZRX": zrx("-100"), "alice ZRX router allowance": zrx("-100"),
                    "alice DAI": paid,
                    "ZRX/WETH pool ZRX": zrx("100"),
                    "ZRX/WETH pool WETH": try -Int128(base: middle),
                    "DAI/WETH pool WETH": try Int128(base: middle), "DAI/WETH pool DAI": -paid,
                ],
                since: before,
                by: sold
            )

            before = try stage.ledger()
            let needed = try zrxPool.buy(zrx, zrx.raw("40"))
            let cost = try Int128(base: daiPool.buy(weth, needed))
            let bought = try await stage.dex(
                .alice,
                "market-buy ZRX/DAI 40 --via pools --allow-unchecked-price"
            )
            #expect(bought.transactions == ["swap mined"])
            #expect(try bought.raw("outcome.received") == zrx("40"))
            #expect(try bought.raw("outcome.paid") == cost)
            try stage.expect(
                [
                    "alice ZRX": zrx("40"), "alice DAI": -cost,
                    "alice DAI router allowance": -cost,
                    "ZRX/WETH pool ZRX": zrx("-40"),
                    "ZRX/WETH pool WETH": try Int128(base: needed),
                    "DAI/WETH pool WETH": try -Int128(base: needed), "DAI/WETH pool DAI": cost,
                ],
                since: before,
                by: bought
            )
        }
    }

    @Test("ether arrives for a sale and for a purchase, to the wei, and nothing stays wrapped")
    func etherOut() async throws {
        try await EVMStage.pooling {
            $0.uniswap?.allowances = [.dai: "50000"]
        } _: { stage, pools in
            var pool = pools[1]
            var before = try stage.ledger()
            let paid = try Int128(base: pool.sell(dai, dai.raw("2500")))
            let sold = try await stage.dex(
                .alice,
                "market-sell DAI/ETH 2500 --via pools --allow-unchecked-price"
            )
            #expect(sold.transactions == ["swap mined"])
            #expect(try sold.raw("outcome.received") == paid)
            try stage.expect(
                [
                    "alice DAI": dai("-2500"), "alice DAI router allowance": dai("-2500"),
                    "alice ETH": paid, "WETH contract ETH": -paid,
                    "DAI/WETH pool DAI": dai("2500"), "DAI/WETH pool WETH": -paid,
                ],
                since: before,
                by: sold
            )

            before = try stage.ledger()
            let cost = try Int128(base: pool.buy(weth, weth.raw("1")))
            let bought = try await stage.dex(
                .alice,
                "market-buy ETH/DAI 1 --via pools --allow-unchecked-price"
            )
            #expect(bought.transactions == ["swap mined"])
            #expect(try bought.raw("outcome.received") == weth("1"))
            #expect(try bought.raw("outcome.paid") == cost)
            try stage.expect(
                [
                    "alice DAI": -cost, "alice DAI router allowance": -cost,
                    "alice ETH": weth("1"), "WETH contract ETH": weth("-1"),
                    "DAI/WETH pool DAI": cost, "DAI/WETH pool WETH": weth("-1"),
                ],
                since: before,
                by: bought
            )
        }
    }

    @Test("ether is sold exactly, and of what a purchase sends along the rest comes back")
    func etherIn() async throws {
        try await EVMStage.pooling { stage, pools in
            var (zrxPool, daiPool) = (pools[0], pools[1])
            var before = try stage.ledger()
            let paid = try Int128(base: daiPool.sell(weth, weth.raw("1")))
            let sold = try await stage.dex(
                .alice,
                "market-sell ETH/DAI 1 --via pools --allow-unchecked-price"
            )
            #expect(sold.transactions == ["swap mined"])
            #expect(try sold.raw("outcome.received") == paid)
            #expect(try sold.raw("outcome.paid") == weth("1"))
            try stage.expect(
                [
                    "alice ETH": weth("-1"), "alice DAI": paid, "WETH contract ETH": weth("1"),
                    "DAI/WETH pool WETH": weth("1"), "DAI/WETH pool DAI": -paid,
                ],
                since: before,
                by: sold
            )

            before = try stage.ledger()
            let cost = try Int128(base: zrxPool.buy(zrx, zrx.raw("100")))
            let bought = try await stage.dex(
                .alice,
                "market-buy ZRX/ETH 100 --via pools --allow-unchecked-price"
            )
            #expect(bought.transactions == ["swap mined"])
            #expect(try bought.raw("outcome.received") == zrx("100"))
            #expect(try bought.raw("outcome.paid") == cost)
            try stage.expect(
                [
                    "alice ETH": -cost, "alice ZRX": zrx("100"), "WETH contract ETH": cost,
                    "ZRX/WETH pool WETH": cost, "ZRX/WETH pool ZRX": zrx("-100"),
                ],
                since: before,
                by: bought
            )
        }
    }

    @Test("the better venue is taken: the pool beside a low bid, the book beside a high one")
    func better() async throws {
        try await EVMStage.pooling {
            $0.uniswap?.allowances = [.zrx: "1000"]
        } _: { stage, pools in
            var pool = pools[0]
            _ = try await stage.post(by: .bob, sells: (.weth, "0.05"), wants: (.zrx, "100"))
            var before = try stage.ledger()
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("100")))
            let swapped = try await stage.dex(.alice, "market-sell ZRX/WETH 100")
            #expect(swapped.data.at("plan.venue") == "pools")
            #expect(try swapped.data.list("plan.alternatives").count == 1)
            #expect(swapped.data.at("plan.alternatives.0.venue") == "book")
            try stage.expect(
                [
                    "alice ZRX": zrx("-100"), "alice WETH": paid,
                    "alice ZRX router allowance": zrx("-100"),
                    "ZRX/WETH pool ZRX": zrx("100"), "ZRX/WETH pool WETH": -paid,
                ],
                since: before,
                by: swapped
            )
            _ = try await stage.post(by: .bob, sells: (.weth, "0.2"), wants: (.zrx, "100"))
            before = try stage.ledger()
            let filled = try await stage.dex(.alice, "market-sell ZRX/WETH 100")
            #expect(filled.data.at("plan.venue") == "book")
            #expect(filled.data.at("plan.alternatives.0.venue") == "pools")
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
}
