import DexStore
import DexTestSupport
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Trades, charts and pairs with figures")
struct MarketModelsTests {
    let market: TestMarket
    let store = TemporaryJournal()

    init() throws {
        market = try TestMarket()
        market.chain.set { state in
            for number: UInt64 in 0...100 {
                state.blocks[number] = TestMarket.block(number, timestamp: TestMarket.now + number)
            }
            state.logs = { _ in .success([]) }
        }
        for maker in market.makers {
            market.fund(maker.address, TestMarket.zrx, balance: .max)
            market.fund(maker.address, TestMarket.weth, balance: .max)
        }
    }

    /// A fill of 10 ZRX for 1 WETH in a block: a buy, or a sale to a bid.
    private func fill(_ block: UInt64, sells: Bool = false) async throws {
        let maker = market.makers[0]
        let order =
            sells
            ? try await market.bid(by: maker, "10", for: "1")
            : try await market.ask(by: maker, "10", for: "1")
        market.mine(
            [
                market.fillLog(
                    order,
                    taker: market.trader.address,
                    filling: TestMarket.units(sells ? "10" : "1")
                )
            ],
            by: market.trader.address,
            block: block
        )
    }

    @Test("the tape has the latest trade first, and its sums count it all")
    func tape() async throws {
        try await fill(50)
        try await fill(60, sells: true)
        try await fill(70)
        let model = TradesModel(session: try market.session(), journal: store.journal)
        let state = try await model.load(pairText: "ZRX/WETH")
        #expect(state.rows.map(\.fill.block) == [70, 60, 50])
        #expect(state.rows.map(\.side) == [.buy, .sell, .buy])
        #expect(state.summary.trades == 3)
        #expect(state.summary.base == TestMarket.units("30"))
        #expect(state.summary.quote == TestMarket.units("3"))
        #expect(state.since == TestMarket.now + 100 - 86_400)
        let late = try await model.load(pairText: "ZRX/WETH", since: TestMarket.now + 61)
        #expect(late.rows.map(\.fill.block) == [70])
        let inverse = try await model.load(pairText: "WETH/ZRX")
        #expect(inverse.rows.map(\.side) == [.sell, .buy, .sell])
        #expect(inverse.summary.base == state.summary.quote)
    }

    @Test("a chart has a slot for each interval, and a gap where nothing was traded")
    func chart() async throws {
        try await fill(1)
        try await fill(95)
        let model = ChartModel(session: try market.session(), journal: store.journal)
        let state = try await model.load(
            pairText: "ZRX/WETH",
            interval: 60,
            since: TestMarket.now + 5
        )
        // The first candle is whole: it begins before the named time.
        #expect(state.since == TestMarket.now && state.until == TestMarket.now + 100)
        #expect(state.slots.map { $0?.trades } == [1, 1])
        let usual = try await model.load(pairText: "ZRX/WETH", interval: 60)
        #expect(usual.slots.count == 60)
        #expect(usual.slots.compactMap(\.self).count == 2)
        #expect(usual.slots.last??.start == TestMarket.now + 60)
    }

