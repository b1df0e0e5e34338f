/// A tick at which the liquidity of a v3 pool changes.
public struct InitialisedTick: Hashable, Sendable {
    public let tick: Int32
    /// What the liquidity grows by where the price rises over the tick.
    public let liquidityNet: Int128

    public init(tick: Int32, liquidityNet: Int128) {
        self.tick = tick
        self.liquidityNet = liquidityNet
    }
}
