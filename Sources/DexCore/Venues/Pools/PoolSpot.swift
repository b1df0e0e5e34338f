import Ethereum
import Uniswap

/// A pool's state as far as one round trip reads it: enough to rank it for an amount.
enum PoolSpot: Hashable, Sendable {
    case v2(PairState)
    /// The price and the liquidity around it; a fee in millionths.
    case v3(sqrtPrice: UInt256, liquidity: UInt128, fee: UInt32)

    private static let reserves = ERC20.call("getReserves()")
    private static let slot0 = ERC20.call("slot0()")
    private static let liquidity = ERC20.call("liquidity()")

    /// The calls that read a pool.
    static func calls(_ pool: PoolID) -> [[UInt8]] {
        pool.kind == .v2 ? [reserves] : [slot0, liquidity]
    }

    /// From the answers in the order of the calls; nil for no pool, or one without liquidity.
    init?(_ pool: PoolID, _ answers: [[UInt8]]) {
        func word(_ answer: Int, _ index: Int) -> UInt256? {
            guard answers.indices.contains(answer), answers[answer].count >= 32 * (index + 1)
            else { return nil }
            return UInt256(bigEndian: answers[answer][32 * index..<32 * (index + 1)])
        }
        switch pool.kind {
        case .v2:
            guard let reserve0 = word(0, 0), let reserve1 = word(0, 1), reserve0 != .zero,
                reserve1 != .zero, let state = PairState(reserve0: reserve0, reserve1: reserve1)
            else { return nil }
            self = .v2(state)
        case .v3(let fee):
            guard fee < Self.million, let price = word(0, 0), TickMath.tick(price) != nil,
                let liquidity = word(1, 0)?.uint128, liquidity > 0
            else { return nil }
            self = .v3(sqrtPrice: price, liquidity: liquidity, fee: fee)
        }
    }

    /// What an amount buys.
    func bought(for sold: UInt256, zeroForOne: Bool) -> UInt256? {
        switch self {
        case .v2(let state):
            // nil: the pair has not enough
            return try? state.swap(.exactIn(sold), zeroForOne: zeroForOne).amountOut
        case .v3(let price, let liquidity, let fee):
            guard
                let rest = UInt256.mulDiv(sold, UInt256(UInt64(Self.million - fee)), Self.whole),
                let after = SqrtPriceMath.price(
                    price,
                    liquidity: liquidity,
                    amountIn: rest.quotient,
                    zeroForOne: zeroForOne
                ),
                let bought = zeroForOne
                    ? SqrtPriceMath.amount1(after, price, liquidity: liquidity, roundsUp: false)
                    : SqrtPriceMath.amount0(price, after, liquidity: liquidity, roundsUp: false),
                bought != .zero
            else { return nil }
            return bought
        }
    }

    /// What an amount costs.
    func sold(for bought: UInt256, zeroForOne: Bool) -> UInt256? {
        switch self {
        case .v2(let state):
            // nil: the pair has not enough
            return try? state.swap(.exactOut(bought), zeroForOne: zeroForOne).amountIn
        case .v3(let price, let liquidity, let fee):
            guard
                let after = SqrtPriceMath.price(
                    price,
                    liquidity: liquidity,
                    amountOut: bought,
                    zeroForOne: zeroForOne
                ),
                let sold = zeroForOne
                    ? SqrtPriceMath.amount0(after, price, liquidity: liquidity, roundsUp: true)
                    : SqrtPriceMath.amount1(price, after, liquidity: liquidity, roundsUp: true),
                let whole = UInt256.mulDiv(sold, Self.whole, UInt256(UInt64(Self.million - fee)))
            else { return nil }
            return whole.quotient.addingSaturating(1)
        }
    }

    private static let million: UInt32 = 1_000_000
    private static let whole: UInt256 = 1_000_000
}
