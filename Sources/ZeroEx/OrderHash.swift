public import Ethereum

/// The kind of `OrderHash`.
public enum OrderKind {}

/// The hash that names an order on its exchange contract, whatever the protocol version.
public typealias OrderHash = Hash<OrderKind>
