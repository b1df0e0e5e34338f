/// Which contract a pool is, and its fee.
public enum PoolKind: Hashable, Sendable {
    /// A pair of Uniswap v2; its fee is 0.3 %.
    case v2
    /// A pool of Uniswap v3.
    ///
    /// - Parameter fee: in millionths of the amount in, below 2^24: 3000 is 0.3 %.
    case v3(fee: UInt32)

    /// The part of the amount in that stays in the pool, in millionths.
    public var fee: UInt32 {
        switch self {
        case .v2: 3_000
        case .v3(let fee): fee
        }
    }
}
