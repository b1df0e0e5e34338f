import DexTestSupport
import Ethereum
import Foundation
import Testing

@testable import Uniswap

@Suite("A trade divided among paths")
struct PathSplitTests {
    private static let isAll = ProcessInfo.processInfo.environment["DEX_UNISWAP_ALL"] == "1"
    private static let seed = SampleSeed.of("UNISWAP")
    private static let sold = Address(truncating: UInt256(1).word)
    private static let bought = Address(truncating: UInt256(2).word)
    private static let hub = Address(truncating: UInt256(3).word)
    private let unit: UInt256 = 1_000_000_000_000_000_000

    private func direct(_ kind: PoolKind) throws -> PoolPath {
        try #require(PoolPath([Self.sold, Self.bought], [kind]))
    }

    private func pair(_ reserve0: UInt256, _ reserve1: UInt256) throws -> PoolDepth {
        .v2(try #require(PairState(reserve0: reserve0, reserve1: reserve1)))
    }

    /// A v3 pool of one wide range.
    private static func pool(
        fee: UInt32,
        tick: Int32,
        liquidity: UInt128,
        words: ClosedRange<Int16> = -100...100
    ) throws -> PoolDepth {
        let spacing = UniswapDeployment.spacing(fee: fee) ?? 60
        let edge = 100 * 256 * spacing
        return .v3(
            try PoolState(
                sqrtPrice: TickMath.price(tick) ?? .zero,
                tick: tick,
                liquidity: liquidity,
                fee: fee,
                tickSpacing: spacing,
                words: words,
                ticks: edge > 887_272
                    ? []
                    : [
                        InitialisedTick(tick: -edge, liquidityNet: Int128(liquidity)),
                        InitialisedTick(tick: edge, liquidityNet: -Int128(liquidity)),
                    ].filter { words.contains(TickBitmap.word(of: $0.tick, spacing: spacing)) }
            )
        )
    }

    @Test("two paths of the same depth share the amount, and the legs add up to it exactly")
    func halves() throws {
        let paths = [
            try direct(.v2),
            try #require(PoolPath([Self.sold, Self.hub, Self.bought], [.v2, .v2])),
        ]
        var depths: [PoolID: PoolDepth] = [:]
        depths[paths[0].pools[0]] = try pair(1_000 * unit, 1_000 * unit)
        // Twice as deep each: about as good as the direct pair, but for the second fee.
        depths[paths[1].pools[0]] = try pair(2_000 * unit, 2_000 * unit)
        depths[paths[1].pools[1]] = try pair(2_000 * unit, 2_000 * unit)
        let amount = 100 * unit + 1
        for isExactIn in [true, false] {
            let exact: PoolAmount = isExactIn ? .exactIn(amount) : .exactOut(amount)
            let split = try #require(PathSplit.best(exact, over: paths, depths) { _ in 0 })
            #expect(split.legs.count == 2)
            #expect(split.legs.map(\.amount).reduce(0, +) == amount)
            let share = try #require(split.legs.first).amount * 100 / amount
            #expect(share >= 50 && share <= 54, "\(share)")
            let alone = try paths[0].quote(exact, depths)
            #expect(isExactIn ? split.quoted > alone.amountOut : split.quoted < alone.amountIn)
            for leg in split.legs {
                let part: PoolAmount = isExactIn ? .exactIn(leg.amount) : .exactOut(leg.amount)
                let quote = try leg.path.quote(part, depths)
                #expect(leg.quoted == (isExactIn ? quote.amountOut : quote.amountIn))
            }
        }
    }

    @Test("a path is used as far as its ticks were read, and never with another of its pools")
    func limits() throws {
        let small = try direct(.v3(fee: 500))
        let large = try direct(.v3(fee: 3_000))
        let shared = try #require(
            PoolPath([Self.sold, Self.hub, Self.bought], [.v3(fee: 500), .v3(fee: 500)])
        )
        let again = try #require(
            PoolPath([Self.sold, Self.hub, Self.bought], [.v3(fee: 500), .v3(fee: 3_000)])
        )
        var depths: [PoolID: PoolDepth] = [
            small.pools[0]: try Self.pool(fee: 500, tick: 0, liquidity: 1 << 70, words: -1...0),
            large.pools[0]: try Self.pool(fee: 3_000, tick: 0, liquidity: 1 << 74),
        ]
        let amount = UInt256(1) << 72
        #expect(throws: PoolError.self) { try small.quote(.exactIn(amount), depths) }
        let split = try #require(
            PathSplit.best(.exactIn(amount), over: [small, large], depths) { _ in 0 }
        )
        let leg = try #require(split.legs.first { $0.path == small })
        #expect(leg.amount > 0 && leg.amount < amount / 8)

        for pool in shared.pools + again.pools {
            depths[pool] = try Self.pool(fee: pool.kind.fee, tick: 0, liquidity: 1 << 74)
        }
        #expect(PathSplit.best(.exactIn(amount), over: [shared, again], depths) { _ in 0 } == nil)
    }

    @Test("nothing is divided: one path, an amount of few units, unknown pools, no room at all")
    func none() throws {
        let paths = [try direct(.v2), try direct(.v3(fee: 500))]
        let depths: [PoolID: PoolDepth] = [
            paths[0].pools[0]: try pair(1_000 * unit, 1_000 * unit),
            paths[1].pools[0]: try Self.pool(fee: 500, tick: 0, liquidity: 1 << 70),
        ]
        func best(_ amount: PoolAmount, _ paths: [PoolPath]) -> PathSplit? {
            PathSplit.best(amount, over: paths, depths) { _ in 0 }
        }
        #expect(best(.exactIn(unit), []) == nil)
        #expect(best(.exactIn(unit), [paths[0]]) == nil)
        #expect(best(.exactIn(unit), [paths[0], paths[0]]) == nil)
        #expect(best(.exactIn(0), paths) == nil)
        #expect(best(.exactIn(1_023), paths) == nil)
        #expect(best(.exactOut(.max), paths) == nil)
        #expect(best(.exactIn(.max), paths) == nil)
        #expect(best(.exactIn(unit), [paths[0], try direct(.v3(fee: 100))]) == nil)
    }

    @Test("what the legs cost decides between two and three")
    func costs() throws {
        let kinds: [PoolKind] = [.v2, .v3(fee: 500), .v3(fee: 3_000)]
        let paths = try kinds.map { try direct($0) }
        let depths: [PoolID: PoolDepth] = [
            paths[0].pools[0]: try pair(100 * unit, 100 * unit),
            paths[1].pools[0]: try Self.pool(
                fee: 500,
                tick: 0,
                liquidity: 1_000_000_000_000_000_000_000
            ),
            paths[2].pools[0]: try Self.pool(
                fee: 3_000,
                tick: 0,
                liquidity: 1_000_000_000_000_000_000_000
            ),
        ]
        for exact in [PoolAmount.exactIn(100 * unit), .exactOut(100 * unit)] {
            let free = try #require(PathSplit.best(exact, over: paths, depths) { _ in 0 })
            #expect(free.legs.count == 3)
            // The pair's leg is small: 2 of 100 units more is more than it brings.
            let expensive = try #require(
                PathSplit.best(exact, over: paths, depths) { UInt256(UInt64($0.count)) * 2 * unit }
            )
            #expect(expensive.legs.map(\.path) == [paths[1], paths[2]])
        }
    }

    @Test("no division on a grid beats the one that was found", arguments: [true, false])
    func grid(isExactIn: Bool) throws {
        var (found, worst) = (0, Int128.zero)
        for number in 0..<(Self.isAll ? 1_000 : 60) {
            var random = SeededGenerator(seed: Self.seed &* 6_000_101 &+ UInt64(number))
            var depths: [PoolID: PoolDepth] = [:]
            var paths: [PoolPath] = []
            let kinds: [PoolKind] = [.v2] + UniswapDeployment.fees.map { .v3(fee: $0) }
            for kind in kinds where random.chance(60) {
                let path = try direct(kind)
                paths.append(path)
                depths[path.pools[0]] = try Self.random(kind, &random)
            }
            let amount =
                UInt256(random.next() >> random.pick([4, 10, 20])) + PathSplit.minimumAmount
            let exact: PoolAmount = isExactIn ? .exactIn(amount) : .exactOut(amount)
            let cost = UInt256(random.next() >> random.pick([20, 40, 63]))
            let split = PathSplit.best(exact, over: paths, depths) {
                cost * UInt256(UInt64($0.count))
            }
            // What one path alone leaves.
            let alone = paths.compactMap { path in
                (try? path.quote(exact, depths)).map { quote in
                    Self.judged(
                        isExactIn ? quote.amountOut : quote.amountIn,
                        legs: 1,
                        cost,
                        isExactIn
                    )
                }
            }.max()
            let own = split.map {
                Self.judged($0.quoted, legs: $0.legs.count, cost, isExactIn)
            }
            guard let brute = Self.brute(exact, paths, depths, cost) else { continue }
            let best = try #require([own, alone].compactMap(\.self).max(), "\(number)")
            // The bound: rounding, and a 16-millionth.
            let slack = 8 + abs(best) >> 24
            worst = max(worst, brute - best)
            #expect(brute - best <= slack, "\(number): \(brute) and \(best)")
            found += own.map { $0 > alone ?? .min } ?? false ? 1 : 0
        }
        #expect(found > (Self.isAll ? 150 : 8))
        print("Uniswap: \(found) divisions, brute force better by \(worst) base units at most")
    }

    /// Pools of one pair at about the same price, of very different depth.
    private static func random(
        _ kind: PoolKind,
        _ random: inout SeededGenerator
    ) throws -> PoolDepth {
        let bits = random.within(58...66)
        let mantissa: UInt64 = random.next() >> 1 | 1 << 62
        let liquidity = UInt128(mantissa) << (bits - 58)
        switch kind {
        case .v2:
            let reserve = UInt256(liquidity)
            let other = reserve * UInt256(UInt64(980 + random.below(40))) / 1_000
            return .v2(try #require(PairState(reserve0: reserve, reserve1: other)))
        case .v3(let fee):
            return try pool(fee: fee, tick: Int32(random.below(400)) - 200, liquidity: liquidity)
        }
    }

    private static func signed(_ amount: UInt256) -> Int128 {
        amount.uint128.map { Int128(clamping: $0) } ?? .max
    }

    /// What is left after the costs of the legs; what is paid counts as lost.
    private static func judged(
        _ quoted: UInt256,
        legs: Int,
        _ cost: UInt256,
        _ isExactIn: Bool
    ) -> Int128 {
        let costs = signed(cost) * Int128(legs)
        return isExactIn ? signed(quoted) - costs : -signed(quoted) - costs
    }

    /// What the best of all divisions on a grid of 40 parts leaves; nil without any of two legs.
    private static func brute(
        _ amount: PoolAmount,
        _ paths: [PoolPath],
        _ depths: [PoolID: PoolDepth],
        _ cost: UInt256
    ) -> Int128? {
        let steps = 40
        let (whole, isExactIn) =
            switch amount {
            case .exactIn(let amount): (amount, true)
            case .exactOut(let amount): (amount, false)
            }
        func part(_ step: Int) -> UInt256 { whole * UInt256(UInt64(step)) / UInt256(UInt64(steps)) }
        // What each path trades up to each step of the grid, and what it trades of the rest.
        func quoted(_ path: PoolPath, _ part: UInt256) -> UInt256? {
            if part == 0 { return 0 }
            let quote = try? path.quote(isExactIn ? .exactIn(part) : .exactOut(part), depths)
            return quote.map { isExactIn ? $0.amountOut : $0.amountIn }
        }
        var best: Int128?
        func consider(_ parts: [UInt256?], legs: Int) {
            guard !parts.contains(nil) else { return }
            let sum = parts.compactMap(\.self).reduce(0, +)
            let found = judged(sum, legs: legs, cost, isExactIn)
            best = max(best ?? found, found)
        }
        let table = paths.map { path in (0...steps).map { quoted(path, part($0)) } }
        let rests = paths.map { path in (0...steps).map { quoted(path, whole - part($0)) } }
        for one in paths.indices {
            for two in paths.indices where two != one {
                for step in 1..<steps { consider([table[one][step], rests[two][step]], legs: 2) }
                for three in paths.indices where one < two && three != one && three != two {
                    for first in 1..<steps {
                        for second in 1..<(steps - first) {
                            // The rest is a step of the grid, but for its rounding.
                            let rest = whole - part(first) - part(second)
                            let step = steps - first - second
                            let last =
                                rest == part(step) ? table[three][step] : quoted(paths[three], rest)
                            consider(
                                [table[one][first], table[two][second], last],
                                legs: 3
                            )
                        }
                    }
                }
            }
        }
        return best
    }
}
