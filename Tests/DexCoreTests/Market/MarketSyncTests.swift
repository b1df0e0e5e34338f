import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A market's fills are read once")
struct MarketSyncTests {
    let market: TestMarket
    let store = TemporaryJournal()

    init() throws {
        market = try TestMarket()
        // A block a second, and a head far above the blocks that are not kept.
        market.chain.set { state in
            for number: UInt64 in 0...1_000 {
                state.blocks[number] = TestMarket.block(number, timestamp: TestMarket.now + number)
            }
            state.logs = { _ in .success([]) }
        }
    }

    private func sync() throws -> MarketSync {
        MarketSync(session: try market.session(), journal: store.journal)
    }

    private func read(_ start: MarketStart) async throws -> [MarketFill] {
        let sync = try sync()
        return try await sync.read(try await sync.plan(from: start)).fills
    }

    private func ranges() throws -> [ClosedRange<UInt64>] {
        let parts = MarketSources(hasExchange: true, pools: [:]).parts(try market.session())
        return try store.journal.eventRanges(covering: parts, touching: 0...2_000)
            .map(\.range.blocks)
    }

    @discardableResult
    private func fill(_ block: UInt64, fork: UInt64 = 0, by maker: Int = 0) async throws
        -> TransactionHash
    {
        let order = try await market.ask(by: market.makers[maker], "10", for: "1")
        return market.mine(
            [market.fillLog(order, taker: market.trader.address, filling: 5)],
            by: market.trader.address,
            block: block,
            fork: fork
        )
    }

    /// The ranges of blocks whose logs were asked for since a round.
    private func asked(since round: Int) -> [ClosedRange<UInt64>] {
        market.chain.rounds.dropFirst(round).flatMap { $0 }.compactMap { read in
            guard case .logs(let filter) = read, case .number(let first) = filter.fromBlock,
                case .number(let last) = filter.toBlock
            else { return nil }
            return first...last
        }
    }

    @Test("fills of all makers have times and sides, and only new blocks are read again")
    func once() async throws {
        try await fill(300)
        try await fill(700, by: 1)
        try await fill(950)
        let first = try await read(.time(TestMarket.now + 100))
        #expect(first.map(\.block) == [300, 700, 950])
        #expect(first.map(\.time) == [300, 700, 950].map { TestMarket.now + $0 })
        #expect(Set(first.map(\.maker)).count == 2)
        let kept = try #require(try ranges().first)
        #expect(kept.upperBound == 872 && kept.lowerBound <= 100)

        let rounds = market.chain.rounds.count
        market.mine(1_010, timestamp: TestMarket.now + 1_010)
        #expect(try await read(.time(TestMarket.now + 100)) == first)
        #expect(asked(since: rounds) == [873...1_010])
        #expect(try ranges() == [kept.lowerBound...882])
    }

    @Test("the time is a bound: earlier fills of a block that was read too are left out")
    func since() async throws {
        try await fill(499)
        try await fill(500)
        #expect(try await read(.time(TestMarket.now + 500)).map(\.block) == [500])
        #expect(try await read(.span(500)).map(\.block) == [500])
        #expect(try await read(.span(501)).map(\.block) == [499, 500])
        // The running hour, and the one before it.
        let hour = MarketStart.candles(interval: 3_600, count: 2)
        let head = TestMarket.block(1_000, timestamp: 7_300)
        #expect(hour.time(at: head) == 3_600)
        #expect(MarketStart.candles(interval: .max, count: 9).time(at: head) == 0)
    }

    @Test("an earlier time reads only the gap, and a young chain keeps nothing")
    func gap() async throws {
        _ = try await read(.time(TestMarket.now + 800))
        let kept = try #require(try ranges().first)
        let rounds = market.chain.rounds.count
        _ = try await read(.time(TestMarket.now))
        #expect(asked(since: rounds).first == 0...(kept.lowerBound - 1))
        #expect(try ranges() == [0...872])

        let young = try MarketSyncTests()
        young.market.chain.set { $0.blocks = $0.blocks.filter { $0.key <= 128 } }
        try await young.fill(100)
        #expect(try await young.read(.time(0)).map(\.block) == [100])
        #expect(try young.ranges() == [0...0])
    }

    @Test("a reorganization of the newest blocks is seen, without anything to undo")
    func reorganized() async throws {
        try await fill(950)
        #expect(try await read(.time(TestMarket.now)).map(\.block) == [950])
        market.chain.set { $0.logs = { _ in .success([]) } }
        market.mine(950, timestamp: TestMarket.now + 950, fork: 1)
        #expect(try await read(.time(TestMarket.now)).isEmpty)
    }

    @Test("a chain that has another block at the end of a kept range is read anew")
    func reorganizedDeeply() async throws {
        try await fill(300)
        #expect(try await read(.time(TestMarket.now)).map(\.block) == [300])
        market.chain.set { state in
            state.logs = { _ in .success([]) }
            for number: UInt64 in 200...1_000 {
                state.blocks[number] = TestMarket.block(
                    number,
                    timestamp: TestMarket.now + number,
                    fork: 2
                )
            }
        }
        try await fill(400, fork: 2)
        #expect(try await read(.time(TestMarket.now)).map(\.block) == [400])
    }

