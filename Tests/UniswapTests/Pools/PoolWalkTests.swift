import BigInt
import DexTestSupport
import Ethereum
import Foundation
import Testing

@testable import Uniswap

/// Swaps with random v3 pools against a slow walk on unbounded numbers.
///
/// The seed is `SampleSeed`'s; with `DEX_UNISWAP_ALL=1` there are 100,000 pools.
@Suite("Swaps with random v3 pools")
struct PoolWalkTests {
    private static let isAll = ProcessInfo.processInfo.environment["DEX_UNISWAP_ALL"] == "1"
    private static let count = isAll ? 100_000 : 2_000
    private static let seed = SampleSeed.of("UNISWAP")

    /// A swap that is tried.
    private struct Try {
        var amount: UInt256
        var isExactIn: Bool
        var zeroForOne: Bool
        var limit: UInt256?

        init(_ random: inout SeededGenerator, _ state: PoolState) {
            let bits = random.pick([30, 70, 110, 254])
            amount = random.number(bits: random.chance(4) ? 254 : min(bits, 110))
            isExactIn = random.chance(50)
            zeroForOne = random.chance(50)
            // The slow walk to the bound of a narrow spacing takes seconds.
            guard random.chance(state.tickSpacing < 60 ? 98 : 25) else { return }
            let distance = state.sqrtPrice >> random.within(3...40)
            limit = zeroForOne ? state.sqrtPrice - distance : state.sqrtPrice + distance
        }

        var exact: PoolAmount { isExactIn ? .exactIn(amount) : .exactOut(amount) }
    }

    /// Parts of the pools that are walked at the same time.
    private static let parts = 4

    @Test(
        "a swap has the amounts, the price, the tick and the crossings of the slow walk",
        arguments: 0..<parts
    )
    func walk(part: Int) throws {
        var (reached, crossings, dry) = (0, 0, 0)
        for number in stride(from: part, to: Self.count, by: Self.parts) {
            let seed = Self.seed &* 1_000_003 &+ UInt64(number)
            var random = SeededGenerator(seed: seed)
            let pool = try RandomPool(&random)
            let order = Try(&random, pool.state)
            let slow = pool.slow.swap(
                BigInt(order.amount),
                isExactIn: order.isExactIn,
                zeroForOne: order.zeroForOne,
                limit: order.limit.map { BigInt($0) }
            )
            let swap = Result {
                try pool.state.swap(order.exact, zeroForOne: order.zeroForOne, limit: order.limit)
            }
            guard let swap = try? swap.get(), let slow else {
                let isRefused = if case .failure = swap { true } else { false }
                #expect(isRefused && slow == nil, "seed \(seed): \(swap)")
                continue
            }
            let own = SlowPool.Result(
                amountIn: BigInt(swap.amountIn),
                amountOut: BigInt(swap.amountOut),
                price: BigInt(swap.sqrtPrice),
                tick: Int(swap.tick),
                liquidity: BigInt(swap.liquidity),
                crossed: swap.ticksCrossed
            )
            if own != slow { Issue.record("seed \(seed): \(order) \(own) is not \(slow)") }
            reached += 1
            crossings += swap.ticksCrossed
            dry += swap.isDry ? 1 : 0
        }
        let count = Self.count / Self.parts
        print("Uniswap: \(reached) of \(count) swaps, \(crossings) crossings, \(dry) dry")
        #expect(reached > count * 9 / 10 && crossings > count / 3 && dry > count / 50)
    }

    @Test("what a swap bought costs at most what was paid, and more in never gives less")
    func properties() throws {
        var (bought, moreExpensive) = (0, 0)
        for number in 0..<Self.count {
            let seed = Self.seed &* 2_000_003 &+ UInt64(number)
            var random = SeededGenerator(seed: seed)
            let state = try RandomPool(&random).state
            let order = Try(&random, state)
            let zeroForOne = order.zeroForOne
            // The price is at its bound.
            guard let swap = try? state.swap(.exactIn(order.amount), zeroForOne: zeroForOne) else {
                continue
            }
            let more = order.amount + random.number(bits: order.amount.bitWidth / 4)
            let larger = try state.swap(.exactIn(more), zeroForOne: zeroForOne)
            #expect(larger.amountOut >= swap.amountOut, "seed \(seed)")
            #expect(swap.isDry || swap.amountIn == order.amount, "seed \(seed)")
            guard swap.amountOut != .zero else { continue }
            let back = try state.swap(.exactOut(swap.amountOut), zeroForOne: zeroForOne)
            #expect(back.amountOut == swap.amountOut, "seed \(seed)")
            bought += 1
            guard back.amountIn > swap.amountIn else { continue }
            // An exact amount out goes on to the edge if there is no unit more on the way to it.
            let edges = [TickMath.price(back.tick), TickMath.price(back.tick + 1)]
            #expect(edges.contains(back.sqrtPrice), "seed \(seed): \(order) \(swap) \(back)")
            moreExpensive += 1
        }
        #expect(
            bought > Self.count / 2 && moreExpensive < bought / 50,
            "\(bought) \(moreExpensive)"
        )
    }

    @Test("a walk into a word that was not read names it, and gives the same result otherwise")
    func words() throws {
        var missing = 0
        for number in 0..<Self.count / 4 {
            let seed = Self.seed &* 3_000_017 &+ UInt64(number)
            var random = SeededGenerator(seed: seed)
            let state = try RandomPool(&random).state
            let order = Try(&random, state)
            let place = Int(TickBitmap.word(of: state.tick, spacing: state.tickSpacing))
            let words = Int16(place - random.below(3))...Int16(place + random.below(3))
            let part = try PoolState(
                sqrtPrice: state.sqrtPrice,
                tick: state.tick,
                liquidity: state.liquidity,
                fee: state.fee,
                tickSpacing: state.tickSpacing,
                words: words,
                ticks: state.ticks.filter {
                    words.contains(TickBitmap.word(of: $0.tick, spacing: state.tickSpacing))
                }
            )
            let whole = Result { () throws(PoolError) in
                try state.swap(order.exact, zeroForOne: order.zeroForOne, limit: order.limit)
            }
            let partial = Result { () throws(PoolError) in
                try part.swap(order.exact, zeroForOne: order.zeroForOne, limit: order.limit)
            }
            if case .failure(.missingWord(let word)) = partial {
                #expect(word == (order.zeroForOne ? words.lowerBound - 1 : words.upperBound + 1))
                missing += 1
            } else {
                #expect(partial == whole, "seed \(seed)")
            }
        }
        #expect(missing > 20 && missing < Self.count / 4)
    }
}
