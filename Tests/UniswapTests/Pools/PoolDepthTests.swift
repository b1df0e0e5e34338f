import BigInt
import DexTestSupport
import Ethereum
import Testing

@testable import Uniswap

@Suite("Depth, prices and paths of pools")
struct PoolDepthTests {
    private let e18: UInt256 = 1_000_000_000_000_000_000

    private func token(_ number: UInt64) -> Address {
        Address(truncating: UInt256(number).word)
    }

    /// A pool at price 1 with one position from tick -600 to 600.
    private func pool(
        sqrtPrice: UInt256 = TickMath.one,
        tick: Int32 = 0,
        liquidity: UInt128 = 1_000_000_000_000_000_000_000,
        fee: UInt32 = 3_000,
        spacing: Int32 = 60,
        words: ClosedRange<Int16>? = nil,
        ticks: [Int32] = [-600, 600]
    ) throws -> PoolState {
        try PoolState(
            sqrtPrice: sqrtPrice,
            tick: tick,
            liquidity: liquidity,
            fee: fee,
            tickSpacing: spacing,
            words: words ?? TickBitmap.words(spacing: 60),
            ticks: ticks.enumerated().map { place, tick in
                let net = Int128(1_000_000_000_000_000_000_000)
                return InitialisedTick(tick: tick, liquidityNet: place == 0 ? net : -net)
            }
        )
    }

