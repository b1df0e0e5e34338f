import DexStore
import Ethereum
import EthereumWallet
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The tape, candles and volume from the events of pools")
struct PoolTapeTests {
    private let unit = TestMarket.unit

    private func swap(
        _ zrx: UInt64,
        for weth: UInt64,
        in kind: PoolKind = .v3(fee: 500),
        sells: Bool = false,
        sqrtPrice: UInt256 = PoolMarketScene.evenPrice
    ) throws -> Log {
        try PoolMarketScene.swap(
            kind,
            sells: sells,
            zrx: UInt256(zrx) * unit,
            weth: UInt256(weth) * unit,
            sqrtPrice: sqrtPrice
        )
    }

    @Test("a network with a node alone has a tape: side, price, amounts, source, transaction")
    func tape() async throws {
        let scene = try PoolMarketScene([.v3(fee: 500), .v2])
        let bought = scene.mine([try swap(10, for: 1)], block: 50)
        scene.mine(
            [
                try PoolMarketScene.sync(zrx: 400 * unit, weth: 100 * unit),
                try swap(20, for: 3, in: .v2, sells: true),
            ],
            block: 60
        )
        let rows = try await scene.trades()
        #expect(rows.map(\.side) == [.buy, .sell])
        #expect(rows.map(\.source.name) == ["v3:0.05%", "v2:0.3%"])
        #expect(rows.map(\.base) == [10 * unit, 20 * unit])
        #expect(rows.map(\.quote) == [unit, 3 * unit])
        #expect(rows.map(\.price) == [Price(quote: 1, base: 10), Price(quote: 3, base: 20)])
        #expect(rows.map(\.after) == [Price(quote: 1, base: 1), Price(quote: 1, base: 4)])
        #expect(rows.first?.fill.transaction == bought)
        #expect(rows.map(\.fill.time) == [50, 60].map { TestMarket.now + $0 })
        let pool = PoolMarketScene.deployment.address(of: try PoolMarketScene.pool(.v3(fee: 500)))
        #expect(rows.first?.fill.maker == pool)
        #expect(rows.first?.fill.taker == PoolMarketScene.address(0xa11ce))
    }

    @Test("beside an exchange both are shown, by block and log")
    func both() async throws {
        let scene = try PoolMarketScene(hasExchange: true)
        let order = try await scene.market.ask(by: scene.market.makers[0], "10", for: "1")
        let fill = scene.market.fillLog(order, taker: scene.market.trader.address, filling: unit)
        scene.mine([try swap(10, for: 1), fill, try swap(5, for: 2, sells: true)], block: 70)
        let rows = try await scene.trades()
        #expect(rows.map(\.source.name) == ["v3:0.05%", "book", "v3:0.05%"])
        #expect(rows.map(\.fill.logIndex) == [0, 1, 2])
    }

    @Test("only the factory's pools are read, each block once, and the newest again")
    func once() async throws {
        let scene = try PoolMarketScene()
        scene.mine([try swap(10, for: 1)], block: 300)
        scene.mine([try swap(10, for: 1)], block: 950)
        #expect(try await scene.trades().map(\.fill.block) == [300, 950])
        let address = PoolMarketScene.deployment.address(of: scene.pools[0])
        let filters = scene.market.chain.rounds.joined().compactMap { read -> LogFilter? in
            guard case .logs(let filter) = read else { return nil }
            return filter
        }
        #expect(!filters.isEmpty && filters.allSatisfy { $0.addresses == [address] })
        #expect(try scene.kept().map(\.blocks.upperBound) == [872])
        let rounds = scene.market.chain.rounds.count
        scene.market.mine(1_010, timestamp: TestMarket.now + 1_010)
        #expect(try await scene.trades().count == 2)
        #expect(scene.asked(since: rounds) == [873...1_010])
    }

    @Test("a chain that has another block at the end of a kept range is read anew")
    func reorganized() async throws {
        let scene = try PoolMarketScene()
        scene.mine([try swap(10, for: 1)], block: 300)
        #expect(try await scene.trades().map(\.fill.block) == [300])
        scene.market.chain.set { state in
            state.logs = { _ in .success([]) }
            for number: UInt64 in 200...1_000 {
                state.blocks[number] = TestMarket.block(
                    number,
                    timestamp: TestMarket.now + number,
                    fork: 2
                )
            }
        }
        scene.mine([try swap(10, for: 1)], block: 400, fork: 2)
        #expect(try await scene.trades().map(\.fill.block) == [400])
    }

