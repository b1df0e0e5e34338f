import ZeroEx

extension DexError {
    /// The chain has no pools of Uniswap, or none of the pair: there is no price, and no fault.
    var isOfAbsentPools: Bool {
        switch cause as? LiquidityError {
        case .absent, .noPool, .unpooled: true
        default: false
        }
    }

    /// The node's part failed: the pools may be there.
    var isOfNodeAtPools: Bool {
        if case .chain = cause as? LiquidityError { true } else { !isOfVenue }
    }
}
