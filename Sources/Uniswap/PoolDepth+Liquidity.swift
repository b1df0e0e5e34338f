import Ethereum

extension PoolDepth {
    /// L around the price; 0 in a gap of a v3 pool.
    ///
    /// A pair is a v3 pool of one range over all prices, whose L is the root of the product of its
    /// reserves, rounded down. Example: 1,000 and 4,000 are 2,000.
    public var liquidity: UInt128 {
        switch self {
        case .v2(let state): state.liquidity
        case .v3(let state): state.liquidity
        }
    }
}

extension PairState {
    fileprivate var liquidity: UInt128 {
        // Of 112 bits each.
        let product = reserve0 * reserve1
        var root = UInt256.zero
        var bit = UInt256(1) << 111
        while bit != .zero {
            let next = root + bit
            if next * next <= product { root = next }
            bit = bit >> 1
        }
        return root.uint128 ?? .max
    }
}
