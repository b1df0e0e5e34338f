import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import Uniswap

/// The built `dex` divides an order among three of Uniswap's pools in one transaction.
@Suite("Splits over Uniswap's pools on an EVM", .serialized)
struct PoolSplitTradeTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    /// Two v3 pools and a pair at the same price, each as deep as 100,000 ZRX and 100 WETH.
    private func deep(_ scene: inout Scene) throws {
        var pools: [EVMUniswapPool] = []
        for fee: UInt32 in [500, 3_000] {
            pools.append(
                try EVMUniswapPool(
                    .zrx,
                    .weth,
                    fee: fee,
                    tick: 69_081,
                    liquidity: 3_160_000_000_000_000_000_000
                )
            )
        }
        pools.append(try EVMUniswapPool((.zrx, "100000"), (.weth, "100")))
        pools[0].label = "v3:0.05%"
        pools[1].label = "v3:0.3%"
        pools[2].label = "v2:0.3%"
        scene.uniswap?.pools = pools
        scene.uniswap?.allowances = [.zrx: "10000", .weth: "100"]
    }

    /// What three pools took and gave in one trade.
    private struct Sums {
        var taken: Int128 = 0
        var given: Int128 = 0
        /// Of the pools' holdings.
        var changes: [String: Int128] = [:]
    }

    /// Checks that each of the three pools traded what its own math says, and in the share that the
    /// plan told.
    private func sums(
        _ stage: EVMStage,
        _ pools: [EVMUniswapPool],
        _ run: CommandRun,
        selling sold: EVMToken,
        isExactIn: Bool,
        since before: Ledger
    ) throws -> Sums {
        let bought = sold == zrx ? weth : zrx
        let changes = try stage.ledger().changes(since: before)
        var sums = Sums()
        var parts: [String: Int128] = [:]
        for var pool in pools {
            let taken = try #require(changes["\(pool.name) \(sold.symbol)"], "\(pool.name)")
            let given = -(try #require(changes["\(pool.name) \(bought.symbol)"], "\(pool.name)"))
            #expect(taken > 0 && given > 0, "\(pool.name)")
            var same = pool
            if !isExactIn && !pool.isV2 {
                let trade = try pool.trade(.exactOut(UInt256(UInt128(given))), sold: sold)
                #expect(try Int128(base: trade.in) == taken, "\(pool.name)")
            } else {
                // A pair gives what the rounded payment buys.
                let trade = try same.trade(.exactIn(UInt256(UInt128(taken))), sold: sold)
                #expect(try Int128(base: trade.out) == given, "\(pool.name)")
            }
            sums.taken += taken
            sums.given += given
            sums.changes["\(pool.name) \(sold.symbol)"] = taken
            sums.changes["\(pool.name) \(bought.symbol)"] = -given
            parts[try #require(pool.label)] = isExactIn ? taken : given
        }
        #expect(run.transactions == ["swap mined"])
        #expect(try run.raw("outcome.paid") == sums.taken)
        #expect(try run.raw("outcome.received") == sums.given)
        let whole = isExactIn ? sums.taken : sums.given
        let sources = try run.data.list("plan.venueQuote.sources")
        #expect(sources.count == 3)
        for source in sources {
            let part = try #require(parts[try source.text("name")])
            let share = try DecimalText.parse(source.text("sharePercent"), decimals: 2)
            let difference = try Int128(base: share) - part * 10_000 / whole
            #expect(abs(difference) <= 2)
        }
        return sums
    }

    @Test("a sale goes through two v3 pools and a pair, and brings to the wei what the plan said")
    func sale() async throws {
        try await EVMStage.pooling(deep) { stage, pools in
            let before = try stage.ledger()
            let run = try await stage.dex(
                .alice,
                "market-sell ZRX/WETH 6000 --via pools --allow-unchecked-price"
            )
            let sums = try sums(stage, pools, run, selling: zrx, isExactIn: true, since: before)
            let asked = try zrx("6000")
            #expect(sums.taken == asked)
            #expect(try run.raw("plan.receive.expected") == sums.given)
            // Better than the best pool alone, which gives some 5.6 WETH.
            var alone = pools[0]
            let paid = try Int128(base: alone.sell(zrx, zrx.raw("6000")))
            #expect(sums.given > paid)
            try stage.expect(
                sums.changes.merging([
                    "alice ZRX": zrx("-6000"), "alice ZRX router allowance": zrx("-6000"),
                    "alice WETH": sums.given,
                ]) { $1 },
                since: before,
                by: run
            )
        }
    }

    @Test("a purchase is divided too, and costs to the wei what the plan said")
    func purchase() async throws {
        try await EVMStage.pooling(deep) { stage, pools in
            let before = try stage.ledger()
            let run = try await stage.dex(
                .alice,
                "market-buy ZRX/WETH 6000 --via pools --allow-unchecked-price"
            )
            let sums = try sums(stage, pools, run, selling: weth, isExactIn: false, since: before)
            // A pair may give a little more than it was asked for.
            let more = try sums.given - zrx("6000")
            #expect(more >= 0 && more < 100_000)
            #expect(try run.raw("plan.pay.expected") == sums.taken)
            try stage.expect(
                sums.changes.merging([
                    "alice ZRX": sums.given, "alice WETH": -sums.taken,
                    "alice WETH router allowance": -sums.taken,
                ]) { $1 },
                since: before,
                by: run
            )
        }
    }

    @Test("ether is sold in three parts as one value, and what a purchase leaves of it comes back")
    func etherIn() async throws {
        try await EVMStage.pooling(deep) { stage, pools in
            let before = try stage.ledger()
            let run = try await stage.dex(
                .alice,
                "market-sell ETH/ZRX 6 --via pools --allow-unchecked-price"
            )
            let sums = try sums(stage, pools, run, selling: weth, isExactIn: true, since: before)
            let asked = try weth("6")
            #expect(sums.taken == asked)
            #expect(try run.raw("plan.receive.expected") == sums.given)
            try stage.expect(
                sums.changes.merging([
                    "alice ETH": -sums.taken, "WETH contract ETH": sums.taken,
                    "alice ZRX": sums.given,
                ]) { $1 },
                since: before,
                by: run
            )
        }
        try await EVMStage.pooling(deep) { stage, pools in
            let before = try stage.ledger()
            let run = try await stage.dex(
                .alice,
                "market-buy ZRX/ETH 6000 --via pools --allow-unchecked-price"
            )
            let sums = try sums(stage, pools, run, selling: weth, isExactIn: false, since: before)
            #expect(try run.raw("plan.pay.expected") == sums.taken)
            try stage.expect(
                sums.changes.merging([
                    "alice ETH": -sums.taken, "WETH contract ETH": sums.taken,
                    "alice ZRX": sums.given,
                ]) { $1 },
                since: before,
                by: run
            )
        }
    }

    @Test("ether of three pools arrives by one unwrapping, for a sale and for a purchase")
    func etherOut() async throws {
        for isExactIn in [true, false] {
            try await EVMStage.pooling(deep) { stage, pools in
                let before = try stage.ledger()
                let line = isExactIn ? "market-sell ZRX/ETH 6000" : "market-buy ETH/ZRX 5"
                let run = try await stage.dex(
                    .alice,
                    line + " --via pools --allow-unchecked-price"
                )
                let sums = try sums(
                    stage,
                    pools,
                    run,
                    selling: zrx,
                    isExactIn: isExactIn,
                    since: before
                )
                try stage.expect(
                    sums.changes.merging([
                        "alice ZRX": -sums.taken, "alice ZRX router allowance": -sums.taken,
                        "alice ETH": sums.given, "WETH contract ETH": -sums.given,
                    ]) { $1 },
                    since: before,
                    by: run
                )
            }
        }
    }
}
