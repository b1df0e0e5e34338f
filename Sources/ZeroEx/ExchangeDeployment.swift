public import Ethereum

/// A protocol version deployed on one chain: what its implementation needs to hash and sign orders.
public struct ExchangeDeployment: Hashable, Sendable {
    public let version: ProtocolVersion
    public let chainID: UInt64
    /// The exchange contract of the orders.
    public let exchange: Address
    /// How our own orders are signed.
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

/// What a maker's key signs for an order, by its name in the settings.
public enum OrderSigning: String, Hashable, Sendable, CaseIterable {
    /// The EIP-191 message of the order's hash: any key can sign it; the only way in v1.
    case ethSign = "ethsign"
    /// The order's hash itself, if it is an EIP-712 hash.
    case eip712 = "eip712"

    /// The 32 bytes to sign.
    public func digest(of hash: OrderHash) -> Bytes32 {
        switch self {
        case .ethSign: EthereumMessage.hash(hash.word)
        case .eip712: hash.word
        }
    }

    /// The account that signed an order's hash in this way.
    ///
    /// - Throws: `SignatureError`.
    func signer(
        of hash: OrderHash,
        _ signature: Signature,
        by recoverer: any SignatureRecovering
    ) throws(SignatureError) -> Address {
        switch self {
        case .ethSign: try recoverer.recover(message: hash.word, signature: signature)
        case .eip712: try recoverer.recover(digest: hash.word, signature: signature)
        }
    }
}