    @Test("a chart of too many candles is refused before any request")
    func tooMany() async throws {
        let model = ChartModel(session: try market.session(), journal: store.journal)
        await #expect {
            _ = try await model.load(pairText: "ZRX/WETH", interval: 60, since: 0)
        } throws: {
            ($0 as? DexError)?.code == "too-many-candles"
        }
        #expect(market.chain.rounds.isEmpty)
    }

    /// Mines fills of random size in every tenth block or so, and adds them to what a chart counts.
    private func mine(
        _ blocks: ClosedRange<UInt64>,
        _ trades: inout [TapeTrade],
        _ random: inout SeededGenerator
    ) async throws {
        market.chain.set { state in
            for number in blocks {
                state.blocks[number] = TestMarket.block(number, timestamp: TestMarket.now + number)
            }
        }
        for block in blocks where random.next() % 10 == 0 {
            var logs: [Log] = []
            for _ in 0...(random.next() % 3) {
                let (zrx, weth) = (1 + random.next() % 9, 1 + random.next() % 3)
                let buys = random.next() % 2 == 0
                let maker = market.makers[Int(random.next() % 2)]
                let order =
                    buys
                    ? try await market.ask(by: maker, "\(zrx)", for: "\(weth)")
                    : try await market.bid(by: maker, "\(zrx)", for: "\(weth)")
                let filled = UInt256(1 + random.next() % 1_000_000_000_000_000_000)
                logs.append(
                    market.fillLog(order, taker: market.trader.address, filling: filled)
                )
                trades.append(
                    try CandlesTests.trade(
                        at: TestMarket.now + block,
                        base: buys ? filled * UInt256(zrx) / UInt256(weth) : filled,
                        quote: buys ? filled : filled * UInt256(weth) / UInt256(zrx),
                        buys: buys
                    )
                )
            }
            market.mine(logs, by: market.trader.address, block: block)
        }
    }

    @Test(
        "candles of random fills, read in any pieces, are those of a brute-force search",
        arguments: 1...6
    )
    func randomFills(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var trades: [TapeTrade] = []
        for blocks: ClosedRange<UInt64> in [101...500, 501...800] {
            try await mine(blocks, &trades, &random)
            // A node that returns only short ranges.
            let maximum = 20 + random.next() % 300
            market.chain.set { state in
                state.onRound = { _, reads in
                    let isLong = reads.contains { read in
                        guard case .logs(let filter) = read,
                            case .number(let first) = filter.fromBlock,
                            case .number(let last) = filter.toBlock
                        else { return false }
                        return last - first >= maximum
                    }
                    return isLong
                        ? .failure(.rpc(code: -32_005, message: "too many blocks")) : nil
                }
            }
            let model = ChartModel(session: try market.session(), journal: store.journal)
            for _ in 0..<4 {
                let interval: UInt64 = [60, 120, 300, 900][Int(random.next() % 4)]
                let since = TestMarket.now + random.next() % blocks.upperBound
                let state = try await model.load(
                    pairText: "ZRX/WETH",
                    interval: interval,
                    since: since
                )
                let first = since - since % interval
                let expected = CandlesTests.oracle(
                    trades.filter { $0.fill.time >= first },
                    interval: interval
                )
                #expect(state.candles == expected, "seed \(seed)")
                #expect(state.since == first && state.block == blocks.upperBound)
            }
        }
        #expect(trades.count > 60)
    }

    private func pairs(books: Int = 20) async throws -> PairsState {
        try await pairsModel().load(books: books)
    }

    private func pairsModel() throws -> MarketPairsModel {
        let pair = RelayTokenPair(
            tokenA: .init(token: TestMarket.zrx, minimum: 1, maximum: nil, precision: nil),
            tokenB: .init(token: TestMarket.weth, minimum: nil, maximum: nil, precision: nil)
        )
        let other = RelayTokenPair(
            tokenA: .init(token: TestMarket.usdc, minimum: 1, maximum: nil, precision: nil),
            tokenB: .init(token: TestMarket.weth, minimum: nil, maximum: nil, precision: nil)
        )
        market.relay.set { $0.pairs = .success([other, pair]) }
        let context = ReadContext(
            session: try market.session(),
            journal: store.journal,
            settings: ReadSettings()
        )
        return MarketPairsModel(context)
    }

    @Test("the pair with the most trades comes first, with its book and volume")
    func figures() async throws {
        let maker = market.makers[0]
        market.setBook(
            bids: [
                try await market.bid(by: maker, "100", for: "0.9"),
                try await market.bid(by: maker, "100", for: "0.89"),
                try await market.bid(by: maker, "100", for: "0.5"),
            ],
            asks: [try await market.ask(by: maker, "100", for: "1")]
        )
        try await fill(50)
        let state = try await pairs(books: 1)
        #expect(state.rows.map(\.pair.name) == ["ZRX/WETH", "WETH/USDC"])
        let row = try #require(state.rows.first)
        #expect(row.volume?.trades == 1 && row.volume?.quote == TestMarket.units("1"))
        #expect(row.book?.spreadBasisPoints == 1_052)
        #expect(row.book?.bidDepth == TestMarket.units("1.79"))
        #expect(row.book?.askDepth == TestMarket.units("1"))
        #expect(state.rows.last?.book == nil && state.rows.last?.volume?.trades == 0)
        #expect(
            state.warnings == [
                "Only the books of the first 1 of 2 pairs were read; --books 2 reads all."
            ]
        )
    }

    @Test("for a list with last prices no book is read; the last trade of a pair is its price")
    func lastPrices() async throws {
        try await fill(50)
        let state = try await pairsModel().traded()
        #expect(state.rows.map(\.pair.name) == ["ZRX/WETH", "WETH/USDC"])
        let last = try #require(state.rows.first?.volume?.last)
        #expect(last.text(of: try market.zrxWeth()) == "0.1")
        #expect(state.rows.last?.volume?.last == nil && state.rows.last?.volume != nil)
        #expect(state.rows.allSatisfy { $0.book == nil })
    }

    @Test("without books no node is asked, and a dead node leaves the list with its reason")
    func withoutNode() async throws {
        #expect(try await pairs(books: 0).rows.count == 2)
        #expect(market.chain.rounds.isEmpty)
        market.setBook()
        market.chain.set {
            $0.onRound = { _, _ in .failure(.unreachable(url: "n", reason: "down")) }
        }
        let state = try await pairs()
        #expect(state.rows.map(\.pair.name) == ["WETH/USDC", "ZRX/WETH"])
        #expect(state.rows.allSatisfy { $0.book == nil && $0.volume == nil })
        #expect(state.warnings.count == 2)
        #expect(state.warnings.allSatisfy { $0.contains("The node at n cannot be reached") })
    }
}
