import BigInt
import Foundation

/// Uniswap's formulas on numbers without bounds, written from their description and not from the
/// module's code; nil where the contracts revert.
enum SlowMath {
    static let q96 = BigInt(1) << 96
    static let minimum = BigInt(4_295_128_739)
    static let maximum = BigInt("1461446703485210103287273052203988822378723970342")
    private static let word = BigInt(1) << 256

    /// Quotients of numbers that are not negative.
    static func up(_ a: BigInt, _ b: BigInt) -> BigInt { (a + b - 1) / b }

    // MARK: v2

    static func pairOut(_ sold: BigInt, _ reserveIn: BigInt, _ reserveOut: BigInt) -> BigInt? {
        guard sold > 0, reserveIn > 0, reserveOut > 0 else { return nil }
        let top = 997 * sold * reserveOut
        let bottom = 1000 * reserveIn + 997 * sold
        guard top < word, bottom < word else { return nil }
        return top / bottom == 0 ? nil : top / bottom
    }

    static func pairIn(_ bought: BigInt, _ reserveIn: BigInt, _ reserveOut: BigInt) -> BigInt? {
        guard bought > 0, reserveIn > 0, bought < reserveOut else { return nil }
        let top = 1000 * reserveIn * bought
        let bottom = 997 * (reserveOut - bought)
        guard top < word, bottom < word else { return nil }
        let cost = top / bottom + 1
        return cost < word ? cost : nil
    }

    // MARK: Ticks

    private static let factors = """
        fffcb933bd6fad37aa2d162d1a594001 fff97272373d413259a46990580e213a
        fff2e50f5f656932ef12357cf3c7fdcc ffe5caca7e10e4e61c3624eaa0941cd0
        ffcb9843d60f6159c9db58835c926644 ff973b41fa98c081472e6896dfb254c0
        ff2ea16466c96a3843ec78b326b52861 fe5dee046a99a2a811c461f1969c3053
        fcbe86c7900a88aedcffc83b479aa3a4 f987a7253ac413176f2b074cf7815e54
        f3392b0822b70005940c7a398e4b70f3 e7159475a2c29b7443b29c7fa6e889d9
        d097f3bdfd2022b8845ad8f792aa5825 a9f746462d870fdf8a65dc1f90e061e5
        70d869a156d2a1b890bb3df62baf32f7 31be135f97d08fd981231505542fcfa6
        9aa508b5b7a84e1c677de54f3e99bc9 5d6af8dedb81196699c329225ee604
        2216e584f5fa1ea926041bedfe98 48a170391f7dc42444e8fa2
        """.split(whereSeparator: \.isWhitespace).compactMap { BigInt(String($0), radix: 16) }

    static func price(_ tick: Int) -> BigInt {
        var ratio = BigInt(1) << 128
        for (bit, factor) in factors.enumerated() where (abs(tick) >> bit) & 1 == 1 {
            ratio = (ratio * factor) >> 128
        }
        if tick > 0 { ratio = (word - 1) / ratio }
        return up(ratio, BigInt(1) << 32)
    }

    /// The greatest tick whose price is not above a price: a guess by logarithm, then step by step.
    static func tick(_ price: BigInt) -> Int {
        var tick = Int(2 * log(Double(price) / 0x1p96) / log(1.0001))
        while self.price(tick) > price { tick -= 1 }
        while self.price(tick + 1) <= price { tick += 1 }
        return tick
    }

    // MARK: Amounts and prices

    static func amount0(_ p: BigInt, _ q: BigInt, _ liquidity: BigInt, up roundsUp: Bool) -> BigInt
    {
        let (a, b) = (min(p, q), max(p, q))
        let top = liquidity * q96 * (b - a)
        return roundsUp ? up(up(top, b), a) : top / b / a
    }

    static func amount1(_ p: BigInt, _ q: BigInt, _ liquidity: BigInt, up roundsUp: Bool) -> BigInt
    {
        let top = liquidity * abs(p - q)
        return roundsUp ? up(top, q96) : top / q96
    }

    static func next(
        _ p: BigInt,
        _ liquidity: BigInt,
        amountIn x: BigInt,
        zeroForOne: Bool
    ) -> BigInt? {
        guard p > 0, liquidity > 0 else { return nil }
        let scaled = liquidity * q96
        if !zeroForOne {
            let end = p + x * q96 / liquidity
            return end < BigInt(1) << 160 ? end : nil
        }
        if x == 0 { return p }
        let bottom = scaled + x * p
        return x * p < word && bottom < word
            ? up(scaled * p, bottom) : up(scaled, scaled / p + x)
    }

    static func next(
        _ p: BigInt,
        _ liquidity: BigInt,
        amountOut x: BigInt,
        zeroForOne: Bool
    ) -> BigInt? {
        guard p > 0, liquidity > 0 else { return nil }
        if x == 0 { return p }
        if zeroForOne {
            let end = p - up(x * q96, liquidity)
            return end > 0 ? end : nil
        }
        let scaled = liquidity * q96
        guard x * p < word, scaled > x * p else { return nil }
        let end = up(scaled * p, scaled - x * p)
        return end < BigInt(1) << 160 ? end : nil
    }

    // MARK: One step

    struct Step: Equatable {
        var price, amountIn, amountOut, fee: BigInt
    }

    /// The least exact amount with which a step reaches its target.
    static func whole(
        from p: BigInt,
        to target: BigInt,
        _ liquidity: BigInt,
        isExactIn: Bool,
        fee: Int
    ) -> BigInt {
        let isAmount0 = (p >= target) == isExactIn
        guard isExactIn else {
            return isAmount0
                ? amount0(p, target, liquidity, up: false)
                : amount1(p, target, liquidity, up: false)
        }
        let net =
            isAmount0
            ? amount0(p, target, liquidity, up: true) : amount1(p, target, liquidity, up: true)
        return up(net * 1_000_000, BigInt(1_000_000 - fee))
    }

    static func step(
        from p: BigInt,
        to target: BigInt,
        _ liquidity: BigInt,
        rest: BigInt,
        isExactIn: Bool,
        fee: Int
    ) -> Step? {
        let zeroForOne = p >= target
        let million = BigInt(1_000_000)
        func sold(_ end: BigInt) -> BigInt {
            zeroForOne
                ? amount0(p, end, liquidity, up: true) : amount1(p, end, liquidity, up: true)
        }
        func bought(_ end: BigInt) -> BigInt {
            zeroForOne
                ? amount1(p, end, liquidity, up: false) : amount0(p, end, liquidity, up: false)
        }
        var end: BigInt? = target
        if isExactIn {
            let net = rest * (million - BigInt(fee)) / million
            if net < sold(target) {
                end = next(p, liquidity, amountIn: net, zeroForOne: zeroForOne)
            }
        } else if rest < bought(target) {
            end = next(p, liquidity, amountOut: rest, zeroForOne: zeroForOne)
        }
        guard let end else { return nil }
        let paid = sold(end)
        let out = isExactIn ? bought(end) : min(bought(end), rest)
        let charge =
            isExactIn && end != target
            ? rest - paid : up(paid * BigInt(fee), million - BigInt(fee))
        return Step(price: end, amountIn: paid, amountOut: out, fee: charge)
    }
}
