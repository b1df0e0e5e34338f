import Ethereum
import EthereumWallet
import Synchronization
import ZeroEx

/// Signed orders of one protocol, and how each is hashed and verified again.
struct VerificationSamples: Sendable {
    let version: ProtocolVersion
    let orders: [any SignedOrder]
    /// The 32 bytes signed by each maker, and the signature.
    let signatures: [(digest: Bytes32, signature: Signature)]
    private let exchangeProtocol: any ExchangeProtocol

    /// Different orders of one maker.
    init(_ version: ProtocolVersion, count: Int) async throws {
        self.version = version
        let signed = Mutex<[(digest: Bytes32, signature: Signature)]>([])
        guard let key = Bytes32(bytes: [UInt8](repeating: 7, count: 32)) else {
            throw PrivateKeyError.malformed
        }
        let signer = RecordingSigner(signer: try PrivateKeySigner(key: key)) { digest, signature in
            signed.withLock { $0.append((digest, signature)) }
        }
        exchangeProtocol =
            switch version {
            case .v1: ZeroExV1()
            case .v4: ZeroExV4(domain: Self.domain, signatureKind: .ethSign)
            }
        var orders: [any SignedOrder] = []
        for index in 0..<UInt64(count) {
            let draft = OrderDraft(
                exchange: Self.domain.exchange,
                maker: signer.address,
                makerToken: Address(truncating: UInt256(index + 1).word),
                takerToken: Address(truncating: UInt256(index + 2).word),
                makerAmount: 1_000_000_000_000_000_000,
                takerAmount: UInt256(index + 1),
                expiry: 2_000_000_000,
                salt: UInt256(index)
            )
            orders.append(try await exchangeProtocol.sign(draft, with: signer))
        }
        self.orders = orders
        signatures = signed.withLock { $0 }
    }

    /// Hashes and verifies each order from its terms, as after reading it from a relay.
    func verify(_ orders: ArraySlice<any SignedOrder>) throws {
        let recoverer = Secp256k1()
        for order in orders {
            try exchangeProtocol.verify(
                Self.anew(order),
                exchange: order.exchange,
                recoverer: recoverer
            )
        }
    }

    private static let domain = ExchangeDomainV4(chainID: 1, exchange: Address.zero)

    /// The same order, hashed again.
    private static func anew(_ order: any SignedOrder) -> any SignedOrder {
        switch order {
        case let order as SignedOrderV1:
            SignedOrderV1(terms: order.terms, signature: order.signature)
        case let order as SignedOrderV4:
            SignedOrderV4(terms: order.terms, domain: order.domain, signature: order.signature)
        default: order
        }
    }
}

/// Signs with another signer and records it.
private struct RecordingSigner: Signer {
    let signer: PrivateKeySigner
    let record: @Sendable (Bytes32, Signature) -> Void

    var address: Address { signer.address }

    func sign(digest: Bytes32) async throws(SignerError) -> Signature {
        let signature = try await signer.sign(digest: digest)
        record(digest, signature)
        return signature
    }
}