    @Test(
        "without pools of the pair and without an exchange the tape is empty, and nothing is read"
    )
    func none() async throws {
        let scene = try PoolMarketScene([])
        #expect(try await scene.trades().isEmpty)
        #expect(scene.asked(since: 0).isEmpty)
        var bare = try scene.session()
        bare.network.pools = nil
        let model = TradesModel(session: bare, journal: scene.store.journal)
        await #expect {
            _ = try await model.load(pairText: "ZRX/WETH")
        } throws: {
            ($0 as? DexError)?.code == "no-exchange"
        }
    }

    @Test("a swap forth and back counts once, a split over pools as a whole")
    func volume() async throws {
        let scene = try PoolMarketScene([.v3(fee: 500), .v3(fee: 3_000)])
        scene.mine([try swap(10, for: 1), try swap(9, for: 1, sells: true)], block: 50)
        scene.mine([try swap(10, for: 1), try swap(5, for: 1, in: .v3(fee: 3_000))], block: 51)
        let state = try await TradesModel(
            session: try scene.session(),
            journal: scene.store.journal
        ).load(pairText: "ZRX/WETH")
        #expect(state.summary.trades == 4)
        #expect(state.summary.base == 25 * unit && state.summary.quote == 3 * unit)
        let sync = try scene.sync()
        let (small, large) = (scene.pools[1], scene.pools[0])
        #expect(try await sync.volumes(of: [large], in: TestMarket.zrx)[large] == 20 * unit)
        #expect(try await sync.volumes(of: [small], in: TestMarket.zrx)[small] == 5 * unit)
        #expect(try await sync.volumes(of: [small], in: TestMarket.weth)[small] == unit)
        let none = try PoolMarketScene.pool(.v3(fee: 100))
        #expect(try await sync.volumes(of: [none], in: TestMarket.zrx)[none] == nil)
        let all = try await sync.volumes(of: [large, none, small], in: TestMarket.weth)
        #expect(all == [large: 2 * unit, small: unit])
        let late = MarketStart.time(TestMarket.now + 51)
        let later = try await sync.volumes(of: [large], in: TestMarket.zrx, from: late)
        #expect(later[large] == 10 * unit)
    }

    @Test("a pool that is moved forth and back within a block is in no close and no open")
    func manipulated() async throws {
        let scene = try PoolMarketScene()
        let even = PoolMarketScene.evenPrice
        scene.mine([try swap(10, for: 10)], block: 100)
        // A hundred times the price, and back.
        scene.mine(
            [
                try swap(10, for: 1_000, sqrtPrice: even * 10),
                try swap(10, for: 990, sells: true, sqrtPrice: even),
            ],
            block: 150
        )
        let pair = try scene.market.zrxWeth()
        let candles = Candles.make(try await scene.trades(), interval: 3_600)
        let candle = try #require(candles.first)
        let prices = try #require(candle.prices)
        #expect(prices.open == Price(quote: 1, base: 1) && prices.close == prices.open)
        #expect(prices.high == Price(quote: 100, base: 1))
        #expect(candle.trades == 3 && candle.base == 20 * unit)
        #expect(candle.weighted == Price(quote: candle.quote, base: candle.base))
        // The last price of a list is that of the block, too.
        #expect(MarketSummary(try await scene.trades()).last?.text(of: pair) == "1")
        // Alone in its interval, the manipulated block leaves what it found.
        let alone = Candles.make(Array(try await scene.trades().dropFirst()), interval: 60)
        #expect(alone.map { $0.prices?.open } == [Price(quote: 1, base: 1)])
        #expect(alone.map { $0.prices?.close } == [Price(quote: 1, base: 1)])
    }

    @Test("a tiny pool at an absurd price is in no open and no close beside a real one")
    func tinyPool() async throws {
        let scene = try PoolMarketScene([.v3(fee: 500), .v3(fee: 10_000)])
        let even = PoolMarketScene.evenPrice
        scene.mine([try swap(10, for: 10)], block: 100)
        scene.mine([try swap(9, for: 1, in: .v3(fee: 10_000), sqrtPrice: even / 3)], block: 120)
        scene.mine([try swap(9, for: 1, in: .v3(fee: 10_000), sqrtPrice: even / 3)], block: 900)
        let trades = try await scene.trades()
        // Where nothing else was traded, there is no other price.
        let minutes = Candles.make(trades, interval: 60)
        #expect(minutes.count == 3 && minutes.last?.trades == 1)
        #expect(minutes.last?.prices?.close == trades.last?.after)
        let hours = Candles.make(trades, interval: 3_600)
        #expect(hours.map { $0.prices?.close } == [Price(quote: 1, base: 1)])
        #expect(hours.first?.prices?.low == Price(quote: 1, base: 9))
    }

    @Test("a price has a trend from pools alone")
    func trend() async throws {
        let scene = try PoolMarketScene()
        scene.mine([try swap(10, for: 1)], block: 950)
        let trend = TrendModel(session: try scene.session(), journal: scene.store.journal)
        let before = scene.market.chain.rounds.count
        #expect(await trend.load(pairText: "ZRX/WETH")?.candles.count == 1)
        #expect(scene.market.chain.rounds.count > before)
        // It must not make the price wait: no longer reading than allowed, and no word about it.
        let messages = scene.market.clock.messages.count
        for maximum in 1...2 {
            let limited = TrendModel(
                session: try scene.session(),
                journal: scene.store.journal,
                maximumTrips: maximum
            )
            let start = scene.market.chain.rounds.count
            #expect(await limited.load(pairText: "ZRX/WETH") == nil)
            // The confirmation of the decimals is beside the first one.
            #expect((1...maximum + 1).contains(scene.market.chain.rounds.count - start))
        }
        #expect(scene.market.clock.messages.count == messages)
        let enough = TrendModel(
            session: try scene.session(),
            journal: scene.store.journal,
            maximumTrips: 8
        )
        #expect(await enough.load(pairText: "ZRX/WETH")?.candles.count == 1)
    }
}
