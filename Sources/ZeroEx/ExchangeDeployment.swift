public import Ethereum

/// A version of the protocol as it stands on one chain: what its implementation has to know to hash
/// and sign orders.
public struct ExchangeDeployment: Hashable, Sendable {
    public let version: ProtocolVersion
    public let chainID: UInt64
    /// The contract that orders are for.
    public let exchange: Address
    /// How orders of our own are signed.
    public let orderSigning: OrderSigning

    /// A deployment.
    public init(
        version: ProtocolVersion,
        chainID: UInt64,
        exchange: Address,
        orderSigning: OrderSigning
    ) {
        self.version = version
        self.chainID = chainID
        self.exchange = exchange
        self.orderSigning = orderSigning
    }
}

/// What a maker's key signs of an order, as settings name it.
public enum OrderSigning: String, Hashable, Sendable, CaseIterable {
    /// The EIP-191 message that is the order's hash: any key can sign that, and v1 knows no other.
    case ethSign = "ethsign"
    /// The order's hash itself, where that is one of EIP-712.
    case eip712 = "eip712"

    /// The 32 bytes that a key signs.
    public func digest(of hash: OrderHash) -> Bytes32 {
        switch self {
        case .ethSign: EthereumMessage.hash(hash.word)
        case .eip712: hash.word
        }
    }
}
