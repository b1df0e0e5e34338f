import DexTestSupport
import Ethereum
import Testing
import Uniswap

@testable import DexSandbox

/// The sandbox's walk and that of module Uniswap were written apart.
@Suite("Two walks through the same pools")
struct UniswapWalkTests {
    /// A pool with one to four ranges around its price, in any liquidity.
    private func pool(_ random: inout SeededGenerator) -> GenesisRangePool? {
        let fees: [UInt32] = [100, 500, 3_000, 10_000]
        let fee = fees[random.below(4)]
        let spacing = UniswapDeployment.spacing(fee: fee) ?? 1
        // Most near one to one, some far out.
        let reach = random.chance(70) ? 20_000 : 880_000
        let tick = Int32(random.below(2 * reach) - reach)
        var nets: [Int32: Int128] = [:]
        var grosses: [Int32: UInt128] = [:]
        for _ in 0..<1 + random.below(4) {
            let bits = random.below(90)
            let liquidity = UInt128(1) << bits | UInt128(random.next()) >> (bits > 60 ? 0 : 60)
            let lower = (tick - Int32(random.below(5_000))) / spacing * spacing
            let upper = lower + spacing * Int32(1 + random.below(300))
            guard TickMath.ticks.contains(lower), TickMath.ticks.contains(upper) else { continue }
            nets[lower, default: 0] += Int128(liquidity)
            nets[upper, default: 0] -= Int128(liquidity)
            for tick in [lower, upper] { grosses[tick, default: 0] += liquidity }
        }
        guard let id = PoolID(TestChain.dai, TestChain.weth, .v3(fee: fee)),
            let price = TickMath.price(tick)
        else { return nil }
        return GenesisRangePool(
            pool: id,
            price: price + UInt256(UInt64(random.below(1_000))),
            ticks: nets.keys.sorted().map {
                GenesisRangePool.Tick(index: $0, net: nets[$0] ?? 0, gross: grosses[$0] ?? 1)
            }
        )
    }

    /// What differs between the two walks; nil if nothing does.
    private func difference(_ random: inout SeededGenerator) throws -> String? {
        guard let pool = pool(&random) else { return "no pool" }
        guard pool.isConsistent, let spacing = pool.spacing else { return "inconsistent" }
        let size = UInt256(random.next() | 1) << random.below(80)
        let amount: PoolAmount = random.chance(50) ? .exactIn(size) : .exactOut(size)
        let zeroForOne = random.chance(50)
        let state = pool.state
        let other = try PoolState(
            sqrtPrice: state.price,
            tick: state.tick,
            liquidity: pool.liquidity,
            fee: pool.pool.kind.fee,
            tickSpacing: spacing,
            words: Int16.min...Int16.max,
            ticks: pool.ticks.map { InitialisedTick(tick: $0.index, liquidityNet: $0.net) }
        )
        let expected = try other.swap(amount, zeroForOne: zeroForOne)
        guard
            let walk = RangePoolWalk(
                pool,
                spacing: spacing,
                from: state,
                liquidity: pool.liquidity,
                amount: amount,
                zeroForOne: zeroForOne,
                limit: TickMath.limit(0, zeroForOne: zeroForOne),
                mostSteps: .max
            )
        else { return "no walk" }
        let isSame =
            walk.amountIn == expected.amountIn && walk.amountOut == expected.amountOut
            && walk.price == expected.sqrtPrice && walk.tick == expected.tick
            && walk.liquidity == expected.liquidity && walk.crossed == expected.ticksCrossed
        return isSame ? nil : "\(pool) \(amount) \(zeroForOne): \(walk) \(expected)"
    }

    @Test("2,000 random pools: amounts, price, tick and liquidity after are the same")
    func random() throws {
        var random = SeededGenerator(seed: SampleSeed.of("WALK"))
        var differences: [String] = []
        for _ in 0..<2_000 {
            if let difference = try difference(&random) { differences.append(difference) }
        }
        #expect(differences == [])
    }

    @Test("what a pool holds at the start suffices to pay all of its liquidity out")
    func holdings() throws {
        var random = SeededGenerator(seed: SampleSeed.of("WALK"))
        for _ in 0..<500 {
            guard let pool = pool(&random) else { continue }
            let spacing = try #require(pool.spacing)
            for zeroForOne in [true, false] {
                let walk = RangePoolWalk(
                    pool,
                    spacing: spacing,
                    from: pool.state,
                    liquidity: pool.liquidity,
                    amount: .exactIn(UInt256(1) << 250),
                    zeroForOne: zeroForOne,
                    limit: TickMath.limit(0, zeroForOne: zeroForOne),
                    mostSteps: .max
                )
                let held = zeroForOne ? pool.amounts.1 : pool.amounts.0
                #expect(walk.map { $0.amountOut <= held } == true)
            }
        }
    }
}
