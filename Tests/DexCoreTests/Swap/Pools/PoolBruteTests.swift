import DexTestSupport
import Ethereum
import Foundation
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// The route against all paths and a grid of splits, in random sets of pools.
///
/// The seed is `SampleSeed`'s; with `DEX_UNISWAP_ALL=1` there are 1,000 sets.
@Suite("The best route at Uniswap's pools against brute force")
struct PoolBruteTests {
    private static let isAll = ProcessInfo.processInfo.environment["DEX_UNISWAP_ALL"] == "1"
    /// Parts of the amount that brute force tries to divide it in.
    private static let steps = 20

    @Test(
        "no path and no split on a grid is better than the choice, after gas",
        arguments: [false, true]
    )
    func brute(isExactIn: Bool) async throws {
        var random = SeededGenerator(seed: SampleSeed.of("UNISWAP"))
        var (splits, worst) = (0, Int128.zero)
        for number in 0..<(Self.isAll ? 500 : 16) {
            let market = FakePools(try Self.depths(&random, isWild: number % 2 == 0))
            let whole = UInt256(random.next() >> 6) << random.below(15) + 1
            let amount = isExactIn ? PoolAmount.exactIn(whole) : .exactOut(whole)
            let gasPrice = UInt256(UInt64(random.pick([1, 1_000, 1_000_000_000])))
            market.chain.set { $0.gasPrice = .success(Wei(gasPrice)) }
            let brute = Brute(amount, market.depths, gasPrice: gasPrice)
            let (path, split) = (brute.bestPath, brute.bestSplit)
            let request = FakePools.request(isExactIn ? .exactIn(whole) : .exactOut(whole))
            do throws(LiquidityError) {
                let quote = try await market.source().quote(request)
                // nil: no call of the router
                let call = try? RouterCall(data: quote.call.data, value: quote.call.value)
                let legs = call?.swaps ?? []
                let quoted = isExactIn ? quote.price.bought : quote.price.sold
                #expect(
                    legs.compactMap { brute.quoted($0.path, $0.amount) }.reduce(0, +) == quoted
                )
                let own = brute.judged(quoted, legs.map(\.path))
                #expect(path.map { $0 <= own } ?? true, "\(number): a path is better")
                guard let split else { continue }
                worst = max(worst, split - own)
                splits += legs.count > 1 ? 1 : 0
                // Rounding, and the 16-millionth that a split is found to.
                #expect(split - own <= 8 + Brute.signed(quoted >> 24), "\(number)")
            } catch {
                #expect(error == .noPool)
                #expect(path == nil && split == nil, "\(number)")
            }
        }
        #expect(splits > (Self.isAll ? 100 : 2))
        print("Uniswap: \(splits) splits, brute force better by \(worst) base units at most")
    }

    /// Pools at any prices, or at about the same one.
    private static func depths(
        _ random: inout SeededGenerator,
        isWild: Bool
    ) throws -> [PoolID: PoolDepth] {
        var depths: [PoolID: PoolDepth] = [:]
        let tokens = [FakePools.base, FakePools.quote, FakePools.weth, FakePools.hub]
        for first in tokens {
            for second in tokens where first < second {
                for kind in PoolCandidates.kinds where random.chance(isWild ? 35 : 60) {
                    let pool = try #require(PoolID(first, second, kind))
                    switch kind {
                    case .v2:
                        let reserve = UInt256(random.next()) * 1_000
                        depths[pool] = FakePools.pair(
                            reserve,
                            isWild
                                ? UInt256(random.next()) * 1_000
                                : reserve * UInt256(UInt64(980 + random.below(40))) / 1_000
                        )
                    case .v3(let fee):
                        let range = isWild ? 10_000 : 200
                        depths[pool] = try FakePools.pool(
                            fee: fee,
                            tick: Int32(random.below(2 * range) - range),
                            liquidity: UInt128(random.next()) * 1_000
                        )
                    }
                }
            }
        }
        return depths
    }

    /// All that could be done with an amount.
    private struct Brute {
        let amount: PoolAmount
        let depths: [PoolID: PoolDepth]
        let gasPrice: UInt256

        init(_ amount: PoolAmount, _ depths: [PoolID: PoolDepth], gasPrice: UInt256) {
            (self.amount, self.depths, self.gasPrice) = (amount, depths, gasPrice)
        }

        static func signed(_ amount: UInt256) -> Int128 {
            amount.uint128.map { Int128(clamping: $0) } ?? .max
        }

        private var isExactIn: Bool { if case .exactIn = amount { true } else { false } }
        private var whole: UInt256 {
            switch amount {
            case .exactIn(let amount), .exactOut(let amount): amount
            }
        }

        /// What is left after gas; what is paid counts as lost.
        func judged(_ quoted: UInt256, _ paths: [PoolPath]) -> Int128 {
            let gas = Self.signed(value(of: PoolRoute.gas(paths, .osaka)) ?? .zero)
            return (isExactIn ? Self.signed(quoted) : -Self.signed(quoted)) - gas
        }

        /// Gas in the token that is compared; nil without a price.
        private func value(of gas: UInt64) -> UInt256? {
            let token = isExactIn ? FakePools.quote : FakePools.base
            let wei = UInt256(gas) * gasPrice
            // At the deepest pool: what it has of the token that the trade takes out of it.
            let taken = isExactIn ? token : FakePools.weth
            let pools = PoolCandidates.kinds.compactMap { PoolID(FakePools.weth, token, $0) }
                .compactMap { pool in
                    depths[pool].map { (pool, FakePools.holding(taken, pool, $0)) }
                }
            guard let deepest = pools.max(by: { $0.1 < $1.1 })?.0 else { return nil }
            return PoolPath([FakePools.weth, token], [deepest.kind]).flatMap { path in
                // nil: the pool cannot trade so much
                try? path.quote(.exactIn(wei), depths).amountOut
            }
        }

        func quoted(_ path: PoolPath, _ amount: PoolAmount) -> UInt256? {
            quoted(path, amount, depths)
        }

        private func quoted(
            _ path: PoolPath,
            _ amount: PoolAmount,
            _ depths: [PoolID: PoolDepth]
        ) -> UInt256? {
            guard let quote = try? path.quote(amount, depths) else { return nil }
            let quoted = isExactIn ? quote.amountOut : quote.amountIn
            return quoted == .zero ? nil : quoted
        }

        var bestPath: Int128? {
            FakePools.paths(depths).compactMap { path in
                quoted(path, amount).map { judged($0, [path]) }
            }.max()
        }

        /// Of the direct pools, as far as their ticks are read.
        var bestSplit: Int128? {
            guard value(of: 1) != nil else { return nil }
            let near = depths.compactMapValues(Self.near)
            func exact(_ part: UInt256) -> PoolAmount {
                isExactIn ? .exactIn(part) : .exactOut(part)
            }
            let paths = FakePools.paths(depths).filter { path in
                path.pools.count == 1
                    && [whole, whole / 4].contains { quoted(path, exact($0), near) != nil }
            }
            let part = whole / UInt256(UInt64(PoolBruteTests.steps))
            guard part > 100 else { return nil }
            let table = paths.map { path in
                (0...PoolBruteTests.steps).map {
                    quoted(path, exact(part * UInt256(UInt64($0))), near)
                }
            }
            var best: Int128?
            func consider(_ parts: [(path: Int, quoted: UInt256?)]) {
                let sums = parts.compactMap(\.quoted)
                guard sums.count == parts.count else { return }
                let found = judged(sums.reduce(0, +), parts.map { paths[$0.path] })
                best = max(best ?? found, found)
            }
            let rest = whole - part * UInt256(UInt64(PoolBruteTests.steps))
            for one in paths.indices {
                // The last path trades the rest of the division too.
                let last = (0...PoolBruteTests.steps).map {
                    quoted(paths[one], exact(part * UInt256(UInt64($0)) + rest), near)
                }
                for two in paths.indices where two != one {
                    for step in 1..<PoolBruteTests.steps {
                        let left = PoolBruteTests.steps - step
                        consider([(one, last[step]), (two, table[two][left])])
                        for three in paths.indices where three > two && three != one {
                            for other in 1..<left {
                                consider([
                                    (one, last[step]), (two, table[two][other]),
                                    (three, table[three][left - other]),
                                ])
                            }
                        }
                    }
                }
            }
            return best
        }

        /// A pool with the ticks that are read around its price.
        private static func near(_ depth: PoolDepth) -> PoolDepth? {
            guard case .v3(let state) = depth else { return depth }
            let (tick, spacing) = (state.tick, state.tickSpacing)
            let words =
                TickBitmap.word(
                    of: tick - PoolDepths.reach,
                    spacing: spacing
                )...TickBitmap.word(of: tick + PoolDepths.reach, spacing: spacing)
            let near = try? PoolState(
                sqrtPrice: state.sqrtPrice,
                tick: tick,
                liquidity: state.liquidity,
                fee: state.fee,
                tickSpacing: spacing,
                words: words,
                ticks: state.ticks.filter {
                    words.contains(TickBitmap.word(of: $0.tick, spacing: spacing))
                }
            )
            return near.map { PoolDepth.v3($0) }
        }
    }
}
