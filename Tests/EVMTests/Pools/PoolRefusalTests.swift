import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// What `dex` does not sign at Uniswap's pools, and what happens if they move after it has.
@Suite("Refused trades at Uniswap's pools on an EVM", .serialized)
struct PoolRefusalTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let dai = EVMToken.dai

    private static let sale = ["market-sell", "ZRX/WETH", "10", "--via", "pools"]

    private func allowed(_ scene: inout Scene) {
        scene.uniswap?.allowances = [.zrx: "10000", .weth: "10", .dai: "10000"]
    }

    @Test("a chain that has none of the contracts has no such venue, and the book trades as before")
    func absent() async throws {
        try await EVMStage.run(.aliceApproved(.zrx)) { stage in
            let before = try stage.ledger()
            let alone = try await stage.dex(.alice, arguments: Self.sale, exit: 3, code: "no-pools")
            let empty = try await stage.dex(
                .alice,
                "market-sell ZRX/WETH 10",
                exit: 6,
                code: "no-liquidity"
            )
            try stage.expect([:], since: before, by: alone, empty)
            _ = try await stage.post(by: .bob, sells: (.weth, "0.1"), wants: (.zrx, "100"))
            let sold = try await stage.dex(.alice, "market-sell ZRX/WETH 10")
            #expect(sold.data.at("plan.venue") == "book")
            #expect((sold.data.at("plan.alternatives").arrayValue ?? []).isEmpty)
            let price = try await stage.dex(nil, "price ZRX/WETH --amount 10 --side sell")
            #expect(!price.data.text.contains("Uniswap"))
        }
    }

    @Test("more than the account owns or than any pool has is refused, as is a pair without a pool")
    func funds() async throws {
        try await EVMStage.pooling {
            allowed(&$0)
            $0.tokens.append(.usdt)
        } _: { stage, _ in
            let before = try stage.ledger()
            let poor = try await stage.dex(
                .alice,
                "market-sell ZRX/WETH 20000 --via pools",
                exit: 6,
                code: "insufficient-balance"
            )
            let dry = try await stage.dex(
                .alice,
                "market-buy ZRX/WETH 20000000 --via pools",
                exit: 6,
                code: "no-pool"
            )
            let none = try await stage.dex(
                .alice,
                "market-sell USDT/WETH 10 --via pools",
                exit: 6,
                code: "no-pool"
            )
            try stage.expect([:], since: before, by: poor, dry, none)
        }
    }

    @Test("pools without a price, without liquidity, and with too little of it are passed over")
    func empty() async throws {
        try await EVMStage.pooling {
            allowed(&$0)
            $0.uniswap?.pools += [
                // No price; a price without liquidity; a good price with next to nothing behind it.
                try EVMUniswapPool(.zrx, .weth, fee: 100, tick: nil, liquidity: 0),
                try EVMUniswapPool(.zrx, .weth, fee: 500, tick: 69_000, liquidity: 0),
                try EVMUniswapPool(
                    .zrx,
                    .weth,
                    fee: 10_000,
                    tick: 60_000,
                    liquidity: 1_000_000_000
                ),
            ]
        } _: { stage, pools in
            var pool = pools[0]
            let before = try stage.ledger()
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            let sold = try await stage.dex(.alice, arguments: Self.sale)
            #expect(try sold.raw("outcome.received") == paid)
            let after = try stage.ledger()
            let changes = after.changes(since: before).filter { $0.key != "alice ETH" }
            #expect(changes["alice WETH"] == paid)
            #expect(try changes["alice ZRX"] == zrx("-10"))
        }
    }

    @Test("a path whose last pool runs dry is no path: nothing is left in the router")
    func dry() async throws {
        try await EVMStage.pooling {
            allowed(&$0)
            // About 0.05 WETH on each side of the price.
            $0.uniswap?.pools[1] = try EVMUniswapPool(
                .dai,
                .weth,
                fee: 500,
                tick: -78_244,
                liquidity: 500_000_000_000_000_000_000,
                width: 100
            )
        } _: { stage, _ in
            let before = try stage.ledger()
            for line in [
                "market-sell ZRX/DAI 1000", "market-buy DAI/ZRX 2500", "market-sell WETH/DAI 1",
                "market-buy DAI/WETH 2500",
            ] {
                let run = try await stage.dex(
                    .alice,
                    "\(line) --via pools --allow-unchecked-price",
                    exit: 6,
                    code: "no-pool"
                )
                try stage.expect([:], since: before, by: run)
            }
            let small = try await stage.dex(
                .alice,
                "market-sell ZRX/DAI 10 --via pools --allow-unchecked-price"
            )
            #expect(small.transactions == ["swap mined"])
        }
    }

    @Test(
        "much for a price that nothing is compared with is refused, unless a flag or a limit is given"
    )
    func unchecked() async throws {
        try await EVMStage.pooling(allowed) { stage, _ in
            let before = try stage.ledger()
            let much = ["market-sell", "ZRX/WETH", "5000", "--via", "pools"]
            let run = try await stage.dex(
                .alice,
                arguments: much,
                exit: 6,
                code: "price-unchecked"
            )
            try stage.expect([:], since: before, by: run)
            let limited = try await stage.dex(
                .alice,
                arguments: much + ["--min-price", "0.0009"]
            )
            #expect(limited.transactions == ["swap mined"])
        }
    }

    @Test("a price limit that the pool does not meet refuses the trade, one that it meets does not")
    func limit() async throws {
        try await EVMStage.pooling(allowed) { stage, _ in
            let before = try stage.ledger()
            let run = try await stage.dex(
                .alice,
                arguments: Self.sale + ["--min-price", "0.00105"],
                exit: 6,
                code: "price-limit"
            )
            try stage.expect([:], since: before, by: run)
            _ = try await stage.dex(.alice, arguments: Self.sale + ["--min-price", "0.0009"])
        }
    }

    @Test("in a dry run nothing is sent, and the plan says all of it")
    func dryRun() async throws {
        try await EVMStage.pooling(allowed) { stage, pools in
            var pool = pools[0]
            let before = try stage.ledger()
            let run = try await stage.dex(.alice, arguments: Self.sale + ["--dry-run"], exit: 30)
            #expect(
                try run.raw("plan.receive.expected") == Int128(base: pool.sell(zrx, zrx.raw("10")))
            )
            try stage.expect([:], since: before, by: run)
        }
    }

    @Test(
        "a pool that moves a little before the approval is mined is asked again, within the limits"
    )
    func moved() async throws {
        try await EVMStage.pooling { stage, pools in
            var pool = pools[0]
            // 0.1 % of the price.
            let other = try await stage.sale(zrx, "500", to: pool)
            stage.hooks.before("eth_sendRawTransaction") { try stage.send(other) }
            let run = try await stage.dex(.alice, arguments: Self.sale)
            #expect(run.transactions == ["approve mined", "swap mined"])
            _ = try pool.sell(zrx, zrx.raw("500"))
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            #expect(try run.raw("outcome.received") == paid)
            #expect(try run.raw("plan.receive.min") <= paid)
            #expect(try run.raw("plan.receive.expected") > paid)
        }
    }

    @Test(
        "a pool that moves beyond the limits after the plan stops the trade; the approval is left"
    )
    func movedFar() async throws {
        try await EVMStage.pooling { stage, pools in
            let other = try await stage.sale(zrx, "50000", to: pools[0])
            stage.hooks.before("eth_sendRawTransaction") { try stage.send(other) }
            let before = try stage.ledger()
            let run = try await stage.dex(
                .alice,
                arguments: Self.sale,
                exit: 6,
                code: "quote-moved"
            )
            #expect(run.transactions == ["approve mined"])
            let changes = try stage.ledger().changes(since: before)
            #expect(changes["alice ZRX"] == nil)
            #expect(changes["alice WETH"] == nil)
            #expect(try changes["alice ZRX router allowance"] == zrx("10"))
        }
    }

    @Test(
        "a pool that moves beyond the limits before the signature: nothing is signed"
    )
    func movedBeforeSignature() async throws {
        try await EVMStage.pooling(allowed) { stage, pools in
            let other = try await stage.sale(zrx, "50000", to: pools[0])
            stage.hooks.after("eth_estimateGas") { try stage.send(other) }
            let run = try await stage.dex(
                .alice,
                arguments: Self.sale,
                exit: 6,
                code: "quote-moved"
            )
            #expect(run.transactions == [])
        }
    }

    @Test("a faster trade reverts it with the router's reason: nothing is lost but gas")
    func overtaken() async throws {
        try await EVMStage.pooling(allowed) { stage, pools in
            var pool = pools[0]
            let other = try await stage.sale(zrx, "50000", to: pool)
            stage.hooks.before("eth_sendRawTransaction") { try stage.send(other) }
            let before = try stage.ledger()
            let run = try await stage.dex(.alice, arguments: Self.sale, exit: 11)
            #expect(run.transactions == ["swap reverted"])
            #expect(run.error.text.contains("Too little received"))
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("50000")))
            try stage.expect(
                [
                    "provider ZRX": zrx("-50000"), "provider WETH": paid,
                    "ZRX/WETH pool ZRX": zrx("50000"), "ZRX/WETH pool WETH": -paid,
                ],
                since: before,
                by: run
            )
        }
    }

    @Test("a purchase that a faster trade makes too dear reverts, ether and all")
    func overtakenPurchase() async throws {
        try await EVMStage.pooling(allowed) { stage, pools in
            let other = try await stage.sale(weth, "50", to: pools[0])
            stage.hooks.before("eth_sendRawTransaction") { try stage.send(other) }
            let before = try stage.ledger()
            let run = try await stage.dex(
                .alice,
                "market-buy ZRX/ETH 10 --via pools --allow-unchecked-price",
                exit: 11
            )
            #expect(run.transactions == ["swap reverted"])
            let changes = try stage.ledger().changes(since: before)
            #expect(changes["alice ZRX"] == nil)
            #expect(changes["router ETH"] == nil)
        }
    }
}
