public import Ethereum

extension ContractRead where Value == PairState {
    /// The reserves of a v2 pair.
    ///
    /// Source: UniswapV2Pair's `getReserves()`.
    public static var reserves: Self {
        Self(ERC20.call("getReserves()"), [.uint(112), .uint(112), .uint(32)]) { words in
            guard let reserve0 = words.unsigned(0), let reserve1 = words.unsigned(1) else {
                return nil
            }
            return PairState(reserve0: reserve0, reserve1: reserve1)
        }
    }
}

extension ContractRead where Value == PoolSlot? {
    /// The price of a v3 pool; nil before it has one.
    ///
    /// Source: UniswapV3Pool's `slot0()`.
    public static var slot: Self {
        let types: [ABIType] = [
            .uint(160), .int(24), .uint(16), .uint(16), .uint(16), .uint(8), .bool,
        ]
        return Self(ERC20.call("slot0()"), types) { words in
            guard let sqrtPrice = words.unsigned(0), let tick = words.tick(1),
                let index = words.small(2), let cardinality = words.small(3),
                let next = words.small(4), let protocolFee = words.small(5),
                let isUnlocked = words.flag(6)
            else { return nil }
            if sqrtPrice == .zero {
                let isEmpty = index | cardinality | next | protocolFee == 0 && tick == 0
                return isEmpty && !isUnlocked ? .some(nil) : nil
            }
            guard sqrtPrice >= TickMath.minimumPrice, sqrtPrice < TickMath.maximumPrice,
                PoolState.agree(sqrtPrice, tick)
            else { return nil }
            return PoolSlot(
                sqrtPrice: sqrtPrice,
                tick: tick,
                observations: UInt16(truncatingIfNeeded: cardinality)
            )
        }
    }
}

extension ContractRead where Value == UInt128 {
    /// The liquidity of a v3 pool in range at its price; 0 in a gap too.
    ///
    /// Source: UniswapV3Pool's `liquidity()`.
    public static var liquidity: Self {
        Self(ERC20.call("liquidity()"), [.uint(128)]) { $0.unsigned(0)?.uint128 }
    }
}

extension ContractRead where Value == UInt256 {
    /// One word of a v3 pool's tick bitmap; `TickBitmap.ticks` names its ticks.
    ///
    /// Source: UniswapV3Pool's `tickBitmap(int16)`.
    public static func bitmap(word: Int16) -> Self {
        let argument = UInt256(truncatingIfNeeded: word).word
        return Self(ERC20.call("tickBitmap(int16)", argument), [.uint(256)]) { $0.unsigned(0) }
    }
}

extension ContractRead where Value == InitialisedTick? {
    /// The liquidity that changes at a tick of a v3 pool; nil if the tick is not initialised.
    ///
    /// Source: UniswapV3Pool's `ticks(int24)`.
    public static func tick(_ tick: Int32) -> Self {
        let types: [ABIType] = [
            .uint(128), .int(128), .uint(256), .uint(256), .int(56), .uint(160), .uint(32), .bool,
        ]
        let data = ERC20.call("ticks(int24)", UInt256(truncatingIfNeeded: tick).word)
        return Self(data, types) { words in
            guard let gross = words.unsigned(0)?.uint128, let net = words.signed(1),
                let isInitialised = words.flag(7)
            else { return nil }
            // The net part is a difference of positions, of which the gross part is the sum.
            guard net.magnitude <= gross, isInitialised == (gross != 0) else { return nil }
            let initialised = InitialisedTick(tick: tick, liquidityNet: net)
            return .some(isInitialised ? initialised : nil)
        }
    }
}

extension ContractRead where Value == [Int64] {
    /// The tick cumulatives of a v3 pool, in ticks times seconds, one for each time; see `Oracle`.
    ///
    /// The pool reverts with "OLD" for a time before its oldest observation.
    ///
    /// Source: UniswapV3Pool's `observe(uint32[])`.
    ///
    /// - Parameter secondsAgo: before the block's time.
    public static func observe(secondsAgo: [UInt32]) -> Self {
        var data = ERC20.call(
            "observe(uint32[])",
            UInt256(32).word,
            UInt256(UInt64(secondsAgo.count)).word
        )
        for seconds in secondsAgo { UInt256(UInt64(seconds)).word.append(to: &data) }
        return Self(data, [.array(.int(56)), .array(.uint(160))]) { words in
            guard let cumulatives = words.array(0), let liquidity = words.array(1),
                cumulatives.count == secondsAgo.count, liquidity.count == secondsAgo.count
            else { return nil }
            let ticks = cumulatives.compactMap { $0.signed.flatMap { Int64(exactly: $0) } }
            return ticks.count == secondsAgo.count ? ticks : nil
        }
    }
}
