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
            (self.index, self.net, self.gross) = (index, net, gross)
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

extension GenesisRangePool {
    /// Puts the pool into the state.
    ///
    /// - Parameter time: of block 0, in seconds since 1970.
    func install(
        at address: Address,
        of factory: Address,
        in state: inout GenesisState,
        time: UInt64
    ) {
        let contract = state.install(
            .v3Pool,
            at: address,
            [
                "factory": UInt256(factory.word), "token0": UInt256(pool.token0.word),
                "token1": UInt256(pool.token1.word), "fee": UInt256(UInt64(pool.kind.fee)),
                "tickSpacing": UInt256(UInt64(spacing?.magnitude ?? 0)),
            ]
        )
        guard price != .zero else { return }
        state[address, contract.slot("state")] = slot0
        state[address, contract.slot("liquidity")] = UInt256(liquidity)
        // The pool is a day older than the chain, so its oracle reaches back from the start.
        state[address, contract.slot("ring")] =
            UInt256((time - min(time, 86_400)) & 0xffff_ffff) | UInt256(1) << 248
        for tick in ticks {
            let key = Self.signed(Int64(tick.index)).word
            let net = Self.signed(Int64(truncatingIfNeeded: tick.net >> 64)) << 64
            let low = UInt256(UInt64(truncatingIfNeeded: tick.net))
            state[address, contract.slot("ticks", key, offset: 0)] =
                UInt256(tick.gross) | (net | low) << 128
            state[address, contract.slot("ticks", key, offset: 3)] = UInt256(1) << 248
            let place = Int64(tick.index) / Int64(spacing ?? 1)
            let word = contract.slot("bitmap", Self.signed(place >> 8).word)
            state[address, word] =
                state[address, word] | UInt256(1) << Int(place & 255)
        }
    }

    /// The pool's state as UniswapV3Pool has it in its first slot.
    ///
    /// Shape: from the low bits sqrtPriceX96 (160), tick (24), index of the newest observation (16),
    /// how many are kept (16), how many will be (16), fee of the protocol (8), unlocked (8).
    private var slot0: UInt256 {
        let tick = UInt64(UInt32(bitPattern: tick) & 0xff_ffff)
        let kept = UInt256(UInt64(cardinality))
        return price | UInt256(tick) << 160 | kept << 200 | kept << 216 | UInt256(1) << 240
    }

    /// A signed number as a word, in two's complement.
    private static func signed(_ value: Int64) -> UInt256 {
        value < 0 ? .zero &- UInt256(value.magnitude) : UInt256(value.magnitude)
    }
}
