import BigInt
import DexTestSupport
import Ethereum
import Testing

@testable import Uniswap

@Suite("What a pool trades up to a tick")
struct PoolRangeTests {
    private static let seed = SampleSeed.of("UNISWAP")

    @Test("a v3 pool's amounts are those of a slow walk with a limit; as much in brings no less")
    func ranges() throws {
        var moved = 0
        for number in 0..<1_000 {
            var random = SeededGenerator(seed: Self.seed &* 4_000_037 &+ UInt64(number))
            let pool = try RandomPool(&random)
            let state = pool.state
            let zeroForOne = random.chance(50)
            let distance = Int32(1 + random.below(random.pick([10, 400, 3_000])))
            let target = zeroForOne ? state.tick - distance : state.tick + 1 + distance
            let found = try PoolDepth.v3(state).amounts(to: target, zeroForOne: zeroForOne)
            guard let limit = TickMath.price(target) else {
                #expect(found == nil)
                continue
            }
            let bound = zeroForOne ? TickMath.minimumPrice + 1 : TickMath.maximumPrice - 1
            let last = zeroForOne ? max(limit, bound) : min(limit, bound)
            let slow = pool.slow.swap(
                BigInt(1) << 254,
                isExactIn: true,
                zeroForOne: zeroForOne,
                limit: BigInt(last)
            )
            guard let found else {
                #expect(slow.map { $0.amountIn == 0 || $0.amountOut == 0 } ?? true)
                continue
            }
            #expect(BigInt(found.amountIn) == slow?.amountIn)
            #expect(BigInt(found.amountOut) == slow?.amountOut)
            let swap = try state.swap(.exactIn(found.amountIn), zeroForOne: zeroForOne)
            // Without the limit, what rounding keeps at it goes on.
            #expect(swap.amountOut >= found.amountOut)
            moved += 1
        }
        #expect(moved > 300)
    }

    @Test("a pair's amounts are the greatest that leave its price on this side of the tick")
    func pairs() throws {
        var moved = 0
        for number in 0..<500 {
            var random = SeededGenerator(seed: Self.seed &* 5_000_011 &+ UInt64(number))
            let bits = random.pick([20, 60, 112])
            let state = try #require(
                PairState(
                    reserve0: random.number(bits: bits),
                    reserve1: random.number(bits: bits)
                )
            )
            let zeroForOne = random.chance(50)
            let tick = try #require(PoolDepth.v2(state).tick)
            #expect(Self.side(state, tick) >= 0 && Self.side(state, tick + 1) < 0)
            let distance = Int32(1 + random.below(random.pick([10, 400, 3_000])))
            let target = zeroForOne ? tick - distance : tick + 1 + distance
            guard let price = TickMath.price(target) else { continue }
            let found = try PoolDepth.v2(state).amounts(to: target, zeroForOne: zeroForOne)
            /// Whether the price after a sale is still on this side.
            func isWithin(_ sold: UInt256) -> Bool? {
                // nil: the pair gives nothing for it, or takes no more
                guard let swap = try? state.swap(.exactIn(sold), zeroForOne: zeroForOne) else {
                    return nil
                }
                let side = Self.side(swap.after, price)
                return zeroForOne ? side >= 0 : side <= 0
            }
            guard let found else {
                // The least sale that gives anything goes too far.
                let (into, out) =
                    zeroForOne
                    ? (state.reserve0, state.reserve1) : (state.reserve1, state.reserve0)
                guard let minimum = PairMath.amountIn(1, reserveIn: into, reserveOut: out) else {
                    continue
                }
                #expect(isWithin(minimum) != true)
                continue
            }
            moved += 1
            let swap = try state.swap(.exactIn(found.amountIn), zeroForOne: zeroForOne)
            #expect(swap.amountOut == found.amountOut)
            #expect(isWithin(found.amountIn) == true)
            #expect(isWithin(found.amountIn + 1) != true)
        }
        #expect(moved > 200)
    }

    @Test(
        "a tick that is behind or out of range moves nothing, and one beyond the ticks is an error"
    )
    func refused() throws {
        let state = try PoolState(
            sqrtPrice: TickMath.one,
            tick: 0,
            liquidity: 1 << 80,
            fee: 3_000,
            tickSpacing: 60,
            words: -1...0,
            ticks: [
                InitialisedTick(tick: -6_000, liquidityNet: 1 << 80),
                InitialisedTick(tick: 6_000, liquidityNet: -(1 << 80)),
            ]
        )
        let depth = PoolDepth.v3(state)
        #expect(try depth.amounts(to: 1, zeroForOne: true) == nil)
        #expect(try depth.amounts(to: 0, zeroForOne: true) == nil)
        #expect(try depth.amounts(to: -1, zeroForOne: false) == nil)
        #expect(try depth.amounts(to: 887_273, zeroForOne: false) == nil)
        #expect(try depth.amounts(to: .min, zeroForOne: true) == nil)
        #expect(throws: PoolError.missingWord(1)) {
            try depth.amounts(to: 20_000, zeroForOne: false)
        }
        #expect(throws: PoolError.missingWord(-2)) {
            try depth.amounts(to: -20_000, zeroForOne: true)
        }
        let empty = try #require(PairState(reserve0: 0, reserve1: 5))
        #expect(PoolDepth.v2(empty).tick == nil)
        #expect(try PoolDepth.v2(empty).amounts(to: 5, zeroForOne: false) == nil)
    }

    /// The sign of a pair's price less that of a tick.
    private static func side(_ state: PairState, _ tick: Int32) -> Int {
        TickMath.price(tick).map { side(state, $0) } ?? 0
    }

    private static func side(_ state: PairState, _ sqrtPrice: UInt256) -> Int {
        let own = BigInt(state.reserve1) << 192
        let other = BigInt(state.reserve0) * BigInt(sqrtPrice) * BigInt(sqrtPrice)
        return own == other ? 0 : own > other ? 1 : -1
    }
}
