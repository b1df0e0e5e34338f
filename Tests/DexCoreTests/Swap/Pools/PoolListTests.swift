import DexTestSupport
import Ethereum
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The pools of a pair: depth, oracle, order, and what a node may lie about")
struct PoolListTests {
    private static let unit: UInt256 = 1_000_000_000_000_000_000

    private func direct(_ kind: PoolKind) throws -> PoolID {
        try #require(PoolID(FakePools.base, FakePools.quote, kind))
    }

    private func market(_ more: [PoolID: PoolDepth] = [:]) throws -> FakePools {
        var depths = more
        depths[try direct(.v2)] = FakePools.pair(1_000 * Self.unit, 4_000 * Self.unit)
        depths[try direct(.v3(fee: 500))] = try FakePools.pool(
            fee: 500,
            tick: 13_863,
            liquidity: 1_000_000_000_000_000_000_000_000
        )
        return FakePools(depths)
    }

    /// Answers of `observe` for times up to some seconds; "OLD" beyond.
    private func answer(upTo reach: UInt32, in market: FakePools) {
        market.lie { call in
            guard
                let span = PoolListModel.spans.first(where: {
                    ContractRead.observe(secondsAgo: [$0, 0]).data == call.data
                })
            else { return nil }
            guard span <= reach else { return .failure(.reverted(data: [], message: "OLD")) }
            let words: [UInt256] = [64, 160, 2, 0, UInt256(UInt64(span)) * 13_863, 2, 1, 2]
            return .success(words.flatMap(\.word.bytes))
        }
    }

    private func load(_ market: FakePools) async throws -> PoolListState {
        try await PoolListModel(session: market.session()).load(pairText: FakePools.pairText)
    }

    @Test("the deepest is first; depth, liquidity, reserves and address are the pool's own")
    func rows() async throws {
        let market = try market()
        answer(upTo: 1_800, in: market)
        let state = try await load(market)
        // Decimals, then two for the pools.
        #expect(state.rows.map(\.pool.kind) == [.v3(fee: 500), .v2])
        #expect(
            state.rows.map(\.address) == state.rows.map { market.deployment.address(of: $0.pool) }
        )
        #expect(state.warnings.isEmpty)
        let pool = state.rows[0]
        #expect(pool.liquidity == 1_000_000_000_000_000_000_000_000 && pool.reserves == nil)
        #expect(pool.oracle == .reaches(seconds: 1_800, observations: 1))
        let pair = state.rows[1]
        #expect(pair.liquidity == 2_000_000_000_000_000_000_000)
        #expect(
            pair.reserves?.base == 1_000 * Self.unit && pair.reserves?.quote == 4_000 * Self.unit
        )
        #expect(pair.oracle == .none)
        // 1 % of the price is about half a percent of each reserve.
        let sold = try #require(pair.buy?.base)
        #expect(sold > 4_900 * Self.unit / 1_000 && sold < 5_050 * Self.unit / 1_000)
        let paid = try #require(pair.sell?.quote)
        #expect(paid > 19_800 * Self.unit / 1_000 && paid < 20_200 * Self.unit / 1_000)
        let four = try #require(Price(quote: 4, base: 1))
        #expect(pair.price == four)
    }

    @Test("a pool whose oracle does not answer, or answers nonsense, reaches nowhere")
    func oracle() async throws {
        let silent = try await load(try market())
        #expect(silent.rows[0].oracle == .reaches(seconds: 0, observations: 1))
        for words: [UInt256] in [
            [], [1], [64, 160, 1, 5, 1, 5], [64, 160, 2, 0, .max >> 1, 2, 1, 2],
        ] {
            let market = try market()
            let address = market.deployment.address(of: try direct(.v3(fee: 500)))
            market.lie { call in
                call.to == address && call.data.starts(with: [0x88, 0x3b, 0xdb, 0xfd])
                    ? .success(words.flatMap(\.word.bytes)) : nil
            }
            #expect(try await load(market).rows[0].oracle == .reaches(seconds: 0, observations: 1))
        }
    }

    @Test("a tiny pool of an absurd price is the last, whatever its own price makes of its depth")
    func order() async throws {
        for tick: Int32 in [13_863 + 200_000, 13_863 - 200_000] {
            let market = try market([
                try direct(.v3(fee: 10_000)): try FakePools.pool(
                    fee: 10_000,
                    tick: tick,
                    liquidity: 100_000_000_000
                )
            ])
            #expect(try await load(market).rows.last?.pool.kind == .v3(fee: 10_000))
        }
    }

    @Test("a pool that could not be read whole is named, not listed")
    func unread() async throws {
        let market = try market()
        let lens = market.deployment.lens
        market.lie { $0.to == lens ? .success([1]) : nil }
        let state = try await load(market)
        #expect(state.rows.map(\.pool.kind) == [.v2])
        #expect(state.warnings.count == 1 && state.warnings[0].contains("v3:0.05%"))
    }

    @Test("the share is of all volume that was read; with a gap there is none")
    func share() async throws {
        var state = try await load(try market())
        #expect(state.share(of: state.rows[0]) == nil)
        state.rows[0].volume = 300
        #expect(state.share(of: state.rows[0]) == nil)
        state.rows[1].volume = 100
        #expect(state.share(of: state.rows[0]) == 7_500)
        #expect(state.share(of: state.rows[1]) == 2_500)
        state.rows[0].volume = 0
        state.rows[1].volume = 0
        #expect(state.share(of: state.rows[0]) == nil)
    }
}
