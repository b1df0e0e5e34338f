public import Ethereum

/// A limit order of protocol v4 with its maker's signature.
///
/// A class, since it is large, immutable and passed around: a copy is a reference.
public final class SignedOrderV4: SignedOrder, Hashable {
    /// What the maker signed.
    public let terms: LimitOrderV4
    /// The order's chain and exchange.
    public let domain: ExchangeDomainV4
    /// The maker's signature; not checked here.
    public let signature: SignatureV4
    /// The EIP-712 hash of the terms in their domain, computed once.
    public let hash: OrderHash

    /// Joins terms with a signature and hashes them.
    public init(terms: LimitOrderV4, domain: ExchangeDomainV4, signature: SignatureV4) {
        self.terms = terms
        self.domain = domain
        self.signature = signature
        hash = terms.hash(in: domain)
    }

    /// What an order is made of, before it is hashed.
    struct Parts {
        let terms: LimitOrderV4
        let domain: ExchangeDomainV4
        let signature: SignatureV4
    }

    private init(_ parts: Parts, hash: OrderHash) {
        terms = parts.terms
        domain = parts.domain
        signature = parts.signature
        self.hash = hash
    }

    /// Joins several terms with their signatures and hashes them together.
    static func list(_ parts: [Parts]) -> [SignedOrderV4] {
        let hashes = LimitOrderV4.hashes(of: parts.map { ($0.terms, $0.domain) })
        return zip(parts, hashes).map { SignedOrderV4($0, hash: $1) }
    }

    /// Hashes and signs our own order.
    ///
    /// - Throws: `SignerError`, also if the signer returns a high s, which the contract
    ///   refuses.
    public static func sign(
        _ terms: LimitOrderV4,
        in domain: ExchangeDomainV4,
        kind: SignatureKindV4,
        with signer: any Signer
    ) async throws(SignerError) -> SignedOrderV4 {
        let digest = kind.digest(of: terms.hash(in: domain))
        let signature = try await signer.sign(digest: digest)
        guard signature.hasLowS else {
            throw .refused("its signature has an s in the upper half, which 0x v4 does not take.")
        }
        return SignedOrderV4(
            terms: terms,
            domain: domain,
            signature: SignatureV4(signature, kind: kind)
        )
    }

    public var exchange: Address { domain.exchange }
    public var maker: Address { terms.maker }
    public var taker: Address { terms.taker }
    public var sender: Address { terms.sender }
    public var makerToken: Address { terms.makerToken }
    public var takerToken: Address { terms.takerToken }
    public var makerAmount: UInt256 { UInt256(terms.makerAmount) }
    public var takerAmount: UInt256 { UInt256(terms.takerAmount) }
    public var feeRecipient: Address { terms.feeRecipient }
    /// v4 has no fees for makers.
    public var makerFee: UInt256 { 0 }
    /// In taker token; it is also taken for a zero recipient.
    public var takerFee: UInt256 { UInt256(terms.takerTokenFeeAmount) }
    public var expiry: UInt256 { UInt256(terms.expiry) }
    public var salt: UInt256 { terms.salt }

    public var copyID: OrderCopyID { signature.copyID(of: hash) }

    public var wireText: [UInt8] {
        var writer = OrderTextWriter(capacity: 1_024)
        writer.open()
        writer.put("makerToken", makerToken)
        writer.put("takerToken", takerToken)
        writer.put("makerAmount", makerAmount)
        writer.put("takerAmount", takerAmount)
        writer.put("takerTokenFeeAmount", takerFee)
        writer.put("maker", maker)
        writer.put("taker", taker)
        writer.put("sender", sender)
        writer.put("feeRecipient", feeRecipient)
        writer.put("pool", terms.pool)
        writer.put("expiry", expiry)
        writer.put("salt", salt)
        writer.put("chainId", number: domain.chainID)
        writer.put("verifyingContract", exchange)
        writer.name("signature")
        writer.open()
        writer.put("signatureType", number: UInt64(signature.type))
        writer.put("v", number: UInt64(signature.v))
        writer.put("r", signature.r)
        writer.put("s", signature.s)
        writer.close()
        writer.close()
        return writer.bytes
    }
}
