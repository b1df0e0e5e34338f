public import Ethereum

/// The amount of a trade that is fixed, in base units; the other one follows from the pools.
public enum PoolAmount: Hashable, Sendable {
    /// What is sold.
    case exactIn(UInt256)
    /// What is bought.
    case exactOut(UInt256)
}
