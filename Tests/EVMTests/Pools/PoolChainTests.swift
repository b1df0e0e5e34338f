import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Trades at Uniswap's pools beside other venues, other nodes, time and odd tokens.
@Suite("Uniswap's pools beside other venues, nodes and odd tokens, on an EVM", .serialized)
struct PoolChainTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let dai = EVMToken.dai

    private static let sale = ["market-sell", "ZRX/WETH", "10", "--via", "pools"]

    private func allowed(_ scene: inout Scene) {
        scene.uniswap?.allowances = [.zrx: "10000", .weth: "100", .dai: "10000"]
    }

    @Test("of a book, a swap API and pools the best one is taken, and the others are told")
    func threeVenues() async throws {
        try await EVMStage.pooling {
            allowed(&$0)
            $0.swap = try SwapScene()
            // 2 % less than Uniswap's.
            $0.swap?.pools[0] = try EVMPool(1, (.zrx, "1000000"), (.weth, "980"))
        } _: { stage, pools in
            var pool = pools[0]
            _ = try await stage.post(by: .bob, sells: (.weth, "0.095"), wants: (.zrx, "100"))
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            let sold = try await stage.dex(.alice, "market-sell ZRX/WETH 10")
            #expect(sold.data.at("plan.venue") == "pools")
            #expect(try sold.raw("outcome.received") == paid)
            let others = try sold.data.list("plan.alternatives").map { $0.at("venue") }
            #expect(Set(others.map(\.text)) == ["\"book\"", "\"swap\""])
        }
    }

    @Test("a purchase by what is spent brings what the pool gives for it")
    func spend() async throws {
        try await EVMStage.pooling(allowed) { stage, pools in
            var pool = pools[0]
            let before = try stage.ledger()
            let got = try Int128(base: pool.sell(weth, weth.raw("0.5")))
            let bought = try await stage.dex(
                .alice,
                "market-buy ZRX/WETH --spend 0.5 --via pools"
            )
            #expect(try bought.raw("outcome.received") == got)
            try stage.expect(
                [
                    "alice WETH": weth("-0.5"), "alice WETH router allowance": weth("-0.5"),
                    "alice ZRX": got,
                    "ZRX/WETH pool WETH": weth("0.5"), "ZRX/WETH pool ZRX": -got,
                ],
                since: before,
                by: bought
            )
        }
    }

    @Test("a trade that is mined after its deadline reverts: only gas is lost")
    func late() async throws {
        try await EVMStage.pooling(allowed) { stage, _ in
            let before = try stage.ledger()
            try stage.atNextSend(time: UInt256(Scene.now + 1_000))
            let run = try await stage.dex(.alice, arguments: Self.sale, exit: 11)
            #expect(run.transactions == ["swap reverted"])
            #expect(run.error.text.contains("Transaction too old"), "\(run.error.text)")
            try stage.expect([:], since: before, by: run)
        }
    }

    @Test("nodes that must agree and do not about a quote: nothing is signed")
    func quorum() async throws {
        try await EVMStage.pooling(allowed) { stage, _ in
            let config = try stage.binary.config()
            try stage.binary.write(
                config: config.replacing(
                    "rpc = [\"\(stage.front.url)\"]",
                    with: "rpc = [\"\(stage.front.url)\", \"\(stage.node.url)\"]\nquorum = 2"
                )
            )
            let agreed = try await stage.dex(.alice, arguments: Self.sale)
            #expect(agreed.transactions == ["swap mined"])
            let before = try stage.ledger()
            let quote = stage.call(
                "quoteExactInputSingle((address,address,uint256,uint24,uint160))"
            )
            let low = [try weth.raw("0.005"), UInt256(1) << 100, 0, 100_000].flatMap(\.word.bytes)
            stage.hooks.answer(call: PoolScene.quoter, quote, with: low)
            let run = try await stage.dex(
                .alice,
                arguments: Self.sale,
                exit: 4,
                code: "nodes-disagree"
            )
            try stage.expect([:], since: before, by: run)
        }
    }

    @Test(
        "private_rpc gets approval and trade alone: a public node that would take them is not asked"
    )
    func privateMempool() async throws {
        try await EVMStage.pooling { stage, pools in
            var pool = pools[0]
            let config = try stage.binary.config()
            try stage.binary.write(
                config: config.replacing(
                    "rpc = [\"\(stage.front.url)\"]",
                    with: "rpc = [\"\(stage.front.url)\"]\nprivate_rpc = \"\(stage.node.url)\""
                )
            )
            // Sent here, it would be lost.
            stage.hooks.answer("eth_sendRawTransaction", with: "0x00")
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            let run = try await stage.dex(.alice, arguments: Self.sale)
            #expect(run.transactions == ["approve mined", "swap mined"])
            #expect(try run.raw("outcome.received") == paid)
            #expect(run.data.at("plan.gas.privateNode").stringValue == stage.node.url)
        }
    }

    @Test(
        "a listed token that keeps a part of each transfer: what arrives is told, not what was sent"
    )
    func feeToken() async throws {
        let paxg = EVMToken.paxg
        try await EVMStage.pooling {
            allowed(&$0)
            $0.tokens.append(paxg)
            $0.uniswap?.allowances[paxg] = "100"
            $0.uniswap?.pools.append(
                try EVMUniswapPool(paxg, .weth, fee: 3_000, tick: 0, liquidity: 1 << 80)
            )
        } _: { stage, _ in
            let before = try stage.ledger()
            let words = ["--via", "pools", "--allow-unchecked-price"]
            let run = try await stage.dex(
                .alice,
                arguments: ["market-sell", "WETH/PAXG", "1"] + words
            )
            let arrived = try stage.ledger().changes(since: before)["alice PAXG"] ?? 0
            #expect(try run.raw("outcome.received") == arrived)
            #expect(try run.raw("plan.receive.min") <= arrived)
            // Such a token cannot be sold to a v3 pool at all.
            let sold = try await stage.dex(
                .alice,
                arguments: ["market-sell", "PAXG/WETH", "1"] + words,
                exit: 10,
                code: "would-revert"
            )
            #expect(sold.transactions == [])
        }
    }

    @Test("USDT, which answers nothing and wants its allowance at zero first, trades both ways")
    func tether() async throws {
        let usdt = EVMToken.usdt
        try await EVMStage.pooling {
            allowed(&$0)
            $0.tokens.append(usdt)
            $0.uniswap?.allowances[usdt] = "1"
            // About 2,500 USDT of 6 decimals for 1 WETH.
            $0.uniswap?.pools.append(
                try EVMUniswapPool(
                    .weth,
                    usdt,
                    fee: 500,
                    tick: -198_080,
                    liquidity: 500_000_000_000_000_000
                )
            )
        } _: { stage, pools in
            var pool = pools[2]
            let words = ["--via", "pools", "--allow-unchecked-price"]
            let bought = try await stage.dex(
                .alice,
                arguments: ["market-sell", "WETH/USDT", "1"] + words
            )
            #expect(
                try bought.raw("outcome.received")
                    == Int128(base: pool.sell(weth, weth.raw("1")))
            )
            let before = try stage.ledger()
            let paid = try Int128(base: pool.sell(usdt, usdt.raw("1000")))
            let sold = try await stage.dex(
                .alice,
                arguments: ["market-sell", "USDT/ETH", "1000"] + words
            )
            #expect(sold.transactions == ["reset-allowance mined", "approve mined", "swap mined"])
            try stage.expect(
                [
                    "alice USDT": usdt("-1000"), "alice USDT router allowance": usdt("-1"),
                    "alice ETH": paid, "WETH contract ETH": -paid,
                    "WETH/USDT pool USDT": usdt("1000"), "WETH/USDT pool WETH": -paid,
                ],
                since: before,
                by: sold
            )
        }
    }

    @Test("a pending trade is sped up as it was, and mined once")
    func speedup() async throws {
        try await EVMStage.pooling {
            allowed(&$0)
            $0.receiptTimeout = 2
        } _: { stage, pools in
            var pool = pools[0]
            let before = try stage.ledger()
            let node = stage.node
            try node.call("evm_setAutomine", false)
            let first = try await stage.dex(
                .alice,
                arguments: Self.sale,
                exit: 12,
                code: "not-mined-yet"
            )
            let hash = try first.text("transactions.0.hash")
            stage.hooks.after("eth_sendRawTransaction") {
                try node.call("evm_mine")
                try node.call("evm_setAutomine", true)
            }
            let faster = try await stage.dex(.alice, "tx speedup \(hash)")
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            try stage.expect(
                [
                    "alice ZRX": zrx("-10"), "alice WETH": paid,
                    "alice ZRX router allowance": zrx("-10"),
                    "ZRX/WETH pool ZRX": zrx("10"), "ZRX/WETH pool WETH": -paid,
                ],
                since: before,
                by: faster
            )
        }
    }

    @Test("ether for wrapped ether is no pool's trade")
    func wrapping() async throws {
        try await EVMStage.pooling(allowed) { stage, _ in
            let before = try stage.ledger()
            let run = try await stage.dex(
                .alice,
                "market-sell ETH/WETH 1 --via pools",
                exit: 6,
                code: "no-pool"
            )
            try stage.expect([:], since: before, by: run)
        }
    }
}
