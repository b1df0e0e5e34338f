import Ethereum
import Uniswap

/// A pool's state as far as one round trip reads it: enough to rank it for an amount.
enum PoolSpot: Hashable, Sendable {
    case v2(PairState)
    /// The price and the liquidity around it; a fee in millionths.
    case v3(PoolSlot, liquidity: UInt128, fee: UInt32)

    private static let reserves = ContractRead<PairState>.reserves
    private static let slot = ContractRead<PoolSlot?>.slot
    private static let liquidity = ContractRead<UInt128>.liquidity

    /// The calls that read a pool.
    static func calls(_ pool: PoolID) -> [[UInt8]] {
        pool.kind == .v2 ? [reserves.data] : [slot.data, liquidity.data]
    }

    /// From the answers in the order of the calls; nil for no pool, or one without liquidity.
    init?(_ pool: PoolID, _ answers: [[UInt8]]) {
        guard answers.count == Self.calls(pool).count else { return nil }
        do throws(ContractReadError) {
            switch pool.kind {
            case .v2:
                let state = try Self.reserves.decode(answers[0])
                guard state.reserve0 != .zero, state.reserve1 != .zero else { return nil }
                self = .v2(state)
            case .v3(let fee):
                guard fee < Self.million, let slot = try Self.slot.decode(answers[0]) else {
                    return nil
                }
                let liquidity = try Self.liquidity.decode(answers[1])
                guard liquidity > 0 else { return nil }
                self = .v3(slot, liquidity: liquidity, fee: fee)
            }
        } catch {
            return nil
        }
    }

    /// What an amount buys.
    func bought(for sold: UInt256, zeroForOne: Bool) -> UInt256? {
        switch self {
        case .v2(let state):
            // nil: the pair has not enough
            return try? state.swap(.exactIn(sold), zeroForOne: zeroForOne).amountOut
        case .v3(let slot, let liquidity, let fee):
            let price = slot.sqrtPrice
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
        case .v3(let slot, let liquidity, let fee):
            let price = slot.sqrtPrice
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
