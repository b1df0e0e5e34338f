import Ethereum
import Synchronization
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The full screen without a relay: Uniswap's pools")
struct LivePoolsTests {
    private func market() throws -> FakePools {
        let pool = try #require(PoolID(FakePools.base, FakePools.quote, .v2))
        let unit: UInt256 = 1_000_000_000_000_000_000
        return FakePools([pool: try #require(FakePools.pair(1_000 * unit, 2_000 * unit))])
    }

    private func model() -> LiveModel {
        LiveModel(
            LiveState(
                network: "live",
                account: FakePools.account,
                accountName: "dave",
                canSign: true,
                pairText: FakePools.pairText,
                freshness: LiveFreshness(blockTime: 1_000, elapsed: 0),
                now: FakePools.now
            ),
            slippage: "0.5"
        )
    }

    private static let gone: @Sendable (Int, [ChainRead]) -> FakeChain.RoundAnswer? = { _, _ in
        .failure(.unreachable(url: "node", reason: "gone"))
    }

    @Test("the pools are read at each block and not between; an outage is told, and over")
    func follow() async throws {
        let clock = TestClock()
        let market = try market()
        clock.onSleep { count in
            let isGone = count == 2
            market.chain.set { state in
                if count == 1 {
                    state.blocks[101] = TestMarket.block(101, timestamp: FakePools.now + 12)
                }
                state.onRound = isGone ? Self.gone : nil
            }
            if count == 4 { throw CancellationError() }
        }
        let reported = Mutex<[String]>([])
        await LiveBookFollower(
            session: market.session(environment: clock.environment),
            settings: ReadSettings(),
            account: nil,
            interest: VisibleOrders(),
            pulse: RefreshTrigger()
        ) { news in
            let text: String? =
                switch news {
                case .pools(let pools): "pools \(pools.block.number)"
                case .head(let block, _): "head \(block.number)"
                case .trouble(.book, .some): "trouble"
                case .book, .changes: "a book"
                default: nil
                }
            if let text { reported.withLock { $0.append(text) } }
        }.run(FakePools.pair)
        #expect(
            reported.withLock { $0 } == [
                "head 100", "pools 100", "head 101", "pools 101", "trouble", "pools 101",
            ]
        )
    }

    @Test("pools are a market to trade at by a market order; limit orders need a relay")
    func keys() async throws {
        let pools = try await PoolReading.read(
            FakePools.pair,
            account: nil,
            session: try market().session()
        )
        var model = model()
        _ = model.take(.resized(columns: 80, rows: 24))
        #expect(model.obstacle == "There is no book yet to trade from.")
        _ = model.take(.feed(.head(pools.block, gasPrice: nil), generation: 0))
        _ = model.take(.feed(.pools(pools), generation: 0))
        _ = model.take(.feed(.confirmed(elapsed: 0), generation: 0))
        #expect(model.state.readPair?.name == "BASE/QUOTE" && model.state.isOld == false)
        #expect(model.obstacle == nil)
        _ = model.take(.key(.character("b")))
        #expect(model.state.mode.isBrowsing)
        #expect(model.state.note?.text.contains("no relay") == true)
        _ = model.take(.key(.character("m")))
        guard case .entry(let entry) = model.state.mode else {
            Issue.record("no entry opens")
            return
        }
        #expect(entry.kind == .market && entry.pair.name == "BASE/QUOTE")
        _ = model.take(.key(.escape))
        _ = model.take(.key(.character("p")))
        #expect(model.state.shownPools != nil && model.obstacle?.contains("frozen") == true)
        _ = model.take(.key(.character("p")))
        let later = TestMarket.block(105, timestamp: FakePools.now)
        _ = model.take(.feed(.head(later, gasPrice: nil), generation: 0))
        #expect(model.state.isOld == true)
        #expect(model.obstacle?.contains("older") == true)
    }

    @Test("mids are those of the pools where there is no relay")
    func mids() async throws {
        let market = try market()
        let session = market.session()
        let step = MidPrices.Step(base: FakePools.base, quote: FakePools.quote)
        let none = MidPrices.Step(base: FakePools.base, quote: FakePools.hub)
        let prices = MidPrices(session: session, settings: ReadSettings())
        let reading = await prices.ofBooks([step, none])
        let book = try await PoolBookReader(session: session).read(FakePools.pair)
        #expect(reading.prices[step] == book.mid && book.mid != nil)
        #expect(reading.prices[none] == nil && reading.failure == nil)
        market.chain.set { state in
            state.onRound = Self.gone
        }
        #expect(await prices.ofBooks([step]).failure?.contains("gone") == true)
    }
}
