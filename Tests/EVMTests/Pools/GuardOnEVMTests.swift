import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import Uniswap
import ZeroEx

/// The built `dex guard` at the genuine contracts, by their own oracle.
///
/// The stop-loss sells 100 ZRX at 0.00098 WETH or less; the bid is 0.000997. 12,500 ZRX that
/// somebody sells take it down by 2.5 %.
@Suite("Guards at Uniswap's pools on an EVM", .serialized)
struct GuardOnEVMTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    private static let noMean = "Its price is reached, but not by the mean of the last 5 minutes."
    private static let shortOracle =
        "The oracle of the pool v3:0.3% does not reach back 5 minutes."
    private static let words = [
        "guard", "add", "sell", "ZRX/WETH", "100", "--below", "0.00098", "--slippage", "3",
    ]

    private func state(_ stage: EVMStage) async throws -> [String] {
        let list = try await stage.dex(.alice, "guard list")
        return try list.data.list("guards").map { try $0.text("state") }
    }

    /// Somebody's sale of 12,500 ZRX in a block 50 s before now, and the pool after it.
    private func fall(_ stage: EVMStage, _ pool: inout EVMUniswapPool) async throws {
        let raw = try zrx.raw("12500")
        try stage.mine([try await stage.move(zrx, raw: raw, at: pool)], ago: 50)
        _ = try pool.sell(zrx, raw)
    }

    @Test("a stop-loss: two blocks, the mean, a sale within its limit; books that equal the chain")
    func story() async throws {
        try await EVMStage.guarding(observations: 40) { stage, pools in
            var pool = pools[0]
            try stage.atNextSend(after: 60)
            let cost = try Int128(base: pool.buy(zrx, zrx.raw("100")))
            let bought = try await stage.dex(.alice, "market-buy ZRX/WETH 100 --via pools")
            #expect(try bought.raw("outcome.paid") == cost)
            let planned = try await stage.dex(
                .alice,
                arguments: Self.words + ["--dry-run"],
                exit: 30
            )
            #expect(planned.data.at("plan.venue") == "pools")
            #expect(planned.data.at("plan.mean.poolNames") == ["v3:0.3%"])
            #expect(planned.data.at("plan.mean.reason").isNull)
            _ = try await stage.dex(.alice, arguments: Self.words)
            try await fall(stage, &pool)
            let best = try await stage.dex(nil, "price ZRX/WETH")
            let sized = try await stage.dex(nil, "price ZRX/WETH --amount 100 --side sell")
            for key in ["bid", "ask", "mid", "nodeCount"] {
                #expect(sized.data.at(key) == best.data.at(key) && !best.data.at(key).isNull)
            }
            let before = try stage.ledger()
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("100")))
            #expect(try sized.raw("venues.0.total") == paid)
            let run = try await stage.runGuards(looks: 40, every: 30)
            #expect(run.status == 0)
            #expect(run.words == ["begun", "held", "reached", "firing", "fired"])
            #expect(run.reasons == [Self.noMean])
            // The mean needs seven tenths of five minutes, and then there is a second block.
            #expect((8...10).contains(run.looks), "\(run.looks)")
            let trade = try #require(run.events.last).at("trade")
            #expect(trade.at("plan.venue") == "pools")
            #expect(try trade.raw("outcome.received") == paid)
            #expect(try trade.raw("plan.receive.min") <= paid)
            // 100 x 0.00098 / 1.03
            #expect(try trade.raw("plan.receive.min") >= weth("0.0951456"))
            try stage.expect(
                [
                    "alice ZRX": zrx("-100"), "alice WETH": paid,
                    "alice ZRX router allowance": zrx("-100"),
                    "ZRX/WETH pool ZRX": zrx("100"), "ZRX/WETH pool WETH": -paid,
                ],
                since: before
            )
            #expect(try await state(stage) == ["ended"])
            try await expectBooks(stage, trade.text("transactions.-1.hash"), paid, cost)
        }
    }

    /// History and profit are the chain's, from the journal and rebuilt without it.
    private func expectBooks(
        _ stage: EVMStage,
        _ hash: String,
        _ paid: Int128,
        _ cost: Int128
    ) async throws {
        let status = try await stage.dex(.alice, "status \(hash)")
        #expect(try status.raw("fills.0.received") == paid)
        for isRebuilt in [false, true] {
            if isRebuilt {
                try stage.forgetJournal()
                let rebuild = try await stage.dex(.alice, "history rebuild --from-block 0")
                #expect(rebuild.data.at("addedCount") == 2, "\(rebuild.data.text)")
            }
            let history = try await stage.dex(.alice, "history list")
            let trades = try history.data.list("trades")
            #expect(trades.count == 2)
            let sale = try #require(trades.first { $0.at("side") == "sell" })
            #expect(try sale.text("transaction") == hash)
            #expect(try sale.raw("baseAmount") == zrx("100"))
            #expect(try sale.raw("quoteAmount") == paid)
            #expect(try sale.raw("realised.averageProfit") == paid - cost, "\(sale.text)")
            #expect(try sale.raw("realised.fifoProfit") == paid - cost)
        }
    }

    @Test("where no oracle reaches the plan says so, and the price has to stay for 60 s")
    func patience() async throws {
        try await EVMStage.guarding { stage, pools in
            var pool = pools[0]
            // The only observation is that of the latest trade.
            try stage.atNextSend(after: 60)
            _ = try pool.buy(zrx, zrx.raw("100"))
            _ = try await stage.dex(.alice, "market-buy ZRX/WETH 100 --via pools")
            let added = try await stage.dex(.alice, arguments: Self.words)
            #expect(
                added.warnings.contains {
                    $0.contains(Self.shortOracle) && $0.contains("for 60 s")
                },
                "\(added.warnings)"
            )
            try await fall(stage, &pool)
            let before = try stage.ledger()
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("100")))
            let run = try await stage.runGuards(looks: 20, every: 15)
            #expect(run.status == 0)
            #expect(run.words == ["begun", "reached", "firing", "fired"])
            // Four times 15 s after the first.
            #expect(run.looks == 5)
            #expect(try #require(run.events.last).at("trade").raw("outcome.received") == paid)
            try stage.expect(
                [
                    "alice ZRX": zrx("-100"), "alice WETH": paid,
                    "alice ZRX router allowance": zrx("-100"),
                    "ZRX/WETH pool ZRX": zrx("100"), "ZRX/WETH pool WETH": -paid,
                ],
                since: before
            )
        }
    }

    @Test("a purchase approves the most that its limit allows, and pays what the pool takes")
    func purchase() async throws {
        try await EVMStage.guarding {
            $0.uniswap?.allowances = [.zrx: "1000"]
        } _: { stage, pools in
            var pool = pools[0]
            try stage.atNextSend(after: 60)
            _ = try pool.sell(zrx, zrx.raw("100"))
            _ = try await stage.dex(.alice, "market-sell ZRX/WETH 100 --via pools")
            _ = try await stage.dex(
                .alice,
                "guard add buy ZRX/WETH 100 --below 0.00099 --slippage 3"
            )
            try await fall(stage, &pool)
            let before = try stage.ledger()
            let cost = try Int128(base: pool.buy(zrx, zrx.raw("100")))
            let run = try await stage.runGuards(looks: 20, every: 15)
            #expect(run.status == 0)
            #expect(run.words == ["begun", "reached", "firing", "fired"], "\(run.reasons)")
            let trade = try #require(run.events.last).at("trade")
            #expect(try trade.raw("outcome.paid") == cost)
            let maximum = try trade.raw("plan.pay.max")
            // 100 x 0.00099 x 1.03
            #expect(try cost <= maximum && maximum <= weth("0.10197"))
            try stage.expect(
                [
                    "alice ZRX": zrx("100"), "alice WETH": -cost,
                    "alice WETH router allowance": maximum - cost,
                    "ZRX/WETH pool ZRX": zrx("-100"), "ZRX/WETH pool WETH": cost,
                ],
                since: before
            )
        }
    }

    @Test(
        "a pool that is moved and back within a block, or for one block, fires nothing",
        arguments: [UInt16(40), 1]
    )
    func manipulated(observations: UInt16) async throws {
        try await EVMStage.guarding(observations: observations) { stage, pools in
            var pool = pools[0]
            try stage.atNextSend(after: 60)
            _ = try pool.buy(zrx, zrx.raw("100"))
            _ = try await stage.dex(.alice, "market-buy ZRX/WETH 100 --via pools")
            _ = try await stage.dex(.alice, arguments: Self.words)
            let sold = try zrx.raw("12500")
            var moves: [[UInt8]] = []
            for place: UInt64 in [0, 2] {
                let got = try pool.sell(zrx, sold)
                moves.append(try await stage.move(zrx, raw: sold, at: pool, place: place))
                _ = try pool.sell(weth, got)
                moves.append(
                    try await stage.move(weth, raw: got, at: pool, place: place + 1, isLast: true)
                )
            }
            let before = try stage.ledger()
            try stage.mine(ago: 50)
            let run = try await stage.runGuards(
                looks: 10,
                every: 20,
                [2: [moves[0], moves[1]], 5: [moves[2]], 6: [moves[3]]]
            )
            // By the mean it is not reached; without one it is for a single block.
            #expect(
                run.words == ["begun", observations > 1 ? "held" : "reached"],
                "\(run.reasons)"
            )
            #expect(run.reasons == (observations > 1 ? [Self.noMean] : []))
            #expect(run.looks == 10)
            let changes = try stage.ledger().changes(since: before)
            #expect(changes.keys.allSatisfy { !$0.hasPrefix("alice ") }, "\(changes)")
            #expect(try await state(stage) == ["waiting"])
        }
    }

    @Test("a trade of another in its block beyond its limit: it reverts, and only gas is lost")
    func overtaken() async throws {
        try await EVMStage.guarding { stage, pools in
            var pool = pools[0]
            try stage.atNextSend(after: 60)
            _ = try await stage.dex(.alice, "market-buy ZRX/WETH 100 --via pools")
            _ = try await stage.dex(.alice, arguments: Self.words)
            try await fall(stage, &pool)
            let before = try stage.ledger()
            stage.overtake(
                with: try await stage.move(zrx, raw: try zrx.raw("50000"), at: pool)
            )
            let run = try await stage.runGuards(looks: 20, every: 15)
            #expect(run.status == 11)
            #expect(run.words == ["begun", "reached", "firing", "fired"])
            let trade = try #require(run.events.last).at("trade")
            #expect(trade.at("transactions.0.status") == "reverted", "\(trade.text)")
            let changes = try stage.ledger().changes(since: before)
            #expect(changes.keys.filter { $0.hasPrefix("alice ") } == ["alice ETH"])
            #expect(try await state(stage) == ["ended"])
        }
    }
}
