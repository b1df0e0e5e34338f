import BigInt
import DexTestSupport
import Ethereum

@testable import Uniswap

extension SeededGenerator {
    /// A number above 0 of up to so many bits, each width as likely as another; now and then an edge.
    mutating func number(bits: Int) -> UInt256 {
        let width = 1 + below(bits)
        let top = UInt256(1) << (width - 1)
        switch below(12) {
        case 0: return top
        case 1: return top &- 1 | top
        case 2: return max(top &- 1, 1)
        default:
            let word = UInt256(w0: next(), w1: next(), w2: next(), w3: next())
            return word >> (256 - width) | top
        }
    }

    /// From one bound to the other, both included.
    mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    /// A square root price that a pool can have.
    mutating func price() -> UInt256 {
        let tick = within(-887_272...887_271)
        switch below(20) {
        case 0: return TickMath.minimumPrice + UInt256(UInt64(below(3)))
        case 1: return TickMath.maximumPrice - 1 - UInt256(UInt64(below(3)))
        case 2: return UInt256(1) << within(33...159)
        case 3...6: return TickMath.price(Int32(tick)) ?? TickMath.one
        default: return price(in: Int32(tick))
        }
    }

    /// A square root price whose tick is this one, which is below the highest.
    mutating func price(in tick: Int32) -> UInt256 {
        guard let low = TickMath.price(tick), let high = TickMath.price(tick + 1) else {
            return TickMath.one
        }
        let word = UInt256(w0: next(), w1: next(), w2: next() >> 32, w3: 0)
        return low + word % (high - low)
    }
}

/// A v3 pool with random positions, once as a value of the module and once as a slow one.
struct RandomPool {
    let state: PoolState
    let slow: SlowPool
    let words: ClosedRange<Int16>

    init(_ random: inout SeededGenerator) throws {
        let spacing = random.pick([1, 10, 60, 200])
        let fee =
            random.chance(5) ? random.below(1_000_000) : random.pick([100, 500, 3000, 10_000])
        let edge = 887_272 / spacing
        // Near 1, anywhere, near a bound, or at the edge of a word.
        var place: Int
        switch random.below(8) {
        case 0: place = random.within(-2...2)
        case 1: place = random.pick([-1, 1]) * (edge - random.below(30))
        case 2, 3:
            place = 256 * random.within(-edge / 256...edge / 256) + random.within(-2...2)
        default: place = random.within(-edge...edge - 1)
        }
        place = min(max(place, -edge), edge - 1)
        var tick = Int32(min(max(place * spacing + random.below(spacing), -887_272), 887_271))
        var price = random.price(in: tick)
        if random.chance(20) {
            // The price of a tick; half of these as a falling swap left it.
            tick = Int32(place * spacing)
            price = TickMath.price(tick) ?? price
            if random.chance(50), place > -edge { tick -= 1 }
        }
        var net: [Int: BigInt] = [:]
        var liquidity = BigInt(0)
        for _ in 0..<random.below(9) {
            let amount = BigInt(random.number(bits: random.pick([20, 60, 100])))
            var (low, high) = Self.range(&random, place, edge)
            (low, high) = (min(max(low, -edge), edge - 1), min(max(high, -edge + 1), edge))
            if low >= high { high = low + 1 }
            net[low * spacing, default: 0] += amount
            net[high * spacing, default: 0] -= amount
            if low * spacing <= Int(tick), Int(tick) < high * spacing { liquidity += amount }
        }
        slow = SlowPool(
            price: BigInt(price),
            tick: Int(tick),
            liquidity: liquidity,
            fee: fee,
            spacing: spacing,
            net: net
        )
        words = TickBitmap.words(spacing: Int32(spacing))
        state = try PoolState(
            sqrtPrice: price,
            tick: tick,
            liquidity: UInt128(liquidity),
            fee: UInt32(fee),
            tickSpacing: Int32(spacing),
            words: words,
            ticks: net.sorted { $0.key < $1.key }.map {
                InitialisedTick(tick: Int32($0.key), liquidityNet: Self.signed($0.value))
            }
        )
    }

    /// BigInt converts negative numbers whose low word is 0 wrongly.
    private static func signed(_ number: BigInt) -> Int128 {
        let magnitude = Int128(number.magnitude)
        return number < 0 ? -magnitude : magnitude
    }

    /// The bounds of a position in multiples of the spacing, perhaps out of range.
    private static func range(
        _ random: inout SeededGenerator,
        _ place: Int,
        _ edge: Int
    ) -> (Int, Int) {
        switch random.below(8) {
        case 0: return (-edge, edge)
        case 1:
            // Beside the price: a gap at it.
            let distance = random.pick([1, 2, 100, 300])
            let low = place + random.pick([-1, 1]) * distance
            return (low, low + 1 + random.below(600))
        case 2:
            // From edge to edge of bitmap words.
            let word = place >> 8
            return (256 * (word - random.below(3)), 256 * (word + 1 + random.below(3)))
        case 3: return (256 * (place >> 8) - 1, 256 * (place >> 8) + 255)
        default:
            let reach = random.pick([1, 3, 20, 250, 2_000])
            return (place - random.below(reach + 1), place + 1 + random.below(reach))
        }
    }
}