    @Test("a reading that fails goes on where it stopped")
    func interrupted() async throws {
        try await fill(100)
        try await fill(800)
        let isBroken = Mutex(true)
        market.chain.set { state in
            let logs = state.logs
            state.logs = { filter in
                guard case .number(let first) = filter.fromBlock,
                    case .number(let last) = filter.toBlock
                else { return .failure(.nonsense("no numbers")) }
                // Only short ranges, and nothing from block 500 on at first.
                if last - first >= 200 || (last >= 500 && isBroken.withLock { $0 }) {
                    return .failure(.rpc(code: -32_005, message: "too many blocks"))
                }
                return logs?(filter) ?? .success([])
            }
        }
        await #expect {
            _ = try await read(.time(TestMarket.now))
        } throws: {
            ($0 as? DexError)?.code == "logs-refused"
        }
        #expect(try ranges() == [0...499])
        isBroken.withLock { $0 = false }
        let rounds = market.chain.rounds.count
        #expect(try await read(.time(TestMarket.now)).map(\.block) == [100, 800])
        #expect(asked(since: rounds).allSatisfy { $0.lowerBound >= 500 })
    }

    @Test("logs of another fork than the blocks are an error that may be tried again")
    func forked() async throws {
        try await fill(950, fork: 1)
        market.mine(950, timestamp: TestMarket.now + 950)
        await #expect {
            _ = try await read(.time(TestMarket.now))
        } throws: { error in
            let error = error as? DexError
            return error?.code == "reorganized" && error?.retryable == true
        }
    }

    @Test("the blocks of a range that are not known")
    func gaps() {
        func gaps(_ known: ClosedRange<UInt64>...) -> [ClosedRange<UInt64>] {
            BlockSpans([10...20]).subtracting(BlockSpans(known)).ranges
        }
        #expect(gaps() == [10...20])
        #expect(gaps(0...9, 21...30) == [10...20])
        #expect(gaps(0...10, 20...30) == [11...19])
        #expect(gaps(12...13, 15...16) == [10...11, 14...14, 17...20])
        #expect(gaps(10...20).isEmpty && gaps(0...UInt64.max).isEmpty)
        #expect(gaps(15...25) == [10...14])
    }

    @Test("a block is found by its time in a few requests, whatever the pace of the chain")
    func search() async throws {
        for (pace, blockTime) in [(1, 1), (12, 12), (12, 1), (1, 12)] as [(UInt64, UInt64)] {
            let market = try TestMarket()
            market.chain.set { state in
                for number: UInt64 in 0...5_000 {
                    state.blocks[number] = TestMarket.block(
                        number,
                        timestamp: TestMarket.now + number * pace
                    )
                }
            }
            var session = try market.session()
            session.network.blockMilliseconds = blockTime * 1_000
            let head = TestMarket.block(5_000, timestamp: TestMarket.now + 5_000 * pace)
            for target: UInt64 in [0, 1, 2_500, 4_990, 5_000, 9_000] {
                let before = market.chain.rounds.count
                let time = TestMarket.now + target * pace
                let found = try await TimeSearch(session: session)
                    .block(notAfter: time, slack: 60, head: head)
                let exact = min(target, 5_000)
                #expect(found <= exact && (exact - found) * pace <= 60 + pace)
                #expect(market.chain.rounds.count - before <= 6, "pace \(pace), \(target)")
            }
        }
    }

    @Test("a trend is drawn only if one request suffices, and its failure is no error")
    func trend() async throws {
        let pair = "ZRX/WETH"
        let trend = TrendModel(session: try market.session(), journal: store.journal)
        try await fill(950)
        #expect(await trend.load(pairText: pair)?.candles.count == 1)
        market.chain.set { $0.logs = { _ in .failure(.rpc(code: -32_601, message: "no logs")) } }
        // Another command: this one has read them.
        let next = TrendModel(session: try market.session(), journal: store.journal)
        #expect(await next.load(pairText: pair) == nil)
        #expect(market.clock.messages.contains { $0.contains("no logs") })

        var swapOnly = try market.session()
        swapOnly.network.exchange = .zero
        let asked = market.chain.rounds.count
        #expect(
            await TrendModel(session: swapOnly, journal: store.journal).load(pairText: pair) == nil
        )
        #expect(market.chain.rounds.count == asked)

        let long = try MarketSyncTests()
        long.market.chain.set { state in
            state.logs = nil
            for number: UInt64 in stride(from: 0, through: 86_400, by: 1) {
                state.blocks[number] = TestMarket.block(
                    number,
                    timestamp: TestMarket.now + number
                )
            }
        }
        let many = TrendModel(session: try long.market.session(), journal: long.store.journal)
        #expect(await many.load(pairText: pair) == nil)
    }
}
