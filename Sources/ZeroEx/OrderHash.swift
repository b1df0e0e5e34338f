public import Ethereum

/// The kind of `OrderHash`.
public enum OrderKind {}

/// The hash that identifies an order on its exchange contract, in every protocol version.
public typealias OrderHash = Hash<OrderKind>
