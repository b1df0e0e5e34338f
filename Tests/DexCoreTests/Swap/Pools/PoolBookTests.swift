import DexTestSupport
import Ethereum
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Uniswap's pools as a book, and what a node may lie about")
struct PoolBookTests {
    private static let unit: UInt256 = 1_000_000_000_000_000_000

    private func direct(_ kind: PoolKind) throws -> PoolID {
        try #require(PoolID(FakePools.base, FakePools.quote, kind))
    }

    /// A v2 pair and a v3 pool, both at 2 QUOTE for 1 BASE.
    private func market(_ more: [PoolID: PoolDepth] = [:]) throws -> FakePools {
        var depths = more
        depths[try direct(.v2)] = FakePools.pair(1_000 * Self.unit, 2_000 * Self.unit)
        depths[try direct(.v3(fee: 500))] = try FakePools.pool(
            fee: 500,
            tick: 6_931,
            liquidity: 1_000_000_000_000_000_000_000_000
        )
        return FakePools(depths)
    }

    private func read(_ market: FakePools, _ pair: Pair = FakePools.pair) async throws -> PoolBook {
        try await PoolBookReader(session: market.session()).read(pair)
    }

    private func fault(_ body: () async throws -> Void) async -> DexError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? DexError
        }
    }

    @Test(
        "two round trips give both sides, the best first, and the spread is that of the lower fee"
    )
    func book() async throws {
        let market = try market()
        let book = try await read(market)
        #expect(market.chain.rounds.count == 2)
        #expect(book.block.number == 100)
        #expect(Set(book.pools.keys) == Set(market.depths.keys))
        #expect(
            book.addresses
                == market.depths.keys.reduce(into: [:]) {
                    $0[$1] = market.deployment.address(of: $1)
                }
        )
        for (better, worse) in zip(book.asks, book.asks.dropFirst()) {
            #expect(better.price <= worse.price)
        }
        for (better, worse) in zip(book.bids, book.bids.dropFirst()) {
            #expect(better.price >= worse.price)
        }
        let (bid, ask) = (try #require(book.bid), try #require(book.ask))
        let two = try #require(Price(quote: 2, base: 1))
        #expect(bid < two && two < ask)
        let spread = try #require(BookSpread.basisPoints(bid: bid, ask: ask))
        // Twice 0.05 %, and two levels of 0.01 %.
        #expect((10...13).contains(spread), "\(spread)")
        #expect(book.asks.first?.pool == (try direct(.v3(fee: 500))))
        #expect(book.mid == bid.midpoint(with: ask))
    }

    @Test("a pool's levels are what one trade to the last of their prices moves")
    func ladder() async throws {
        let market = try market()
        let book = try await read(market)
        for (pool, depth) in market.depths {
            let side = PoolOrientation(pool, base: FakePools.base)
            let last = try #require(PoolBook.steps.last)
            for direction in [TradeSide.buy, .sell] {
                let levels = book.levels(for: direction).filter { $0.pool == pool }
                #expect(levels.count == PoolBook.steps.count || levels.count > 8, "\(pool.kind)")
                let whole = try #require(side.amounts(direction, of: depth, ticks: last))
                #expect(levels.map(\.base).reduce(.zero, +) == whole.base)
                #expect(levels.map(\.quote).reduce(.zero, +) == whole.quote)
            }
        }
        // The pool's own exact math agrees: a purchase of a level's base costs its quote.
        let pool = try direct(.v3(fee: 500))
        let first = try #require(book.asks.first)
        let quote = try #require(market.depths[pool]).quote(
            .exactOut(first.base),
            zeroForOne: pool.token0 == FakePools.quote
        )
        #expect(quote.amountIn <= first.quote && first.quote - quote.amountIn <= 1)
    }

    @Test("the pair turned around has the same pools, and prices one over the other")
    func turned() async throws {
        let market = try market()
        let book = try await read(market)
        let turned = try await read(
            market,
            Pair(base: FakePools.pair.quote, quote: FakePools.pair.base)
        )
        #expect(turned.bids.count == book.asks.count && turned.asks.count == book.bids.count)
        for (bid, ask) in zip(turned.bids, book.asks) {
            #expect(bid.base == ask.quote && bid.quote == ask.base && bid.pool == ask.pool)
        }
    }

    @Test("the chain's coin is traded as its wrapped token")
    func coin() async throws {
        let pool = try #require(PoolID(FakePools.weth, FakePools.quote, .v2))
        let market = FakePools([
            pool: try #require(FakePools.pair(5_000 * Self.unit, 5_000 * Self.unit))
        ])
        let book = try await read(
            market,
            Pair(base: .nativeCoin(.ether), quote: FakePools.pair.quote)
        )
        #expect(book.pools.keys.map(\.self) == [pool])
        #expect(book.pair.base.isNativeCoin && book.mid != nil)
        let parity = await fault {
            _ = try await read(
                market,
                Pair(base: .nativeCoin(.ether), quote: FakePools.token(FakePools.weth, "WETH"))
            )
        }
        #expect(parity?.code == "no-pool" && parity?.kind == .refused)
    }

    private static let absurdTicks: [Int32] = [-93_069, 3_931, 9_931, 106_931]

    @Test(
        "a tiny pool's absurd price is in the list, and is no bid, ask or mid",
        arguments: absurdTicks
    )
    func crumb(tick: Int32) async throws {
        let honest = try await read(try market())
        let market = try market([
            try direct(.v3(fee: 10_000)): try FakePools.pool(
                fee: 10_000,
                tick: tick,
                liquidity: 100_000_000_000
            )
        ])
        let book = try await read(market)
        #expect(book.pools.count == 3)
        #expect(book.bid == honest.bid && book.ask == honest.ask && book.mid == honest.mid)
    }

    // MARK: Lies

    @Test("a pool that the factory has at another address is left out, and so is one without")
    func otherAddress() async throws {
        let lied = try direct(.v3(fee: 500))
        for word in [UInt256(0xbad), 0] {
            let market = try market()
            market.lie { call in
                call.data == ContractRead.pool(lied).data ? .success(word.word.bytes) : nil
            }
            let book = try await read(market)
            #expect(Set(book.pools.keys) == [try direct(.v2)])
            #expect(book.asks.allSatisfy { $0.pool.kind == .v2 })
        }
    }

    @Test(
        "ticks that no genuine pool has, and a lens that fails, leave a v3 pool out",
        arguments: [
            [UInt8](), [0x01], Array(repeating: 0xff, count: 96),
        ]
    )
    func lyingLens(answer: [UInt8]) async throws {
        let market = try market()
        let lens = market.deployment.lens
        market.lie { $0.to == lens ? .success(answer) : nil }
        let book = try await read(market)
        #expect(Set(book.pools.keys) == [try direct(.v2)])
        let reverting = try self.market()
        reverting.lie { $0.to == lens ? .failure(.reverted(data: [], message: "")) : nil }
        #expect(Set(try await read(reverting).pools.keys) == [try direct(.v2)])
    }

    @Test("where the chain has no lens, v2 pairs alone are the book")
    func noLens() async throws {
        let market = try market()
        var deployment = market.deployment
        deployment.lens = nil
        let session = market.session(deployment: deployment)
        let book = try await PoolBookReader(session: session).read(FakePools.pair)
        #expect(Set(book.pools.keys) == [try direct(.v2)])
    }

    @Test("no pool, none with liquidity, and none that was read whole: exit 6")
    func noPool() async throws {
        let empty = FakePools([:])
        let none = await fault { _ = try await read(empty) }
        #expect(none?.code == "no-pool" && none?.kind == .refused)
        // Nothing more is asked.
        #expect(empty.chain.rounds.count == 1)
        let dry = FakePools([
            try direct(.v2): try #require(FakePools.pair(0, 0)),
            try direct(.v3(fee: 500)): try FakePools.pool(fee: 500, tick: 0, liquidity: 0),
        ])
        #expect(await fault { _ = try await read(dry) }?.code == "no-pool")
        let lied = try market()
        let factories = [lied.deployment.v2Factory, lied.deployment.v3Factory]
        lied.lie { factories.contains($0.to) ? .success([]) : nil }
        #expect(await fault { _ = try await read(lied) }?.code == "no-pool")
    }

    @Test("another chain, other contracts and a node that stalls are told as such")
    func node() async throws {
        let market = try market()
        let wrong = await fault {
            _ = try await PoolBookReader(session: market.session(chainID: 5)).read(FakePools.pair)
        }
        #expect(wrong?.kind == .configuration)
        for round in 0...1 {
            let market = try self.market()
            market.chain.set { state in
                state.onRound = { number, _ in
                    number == round
                        ? .failure(.unreachable(url: "node", reason: "it is gone")) : nil
                }
            }
            #expect(await fault { _ = try await read(market) }?.kind == .unreachable)
        }
        let other = try self.market()
        other.lie { call in
            call.data == ContractRead<Address>.wrapped.data
                ? .success(FakePools.hub.word.bytes) : nil
        }
        #expect(await fault { _ = try await read(other) }?.code == "other-router")
        var session = try self.market().session()
        session.network.pools = nil
        let none = await fault {
            _ = try await PoolBookReader(session: session).read(FakePools.pair)
        }
        #expect(none?.code == "no-pools" && none?.kind == .configuration)
    }

    private static let gone: @Sendable (Int, [ChainRead]) -> FakeChain.RoundAnswer? = { _, _ in
        .failure(.unreachable(url: "node", reason: "it is gone"))
    }

    // MARK: Commands

    @Test("what is shown is cut to the depth; the price is of all levels")
    func state() async throws {
        let market = try market()
        let model = PoolBookModel(session: market.session())
        let whole = try await model.load(pairText: FakePools.pairText)
        let cut = try await model.load(pairText: FakePools.pairText, depth: 1)
        #expect(cut.asks.count == 1 && cut.bids.count == 1)
        #expect(cut.bid == whole.bid && cut.ask == whole.ask && cut.mid != nil)
        #expect(whole.asks.count == whole.book.asks.count)
        let price = try await model.price(pairText: FakePools.pairText)
        #expect(price.bid == whole.bid && price.ask == whole.ask && price.mid == whole.mid)
        #expect(
            price.spread
                == BookSpread.basisPoints(
                    bid: try #require(whole.bid),
                    ask: try #require(whole.ask)
                )
        )
    }

    @Test("the watch shows a book when its pools changed, not at each block; a failure is retried")
    func watch() async throws {
        let clock = TestClock()
        let pool = try direct(.v2)
        let market = FakePools([pool: try #require(FakePools.pair(1_000, 2_000))])
        let address = market.deployment.address(of: pool)
        let model = PoolBookModel(session: market.session(environment: clock.environment))
        let changed: [UInt256] = [900, 2_100, 1]
        clock.onSleep { count in
            let number = UInt64(101 + count)
            let isGone = count == 1
            market.chain.set { state in
                state.blocks[number] = TestMarket.block(number, timestamp: FakePools.now)
                state.onRound = isGone ? Self.gone : nil
            }
            guard count == 2 else { return }
            market.lie { call in
                call.to == address ? .success(changed.flatMap(\.word.bytes)) : nil
            }
        }
        let shown = Recorder()
        try await model.watch(pairText: FakePools.pairText) { state in
            shown.append(Int(state.book.block.number))
            return shown.values.count < 2
        }
        #expect(shown.values == [100, 103])
        #expect(clock.messages.count == 1)
    }
}
