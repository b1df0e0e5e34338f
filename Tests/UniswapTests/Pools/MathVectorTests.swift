import Ethereum
import Testing

@testable import Uniswap

/// The numbers that the genuine contracts gave, each formula by itself.
@Suite("Uniswap's formulas: the contracts' numbers")
struct MathVectorTests {
    private let e18: UInt256 = 1_000_000_000_000_000_000

    @Test("a v2 pair's amounts, and nothing where it reverts")
    func pairs() {
        let (eth, usdc): (UInt256, UInt256) = (100 * e18, 200_000_000_000)
        let out = PairMath.amountOut(e18, reserveIn: eth, reserveOut: usdc)
        let cost = PairMath.amountIn(1_000_000_000, reserveIn: eth, reserveOut: usdc)
        #expect(out == 1_974_316_068 && cost == 504_024_636_724_243_082)
        #expect(PairMath.amountIn(usdc - 1, reserveIn: eth, reserveOut: usdc) != nil)
        for bought in [0, usdc, usdc + 1, .max] {
            #expect(PairMath.amountIn(bought, reserveIn: eth, reserveOut: usdc) == nil)
        }
        for sold: UInt256 in [0, 1, .max] {
            #expect(PairMath.amountOut(sold, reserveIn: eth, reserveOut: usdc) == nil)
        }
        #expect(PairMath.amountOut(e18, reserveIn: 0, reserveOut: usdc) == nil)
        #expect(PairMath.amountOut(e18, reserveIn: eth, reserveOut: 0) == nil)
        #expect(PairMath.amountIn(1, reserveIn: 0, reserveOut: usdc) == nil)
    }

    @Test("a v2 pair refuses what the contracts refuse, and names why")
    func pairState() throws {
        let pair = try #require(PairState(reserve0: 100 * e18, reserve1: 200_000_000_000))
        let refused: [(PoolAmount, PoolError)] = [
            (.exactIn(0), .zeroAmount), (.exactOut(0), .zeroAmount), (.exactIn(1), .noOutput),
            (.exactIn(PairMath.maximumReserve), .overflow), (.exactIn(.max), .overflow),
            (.exactOut(200_000_000_000), .dry), (.exactOut(.max), .dry),
        ]
        for (amount, error) in refused {
            #expect(throws: error) { try pair.swap(amount, zeroForOne: true) }
        }
        let empty = try #require(PairState(reserve0: 0, reserve1: 0))
        #expect(throws: PoolError.dry) { try empty.swap(.exactIn(1), zeroForOne: false) }
        #expect(PairState(reserve0: PairMath.maximumReserve + 1, reserve1: 1) == nil)
        // The reserve in would exceed 112 bits.
        let full = try #require(PairState(reserve0: PairMath.maximumReserve, reserve1: 1_000))
        #expect(throws: PoolError.overflow) { try full.swap(.exactOut(999), zeroForOne: true) }
        let swap = try pair.swap(.exactIn(e18), zeroForOne: true)
        #expect(swap.after.reserve0 == 101 * e18)
        #expect(swap.after.reserve1 == 200_000_000_000 - 1_974_316_068)
    }

