import Ethereum
import Uniswap

/// What a swap does with a v3 pool: step by step, from tick to tick.
///
/// It is written after the contract and not with the walk of module Uniswap, so that each reveals
/// the other's mistakes.
struct RangePoolWalk {
    /// What the pool gets, with its fee, and what it pays, in base units.
    private(set) var amountIn = UInt256.zero
    private(set) var amountOut = UInt256.zero
    /// `sqrtPriceX96`, tick and liquidity afterwards.
    private(set) var price: UInt256
    private(set) var tick: Int32
    private(set) var liquidity: UInt128
    /// The ticks with liquidity that the price went through.
    private(set) var crossed = 0
    /// One more for every 256 ticks, and for every tick with liquidity.
    private(set) var steps: UInt64 = 0
    /// The steps did not suffice.
    private(set) var isCutOff = false

    /// - Parameter mostSteps: what the gas suffices for.
    /// - Returns: nil where the contract reverts without data.
    ///
    /// Source: the loop of UniswapV3Pool's `swap`.
    init?(
        _ pool: GenesisRangePool,
        spacing: Int32,
        from state: RangePoolState,
        liquidity: UInt128,
        amount: PoolAmount,
        zeroForOne: Bool,
        limit: UInt256,
        mostSteps: UInt64
    ) {
        price = state.price
        tick = state.tick
        self.liquidity = liquidity
        var rest = amount
        while !rest.isUsedUp, price != limit {
            guard steps < mostSteps else {
                isCutOff = true
                return
            }
            steps += 1
            let (next, net) = Self.next(pool, spacing, tick, zeroForOne: zeroForOne)
            guard let nextPrice = TickMath.price(next) else { return nil }
            let target = zeroForOne ? max(nextPrice, limit) : min(nextPrice, limit)
            guard
                let step = SwapStep(
                    from: price,
                    to: target,
                    liquidity: self.liquidity,
                    rest: rest,
                    fee: pool.pool.kind.fee
                ), let left = rest.after(step), take(step)
            else { return nil }
            rest = left
            if step.price == nextPrice {
                if let net, !cross(zeroForOne ? -net : net) { return nil }
                tick = zeroForOne ? next - 1 : next
            } else if step.price != price {
                guard let now = TickMath.tick(step.price) else { return nil }
                tick = now
            }
            price = step.price
        }
    }

    /// Adds a step's amounts; false above 256 bits.
    private mutating func take(_ step: SwapStep) -> Bool {
        let (paid, first) = step.amountIn.addingReportingOverflow(step.fee)
        let (sumIn, second) = amountIn.addingReportingOverflow(paid)
        let (sumOut, third) = amountOut.addingReportingOverflow(step.amountOut)
        (amountIn, amountOut) = (sumIn, sumOut)
        return !first && !second && !third
    }

    /// Changes the liquidity at a tick; false outside of its type.
    private mutating func cross(_ net: Int128) -> Bool {
        crossed += 1
        let change = net.magnitude
        let (sum, overflow) =
            net < 0
            ? liquidity.subtractingReportingOverflow(change)
            : liquidity.addingReportingOverflow(change)
        liquidity = sum
        return !overflow
    }

    /// The next tick with liquidity in the word of 256 ticks, else the word's edge.
    ///
    /// Source: TickBitmap's `nextInitializedTickWithinOneWord`.
    private static func next(
        _ pool: GenesisRangePool,
        _ spacing: Int32,
        _ tick: Int32,
        zeroForOne: Bool
    ) -> (tick: Int32, net: Int128?) {
        // Floor, below zero too.
        let place = tick / spacing - (tick % spacing < 0 ? 1 : 0)
        let found: GenesisRangePool.Tick?
        let edge: Int32
        if zeroForOne {
            edge = ((place >> 8) << 8) * spacing
            found = pool.ticks.last { $0.index <= place * spacing && $0.index >= edge }
        } else {
            edge = ((((place + 1) >> 8) << 8) + 255) * spacing
            found = pool.ticks.first { $0.index > place * spacing && $0.index <= edge }
        }
        let next = found?.index ?? edge
        let bounds = TickMath.ticks
        return (min(max(next, bounds.lowerBound), bounds.upperBound), found?.net)
    }
}

extension PoolAmount {
    fileprivate var isUsedUp: Bool {
        switch self {
        case .exactIn(let rest), .exactOut(let rest): rest == .zero
        }
    }

    /// What a step leaves; nil below zero.
    fileprivate func after(_ step: SwapStep) -> PoolAmount? {
        switch self {
        case .exactIn(let rest):
            let (paid, overflow) = step.amountIn.addingReportingOverflow(step.fee)
            let (left, isBelow) = rest.subtractingReportingOverflow(paid)
            return overflow || isBelow ? nil : .exactIn(left)
        case .exactOut(let rest):
            let (left, isBelow) = rest.subtractingReportingOverflow(step.amountOut)
            return isBelow ? nil : .exactOut(left)
        }
    }
}