    @Test("a state that no genuine pool has is refused")
    func malformed() throws {
        _ = try pool()
        #expect(throws: PoolError.notInitialised) { try pool(sqrtPrice: 0) }
        // The tick is not the price's; a falling swap ends one below it at most.
        for tick: Int32 in [-2, 1, .min, .max] {
            #expect(throws: PoolError.malformed) { try pool(tick: tick) }
        }
        #expect(try pool(tick: -1).tick == -1)
        #expect(throws: PoolError.malformed) {
            try pool(sqrtPrice: TickMath.one + 1, tick: -1)
        }
        for price in [1, TickMath.minimumPrice - 1, TickMath.maximumPrice, .max] {
            #expect(throws: PoolError.malformed) { try pool(sqrtPrice: price) }
        }
        for fee: UInt32 in [1_000_000, .max] {
            #expect(throws: PoolError.malformed) { try pool(fee: fee) }
        }
        for spacing: Int32 in [.min, -1, 0, 16_384, .max, 7] {
            #expect(throws: PoolError.malformed) { try pool(spacing: spacing) }
        }
        for ticks: [Int32] in [
            [600, -600], [600, 600], [-600, 601], [-887_280, 600], [-600, .max], [.min, 600],
        ] {
            #expect(throws: PoolError.malformed) { try pool(ticks: ticks) }
        }
        #expect(throws: PoolError.malformed) { try pool(words: 0...0) }
    }

    @Test("a node that lies about liquidity at ticks gets an error, not a trap")
    func lies() throws {
        let nets: [Int128] = [.min, .max, -1, 1, 0]
        for net in nets {
            for liquidity in [0, 1, UInt128.max] {
                let state = try PoolState(
                    sqrtPrice: TickMath.one,
                    tick: 0,
                    liquidity: liquidity,
                    fee: 999_999,
                    tickSpacing: 60,
                    words: Int16.min...Int16.max,
                    ticks: [-887_220, -60, 0, 60, 887_220].map {
                        InitialisedTick(tick: $0, liquidityNet: net)
                    }
                )
                for amount in [1, UInt256.max >> 1, UInt256.max] {
                    for zeroForOne in [true, false] {
                        _ = try? state.swap(.exactIn(amount), zeroForOne: zeroForOne)
                        _ = try? state.swap(.exactOut(amount), zeroForOne: zeroForOne)
                    }
                }
            }
        }
        let state = try PoolState(
            sqrtPrice: TickMath.one,
            tick: 0,
            liquidity: 5,
            fee: 3_000,
            tickSpacing: 60,
            words: TickBitmap.words(spacing: 60),
            ticks: [InitialisedTick(tick: 60, liquidityNet: -6)]
        )
        #expect(throws: PoolError.malformed) { try state.swap(.exactIn(e18), zeroForOne: false) }
    }

    @Test("amounts, limits and words are refused as the contract refuses them")
    func refused() throws {
        let state = try pool()
        #expect(throws: PoolError.zeroAmount) { try state.swap(.exactOut(0), zeroForOne: true) }
        #expect(throws: PoolError.overflow) {
            try state.swap(.exactIn(UInt256(1) << 255), zeroForOne: true)
        }
        let limits: [(Bool, UInt256)] = [
            (true, TickMath.one), (true, .max), (true, TickMath.minimumPrice),
            (false, TickMath.one), (false, 0), (false, TickMath.maximumPrice),
        ]
        for (zeroForOne, limit) in limits {
            #expect(throws: PoolError.priceLimit) {
                try state.swap(.exactIn(1), zeroForOne: zeroForOne, limit: limit)
            }
        }
        let narrow = try pool(words: -1...0)
        #expect(throws: PoolError.missingWord(-2)) {
            try narrow.swap(.exactIn(e18 * 1_000), zeroForOne: true)
        }
        #expect(throws: PoolError.missingWord(1)) {
            try narrow.swap(.exactIn(e18 * 1_000), zeroForOne: false)
        }
        let dry = try state.swap(.exactIn(e18 * 1_000), zeroForOne: true)
        #expect(dry.isDry && dry.amountIn < e18 * 1_000 && dry.liquidity == 0)
        #expect(throws: PoolError.priceLimit) {
            try state.after(dry).swap(.exactIn(1), zeroForOne: true)
        }
        #expect(throws: PoolError.dry) {
            try PoolDepth.v3(state).quote(.exactIn(e18 * 1_000), zeroForOne: true)
        }
    }

    @Test("the bitmap: a bit of a word is a tick, below zero too")
    func bitmap() {
        #expect(TickBitmap.word(of: -1, spacing: 60) == -1)
        #expect(TickBitmap.word(of: 0, spacing: 60) == 0)
        #expect(TickBitmap.word(of: -256 * 60, spacing: 60) == -1)
        #expect(TickBitmap.word(of: -256 * 60 - 1, spacing: 60) == -2)
        #expect(TickBitmap.words(spacing: 1) == -3_466...3_465)
        #expect(TickBitmap.words(spacing: 60) == -58...57)
        let bits: UInt256 = 1 | 1 << 255
        #expect(TickBitmap.ticks(word: -1, bits: bits, spacing: 60) == [-15_360, -60])
        #expect(TickBitmap.ticks(word: 0, bits: bits, spacing: 1) == [0, 255])
        #expect(TickBitmap.ticks(word: 0, bits: 0, spacing: 1) == [])
        #expect(TickBitmap.ticks(word: 3_465, bits: bits, spacing: 1) == nil)
        #expect(TickBitmap.ticks(word: .min, bits: 1, spacing: .max) == nil)
        #expect(TickBitmap.word(of: 5, spacing: 0) == 0)
    }

    @Test("the marginal price is exact or rounded down; bid and ask enclose it by the fee")
    func prices() throws {
        var random = SeededGenerator(seed: SampleSeed.of("UNISWAP"))
        for _ in 0..<1_000 {
            let sqrtPrice = random.price()
            let tick = try #require(TickMath.tick(sqrtPrice))
            let fee = UInt32(random.below(1_000_000))
            let depth = PoolDepth.v3(
                try pool(sqrtPrice: sqrtPrice, tick: tick, liquidity: 0, fee: fee, ticks: [])
            )
            let square = BigInt(sqrtPrice) * BigInt(sqrtPrice)
            let (one, kept) = (BigInt(1_000_000), BigInt(1_000_000 - fee))
            let marginal = try #require(depth.marginalPrice)
            let (bid, ask) = try (#require(depth.bid), #require(depth.ask))
            let scale = BigInt(1) << 192
            check(marginal, square, scale, isUp: false)
            check(bid, square * kept, scale * one, isUp: false)
            check(ask, square * one, scale * kept, isUp: true)
        }
        let pair = try #require(PairState(reserve0: 1_000, reserve1: 2_000))
        #expect(PoolDepth.v2(pair).marginalPrice == PriceRatio(2_000, 1_000))
        #expect(PoolDepth.v2(pair).bid == PriceRatio(2_000 * 997_000, 1_000 * 1_000_000))
        #expect(PoolDepth.v2(pair).ask == PriceRatio(2_000 * 1_000_000, 1_000 * 997_000))
        let empty = try #require(PairState(reserve0: 0, reserve1: 0))
        #expect(PoolDepth.v2(empty).marginalPrice == nil && PoolDepth.v2(empty).ask == nil)
        #expect(PriceRatio(sqrtPrice: UInt256(1) << 160) == nil)
        #expect(
            PriceRatio(sqrtPrice: 1, over: 0) == nil && PriceRatio(sqrtPrice: 1, under: 0) == nil
        )
    }

    /// A fraction is another one, or off in the one direction by less than one part in 2^250.
    private func check(_ price: PriceRatio, _ top: BigInt, _ bottom: BigInt, isUp: Bool) {
        let own = BigInt(price.numerator) * bottom
        let exact = top * BigInt(price.denominator)
        let difference = isUp ? own - exact : exact - own
        #expect(difference >= 0 && difference << 250 <= exact)
        if top < BigInt(1) << 256 { #expect(difference == 0) }
    }

    @Test("a path is quoted forwards and backwards, each pool on its own state, none twice")
    func paths() throws {
        let (a, b, c) = (token(1), token(2), token(3))
        let path = try #require(PoolPath([a, b, c], [.v3(fee: 3_000), .v3(fee: 500)]))
        let (first, second) = try (pool(), pool(fee: 500))
        let depths: [PoolID: PoolDepth] = [
            path.pools[0]: .v3(first), path.pools[1]: .v3(second),
        ]
        let forwards = try path.quote(.exactIn(e18), depths)
        let one = try first.swap(.exactIn(e18), zeroForOne: true)
        let two = try second.swap(.exactIn(one.amountOut), zeroForOne: true)
        #expect(forwards.pools.map(\.amountOut) == [one.amountOut, two.amountOut])
        #expect(forwards.amountIn == e18 && forwards.amountOut == two.amountOut)
        #expect(forwards.pools[1].after == .v3(second.after(two)))
        let backwards = try path.quote(.exactOut(two.amountOut), depths)
        #expect(backwards.amountOut == two.amountOut && backwards.amountIn <= e18)
        #expect(backwards.pools[0].amountOut == backwards.pools[1].amountIn)

        let back = try #require(PoolPath([c, b, a], [.v3(fee: 500), .v3(fee: 3_000)]))
        let sold = try second.swap(.exactIn(e18), zeroForOne: false)
        #expect(try back.quote(.exactIn(e18), depths).pools[0].amountOut == sold.amountOut)

        #expect(throws: PoolError.unknownPool(path.pools[1])) {
            try path.quote(.exactIn(e18), [path.pools[0]: .v3(first)])
        }
        let round = try #require(PoolPath([a, b, a], [.v3(fee: 3_000), .v3(fee: 3_000)]))
        #expect(throws: PoolError.repeatedPool) { try round.quote(.exactIn(e18), depths) }
        // One base unit buys nothing of the second token, and nothing cannot be sold.
        #expect(throws: PoolError.zeroAmount) { try path.quote(.exactIn(1), depths) }
    }

    @Test("the pairs of a path answer in the order of the trade")
    func pairs() throws {
        let path = try #require(PoolPath([token(3), token(1), token(2)], [.v2, .v2]))
        let first = try #require(PairState(reserve0: 5 * e18, reserve1: 9 * e18))
        let second = try #require(PairState(reserve0: 4 * e18, reserve1: 7 * e18))
        let depths: [PoolID: PoolDepth] = [path.pools[0]: .v2(first), path.pools[1]: .v2(second)]
        let quote = try path.quote(.exactIn(e18), depths)
        let middle = PairMath.amountOut(e18, reserveIn: 9 * e18, reserveOut: 5 * e18)
        #expect(quote.pools[0].amountOut == middle)
        #expect(try path.quote(.exactOut(quote.amountOut), depths).amountIn <= e18)
    }
}
