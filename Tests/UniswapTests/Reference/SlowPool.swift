import BigInt

/// A v3 pool whose walk is written from its description: it looks at every multiple of the spacing
/// in a bitmap's word, one by one.
///
/// Where there is no liquidity, no amount moves, and it goes on to the next initialised tick at
/// once.
struct SlowPool {
    var price: BigInt
    var tick: Int
    var liquidity: BigInt
    var fee: Int
    var spacing: Int
    /// What the liquidity grows by where the price rises over an initialised tick.
    var net: [Int: BigInt]

    struct Result: Equatable {
        var amountIn: BigInt
        var amountOut: BigInt
        var price: BigInt
        var tick: Int
        var liquidity: BigInt
        var crossed: Int
    }

    private static func floor(_ a: Int, _ b: Int) -> Int {
        a >= 0 ? a / b : -((-a + b - 1) / b)
    }

    /// - Returns: nil where the contract reverts.
    func swap(
        _ amount: BigInt,
        isExactIn: Bool,
        zeroForOne: Bool,
        limit: BigInt? = nil
    ) -> Result? {
        let bound = zeroForOne ? SlowMath.minimum + 1 : SlowMath.maximum - 1
        let limit = limit ?? bound
        let isBehind = zeroForOne ? limit < price : limit > price
        guard amount > 0, isBehind, zeroForOne ? limit >= bound : limit <= bound else { return nil }
        var (price, tick, liquidity) = (price, tick, liquidity)
        var rest = amount
        var other = BigInt(0)
        var crossed = 0
        while rest != 0, price != limit {
            let next =
                liquidity == 0 ? nextPosition(tick, zeroForOne) : nextTick(tick, zeroForOne)
            let nextPrice = SlowMath.price(next)
            let target = zeroForOne ? max(nextPrice, limit) : min(nextPrice, limit)
            let step = SlowMath.step(
                from: price,
                to: target,
                liquidity,
                rest: rest,
                isExactIn: isExactIn,
                fee: fee
            )
            guard let step else { return nil }
            rest -= isExactIn ? step.amountIn + step.fee : step.amountOut
            other += isExactIn ? step.amountOut : step.amountIn + step.fee
            if step.price == nextPrice {
                if let change = net[next] {
                    liquidity += zeroForOne ? -change : change
                    crossed += 1
                }
                tick = zeroForOne ? next - 1 : next
            } else if step.price != price {
                tick = SlowMath.tick(step.price)
            }
            price = step.price
        }
        return Result(
            amountIn: isExactIn ? amount - rest : other,
            amountOut: isExactIn ? other : amount - rest,
            price: price,
            tick: tick,
            liquidity: liquidity,
            crossed: crossed
        )
    }

    /// The next initialised tick, however far, or the last tick.
    private func nextPosition(_ tick: Int, _ zeroForOne: Bool) -> Int {
        zeroForOne
            ? net.keys.filter { $0 <= tick }.max() ?? -887_272
            : net.keys.filter { $0 > tick }.min() ?? 887_272
    }

    private func nextTick(_ tick: Int, _ zeroForOne: Bool) -> Int {
        var place = Self.floor(tick, spacing) + (zeroForOne ? 0 : 1)
        let word = Self.floor(place, 256)
        let edge = zeroForOne ? word * 256 : word * 256 + 255
        while place != edge, net[place * spacing] == nil { place += zeroForOne ? -1 : 1 }
        return min(max(place * spacing, -887_272), 887_272)
    }
}
