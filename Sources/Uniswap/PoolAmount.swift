public import Ethereum

/// The amount of a trade at pools that is fixed; the other one follows.
public enum PoolAmount: Hashable, Sendable {
    /// So much is sold; base units.
    case exactIn(UInt256)
    /// So much is bought; base units.
    case exactOut(UInt256)
}
