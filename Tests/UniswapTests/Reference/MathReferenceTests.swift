import BigInt
import DexTestSupport
import Ethereum
import Testing

@testable import Uniswap

/// Each formula against the same one on unbounded numbers.
@Suite("Uniswap's formulas against unbounded numbers")
struct MathReferenceTests {
    private func check(
        _ name: String,
        _ count: Int = 3_000,
        _ body: (inout SeededGenerator) throws -> (UInt256?, BigInt?)
    ) rethrows {
        var random = SeededGenerator(seed: SampleSeed.of("UNISWAP"))
        var (same, none) = (0, 0)
        for _ in 0..<count {
            let start = random
            let (own, slow) = try body(&random)
            if own.map({ BigInt($0) }) == slow {
                same += 1
                none += own == nil ? 1 : 0
            } else {
                Issue.record("\(name): \(start): \(own as Any), not \(slow as Any)")
            }
        }
        #expect(same == count && none < count * 3 / 4, "\(name)")
    }

    @Test("the amounts of a v2 pair")
    func pairs() {
        for (bits, reserveBits) in [(112, 112), (256, 256), (40, 60)] {
            check("out") { random in
                let (sold, a, b) = (
                    random.number(bits: bits), random.number(bits: reserveBits),
                    random.number(bits: reserveBits)
                )
                return (
                    PairMath.amountOut(sold, reserveIn: a, reserveOut: b),
                    SlowMath.pairOut(BigInt(sold), BigInt(a), BigInt(b))
                )
            }
            check("in") { random in
                let (a, b) = (
                    random.number(bits: reserveBits), random.number(bits: reserveBits)
                )
                let bought = random.chance(10) ? b : random.number(bits: 256) % b
                return (
                    PairMath.amountIn(bought, reserveIn: a, reserveOut: b),
                    SlowMath.pairIn(BigInt(bought), BigInt(a), BigInt(b))
                )
            }
        }
    }

    @Test("the price of a tick, and the tick of a price")
    func ticks() {
        check("price") { random in
            let tick = random.within(-887_272...887_272)
            return (TickMath.price(Int32(tick)), SlowMath.price(tick))
        }
        check("tick") { random in
            let price = random.price()
            // As a number that is not negative.
            return (
                TickMath.tick(price).map { UInt256(UInt64($0 + 1_000_000)) },
                BigInt(SlowMath.tick(BigInt(price)) + 1_000_000)
            )
        }
    }

    @Test("the amounts between two prices")
    func amounts() {
        check("amount0") { random in
            let (a, b, roundsUp) = (random.price(), random.price(), random.chance(50))
            let liquidity = random.liquidity()
            return (
                SqrtPriceMath.amount0(a, b, liquidity: liquidity, roundsUp: roundsUp),
                SlowMath.amount0(BigInt(a), BigInt(b), BigInt(liquidity), up: roundsUp)
            )
        }
        check("amount1") { random in
            let (a, b, roundsUp) = (random.price(), random.price(), random.chance(50))
            let liquidity = random.liquidity()
            return (
                SqrtPriceMath.amount1(a, b, liquidity: liquidity, roundsUp: roundsUp),
                SlowMath.amount1(BigInt(a), BigInt(b), BigInt(liquidity), up: roundsUp)
            )
        }
    }

    @Test("the prices after amounts, where the contract reverts too")
    func prices() {
        for zeroForOne in [true, false] {
            check("in \(zeroForOne)") { random in
                let (price, liquidity) = (random.price(), random.liquidity())
                let amount = random.number(bits: random.pick([60, 130, 255]))
                return (
                    SqrtPriceMath.price(
                        price,
                        liquidity: liquidity,
                        amountIn: amount,
                        zeroForOne: zeroForOne
                    ),
                    SlowMath.next(
                        BigInt(price),
                        BigInt(liquidity),
                        amountIn: BigInt(amount),
                        zeroForOne: zeroForOne
                    )
                )
            }
            check("out \(zeroForOne)") { random in
                let (price, liquidity) = (random.price(), random.liquidity())
                let amount = random.number(bits: random.pick([20, 60, 120]))
                return (
                    SqrtPriceMath.price(
                        price,
                        liquidity: liquidity,
                        amountOut: amount,
                        zeroForOne: zeroForOne
                    ),
                    SlowMath.next(
                        BigInt(price),
                        BigInt(liquidity),
                        amountOut: BigInt(amount),
                        zeroForOne: zeroForOne
                    )
                )
            }
        }
    }

    @Test("one step: price, amounts and fee; the exact amount may just reach the target or not")
    func steps() {
        var random = SeededGenerator(seed: SampleSeed.of("UNISWAP"))
        var reached = 0
        for number in 0..<20_000 {
            let price = random.price()
            let distance = price >> random.within(1...100)
            let near = random.chance(50) ? price - distance : price + distance
            let bounded = min(max(near, TickMath.minimumPrice), TickMath.maximumPrice - 1)
            let target = random.chance(50) ? bounded : random.price()
            let (liquidity, fee) = (random.liquidity(), random.below(1_000_000))
            var amount = random.number(bits: random.pick([60, 120, 255]))
            let isExactIn = random.chance(50)
            let whole = SlowMath.whole(
                from: BigInt(price),
                to: BigInt(target),
                BigInt(liquidity),
                isExactIn: isExactIn,
                fee: fee
            )
            // What just reaches it, and one unit beside it.
            if number % 2 == 0, whole > 1, whole.bitWidth < 255 {
                amount = UInt256(whole) + UInt256(UInt64(random.below(3))) - 1
                reached += 1
            }
            let own = SwapStep(
                from: price,
                to: target,
                liquidity: liquidity,
                rest: isExactIn ? .exactIn(amount) : .exactOut(amount),
                fee: UInt32(fee)
            ).map { step in
                SlowMath.Step(
                    price: BigInt(step.price),
                    amountIn: BigInt(step.amountIn),
                    amountOut: BigInt(step.amountOut),
                    fee: BigInt(step.fee)
                )
            }
            let slow = SlowMath.step(
                from: BigInt(price),
                to: BigInt(target),
                BigInt(liquidity),
                rest: BigInt(amount),
                isExactIn: isExactIn,
                fee: fee
            )
            if own != slow {
                Issue.record("\(price) to \(target), \(liquidity), \(amount), \(isExactIn), \(fee)")
            }
        }
        #expect(reached > 5_000)
    }
}

extension SeededGenerator {
    /// Of every width up to 128 bits; sometimes none.
    fileprivate mutating func liquidity() -> UInt128 {
        chance(3) ? 0 : number(bits: 128).uint128 ?? 0
    }
}