    @Test("prices of ticks, and their bounds")
    func ticks() {
        let prices: [(Int32, UInt256)] = [
            (0, 79_228_162_514_264_337_593_543_950_336),
            (1, 79_232_123_823_359_799_118_286_999_568),
            (-60, 78_990_846_045_029_531_151_608_375_686),
            (200_311, 1_771_577_727_172_025_373_304_338_615_273_325),
            (-200_311, 3_543_226_830_587_239_509_588_885),
            (-887_272, TickMath.minimumPrice), (887_272, TickMath.maximumPrice),
        ]
        for (tick, price) in prices {
            #expect(TickMath.price(tick) == price)
            if tick < 887_272 { #expect(TickMath.tick(price) == tick) }
            if tick > -887_272 { #expect(TickMath.tick(price - 1) == tick - 1) }
        }
        for tick in [Int32.min, -887_273, 887_273, .max] { #expect(TickMath.price(tick) == nil) }
        for price in [0, TickMath.minimumPrice - 1, TickMath.maximumPrice, .max] {
            #expect(TickMath.tick(price) == nil)
        }
    }

    @Test("every thousandth tick is that of its price, and the one below it of the price below")
    func thousandths() {
        let wrong = stride(from: Int32(-887_000), through: 887_000, by: 997).filter { tick in
            guard let price = TickMath.price(tick) else { return true }
            return TickMath.tick(price) != tick || TickMath.tick(price - 1) != tick - 1
        }
        #expect(wrong.isEmpty)
    }

    @Test("one step, with an exact amount in and out")
    func steps() throws {
        let price = try #require(TickMath.price(0))
        let (low, high) = try (#require(TickMath.price(-60)), #require(TickMath.price(60)))
        func step(_ target: UInt256, _ rest: PoolAmount, fee: UInt32 = 3_000) -> SwapStep? {
            SwapStep(
                from: price,
                to: target,
                liquidity: 1_000_000_000_000_000_000_000,
                rest: rest,
                fee: fee
            )
        }
        let sold = try #require(step(low, .exactIn(e18)))
        #expect(sold.price == 79_149_250_711_305_166_342_700_278_159)
        #expect(sold.amountIn == 997_000_000_000_000_000)
        #expect(sold.amountOut == 996_006_981_039_903_216 && sold.fee == 3_000_000_000_000_000)
        let bought = try #require(step(high, .exactOut(e18)))
        #expect(bought.price == 79_307_469_984_248_586_179_723_674_011)
        #expect(bought.amountIn == 1_001_001_001_001_001_002)
        #expect(bought.amountOut == e18 && bought.fee == 3_012_039_120_364_096)
        #expect(step(low, .exactIn(e18), fee: 1_000_000) == nil)
    }

    @Test("formulas with impossible numbers give nothing, and do not trap")
    func impossible() {
        let one = TickMath.one
        #expect(SqrtPriceMath.amount0(0, one, liquidity: 1, roundsUp: true) == nil)
        #expect(SqrtPriceMath.amount0(0, 0, liquidity: 1, roundsUp: false) == nil)
        #expect(SqrtPriceMath.amount1(0, .max, liquidity: .max, roundsUp: true) == nil)
        for price in [0, one, UInt256.max] {
            for liquidity in [0, 1, UInt128.max] {
                for amount in [0, 1, UInt256.max] {
                    for zeroForOne in [true, false] {
                        let ends = [
                            SqrtPriceMath.price(
                                price,
                                liquidity: liquidity,
                                amountIn: amount,
                                zeroForOne: zeroForOne
                            ),
                            SqrtPriceMath.price(
                                price,
                                liquidity: liquidity,
                                amountOut: amount,
                                zeroForOne: zeroForOne
                            ),
                        ]
                        if price == .zero || liquidity == 0 { #expect(ends == [nil, nil]) }
                        for target in [0, one, .max] {
                            _ = SwapStep(
                                from: price,
                                to: target,
                                liquidity: liquidity,
                                rest: zeroForOne ? .exactIn(amount) : .exactOut(amount),
                                fee: 999_999
                            )
                        }
                    }
                }
            }
        }
    }

    @Test("the time-weighted tick rounds down, below zero too, and the counter wraps")
    func oracle() {
        #expect(Oracle.meanTick(earlier: 0, later: 7, seconds: 2) == 3)
        #expect(Oracle.meanTick(earlier: 0, later: -7, seconds: 2) == -4)
        #expect(Oracle.meanTick(earlier: 0, later: -8, seconds: 2) == -4)
        #expect(Oracle.meanTick(earlier: 5, later: 5, seconds: 1) == 0)
        let last = Int64(1) << 55 - 1
        #expect(Oracle.meanTick(earlier: last, later: -last - 1 + 9, seconds: 1) == 10)
        #expect(Oracle.meanTick(earlier: 0, later: 887_273, seconds: 1) == nil)
        #expect(Oracle.meanTick(earlier: .min, later: .max, seconds: 1) == -1)
        #expect(Oracle.meanTick(earlier: 0, later: 1, seconds: 0) == nil)
        #expect(Oracle.price(0) == PriceRatio(UInt256(1) << 192, UInt256(1) << 192))
        #expect(Oracle.price(887_273) == nil)
    }
}
