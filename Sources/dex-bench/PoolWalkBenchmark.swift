import Ethereum
import Uniswap

/// A swap that crosses 20 initialised ticks, by the local walk.
enum PoolWalkBenchmark {
    private static let maximum = Duration.microseconds(20)
    private static let crossings: Int32 = 20
    private static let repetitions = 50
    private static let runs = 200

    /// The slowest of several pools, both ways, for exact amounts in and out.
    static func run() throws -> [Measurement] {
        var slowest = Duration.zero
        for (tick, spacing) in [(Int32(-196_000), Int32(10)), (72_000, 60), (0, 1)] {
            let middle = tick / spacing * spacing
            let state = try pool(middle, spacing)
            for zeroForOne in [true, false] {
                let amounts = try amounts(state, middle, spacing, zeroForOne: zeroForOne)
                for amount in amounts {
                    slowest = max(slowest, try time(state, amount, zeroForOne: zeroForOne))
                }
            }
        }
        return [
            Measurement(
                name: "a tick walk over \(crossings) crossings / \(microseconds(maximum))",
                figure: microseconds(slowest),
                ratio: slowest / maximum,
                limit: 1
            )
        ]
    }

    /// A pool whose liquidity changes at each of 81 neighbouring ticks.
    private static func pool(_ middle: Int32, _ spacing: Int32) throws -> PoolState {
        let liquidity: UInt128 = 3_000_000_000_000_000_000
        let change = Int128(liquidity) / 50
        let between = (try price(middle) + price(middle + spacing)) / 2
        guard let tick = TickMath.tick(between) else { throw NotCrossed() }
        return try PoolState(
            sqrtPrice: between,
            tick: tick,
            liquidity: liquidity,
            fee: 500,
            tickSpacing: spacing,
            words: TickBitmap.words(spacing: spacing),
            ticks: (-40...40).map { number in
                InitialisedTick(
                    tick: middle + number * spacing,
                    liquidityNet: number < 0 ? change : -change
                )
            }
        )
    }

    /// The exact amounts in and out that end right behind the last crossing.
    private static func amounts(
        _ state: PoolState,
        _ middle: Int32,
        _ spacing: Int32,
        zeroForOne: Bool
    ) throws -> [PoolAmount] {
        let last = zeroForOne ? middle - (crossings - 1) * spacing : middle + crossings * spacing
        let next = zeroForOne ? last - spacing : last + spacing
        let limit = (try price(last) + price(next)) / 2
        let whole = try state.swap(
            .exactIn(UInt256(1) << 250),
            zeroForOne: zeroForOne,
            limit: limit
        )
        let amounts: [PoolAmount] = [.exactIn(whole.amountIn), .exactOut(whole.amountOut)]
        for amount in amounts {
            let swap = try state.swap(amount, zeroForOne: zeroForOne)
            guard swap.ticksCrossed == Int(crossings) else { throw NotCrossed() }
        }
        return amounts
    }

    /// The best of many runs: whatever else the machine does only adds to it.
    private static func time(
        _ state: PoolState,
        _ amount: PoolAmount,
        zeroForOne: Bool
    ) throws -> Duration {
        var best = Duration.seconds(1)
        for _ in 0..<runs {
            let time = try ContinuousClock().measure {
                for _ in 0..<repetitions {
                    let swap = try state.swap(amount, zeroForOne: zeroForOne)
                    guard swap.ticksCrossed == Int(crossings) else { throw NotCrossed() }
                }
            }
            best = min(best, time / repetitions)
        }
        return best
    }

    private static func price(_ tick: Int32) throws -> UInt256 {
        guard let price = TickMath.price(tick) else { throw NotCrossed() }
        return price
    }

    private struct NotCrossed: Error {}
}
