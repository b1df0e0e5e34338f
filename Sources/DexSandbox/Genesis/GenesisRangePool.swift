package import Ethereum
package import Uniswap

/// A v3 pool from the start.
///
/// Nobody can add or remove liquidity later, so its ticks never change.
package struct GenesisRangePool: Hashable, Sendable {
    /// A tick at which the liquidity changes.
    package struct Tick: Hashable, Sendable {
        package let index: Int32
        /// Added to the liquidity when the price rises through the tick.
        package let net: Int128
        /// Of all ranges that begin or end here.
        package let gross: UInt128

        package init(index: Int32, net: Int128, gross: UInt128) {
            self.index = index
            self.net = net
            self.gross = gross
        }
    }

    package let pool: PoolID
    /// `sqrtPriceX96`; 0 if the pool is not initialised.
    package let price: UInt256
    /// In rising order, multiples of the fee's tick spacing.
    package let ticks: [Tick]
    /// The observations that the oracle keeps.
    package let cardinality: UInt16

    /// - Parameters:
    ///   - pool: of kind v3.
    ///   - price: `sqrtPriceX96`.
    ///   - ticks: in rising order.
    package init(pool: PoolID, price: UInt256, ticks: [Tick], cardinality: UInt16 = 1) {
        self.pool = pool
        self.price = price
        self.ticks = ticks
        self.cardinality = cardinality
    }

    /// A pool of one range of liquidity.
    package init(
        pool: PoolID,
        price: UInt256,
        lower: Int32,
        upper: Int32,
        liquidity: UInt128,
        cardinality: UInt16 = 1
    ) {
        let net = Int128(clamping: liquidity)
        let ticks = [
            Tick(index: lower, net: net, gross: liquidity),
            Tick(index: upper, net: -net, gross: liquidity),
        ]
        self.init(pool: pool, price: price, ticks: ticks, cardinality: cardinality)
    }
}

extension GenesisRangePool {
    /// The distance of ticks that may have liquidity; nil for a fee that the factory has not.
    var spacing: Int32? {
        guard case .v3(let fee) = pool.kind else { return nil }
        return UniswapDeployment.spacing(fee: fee)
    }

    /// The greatest tick whose price is not above the pool's.
    private var tick: Int32 { TickMath.tick(price) ?? 0 }

    /// The liquidity at the pool's price; `isConsistent` says that it is in range.
    var liquidity: UInt128 {
        guard price != .zero else { return 0 }
        let tick = tick
        return UInt128(clamping: ticks.filter { $0.index <= tick }.reduce(0) { $0 &+ $1.net })
    }

    /// Whether a genuine pool can be in this state.
    var isConsistent: Bool {
        guard let spacing, cardinality > 0, price == .zero || TickMath.tick(price) != nil else {
            return false
        }
        guard price != .zero || ticks.isEmpty else { return false }
        var liquidity: Int128 = 0
        var last: Int32?
        for tick in ticks {
            let (sum, overflow) = liquidity.addingReportingOverflow(tick.net)
            guard TickMath.ticks.contains(tick.index), tick.index % spacing == 0,
                last.map({ $0 < tick.index }) ?? true, tick.gross > 0, !overflow, sum >= 0
            else { return false }
            liquidity = sum
            last = tick.index
        }
        return liquidity == 0
    }

    /// What the pool's ranges hold at its price, rounded up as deposits are, in base units.
    var amounts: (UInt256, UInt256) {
        var amounts = (UInt256.zero, UInt256.zero)
        var liquidity: Int128 = 0
        for (tick, next) in zip(ticks, ticks.dropFirst()) {
            liquidity = liquidity &+ tick.net
            guard let low = TickMath.price(tick.index), let high = TickMath.price(next.index) else {
                continue
            }
            let held = UInt128(clamping: liquidity)
            let split = min(max(price, low), high)
            guard
                let amount0 = SqrtPriceMath.amount0(split, high, liquidity: held, roundsUp: true),
                let amount1 = SqrtPriceMath.amount1(low, split, liquidity: held, roundsUp: true)
            else { continue }
            // Each is below 2^192, and there are at most 2^21 ticks.
            amounts.0 += amount0
            amounts.1 += amount1
        }
        return amounts
    }
}
