/// Version 4 of the 0x protocol on one chain: limit orders of its Exchange Proxy.
///
/// Unlike v1's, its orders are hashed for a chain and a contract, so there is one value for each
/// network. RFQ orders are read and hashed beside it, but no relay carries them.
///
/// Source: https://github.com/0xProject/protocol, contracts/zero-ex.
public struct ZeroExV4: Sendable {
    /// The chain and the Exchange Proxy that orders are hashed for.
    public let domain: ExchangeDomainV4
    /// How orders of our own are signed; others' are accepted in either way.
    public let signatureKind: SignatureKindV4

    /// The protocol on a chain.
    public init(domain: ExchangeDomainV4, signatureKind: SignatureKindV4) {
        self.domain = domain
        self.signatureKind = signatureKind
    }
}
