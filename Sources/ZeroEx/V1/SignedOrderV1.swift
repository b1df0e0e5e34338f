public import Ethereum

/// An order of protocol v1 with its maker's signature.
///
/// A class, since it is large, immutable and passed around: a copy is a reference.
///
/// Source: https://github.com/0xProject/0x-protocol-specification, v1.
public final class SignedOrderV1: SignedOrder, Hashable {
    /// The signed terms; fees unchanged, even if the lack of a recipient makes them void.
    public let terms: OrderDraft
    /// The maker's signature over the EIP-191 message of `hash`; not checked here.
    public let signature: Signature
    /// The Keccak-256 hash of the terms, computed once.
    public let hash: OrderHash

    /// Joins terms with a signature and hashes them.
    public init(terms: OrderDraft, signature: Signature) {
        self.terms = terms
        self.signature = signature
        hash = OrderHashV1.hash(of: terms)
    }

    private init(terms: OrderDraft, signature: Signature, hash: OrderHash) {
        self.terms = terms
        self.signature = signature
        self.hash = hash
    }

    /// Joins several terms with their signatures and hashes them together.
    static func list(_ parts: [(terms: OrderDraft, signature: Signature)]) -> [SignedOrderV1] {
        zip(parts, OrderHashV1.hashes(of: parts.map(\.terms))).map { part, hash in
            SignedOrderV1(terms: part.terms, signature: part.signature, hash: hash)
        }
    }

    public var exchange: Address { terms.exchange }
    public var maker: Address { terms.maker }
    public var taker: Address { terms.taker }
    public var makerToken: Address { terms.makerToken }
    public var takerToken: Address { terms.takerToken }
    public var makerAmount: UInt256 { terms.makerAmount }
    public var takerAmount: UInt256 { terms.takerAmount }
    public var feeRecipient: Address { terms.fees.recipient }
    public var makerFee: UInt256 { paysFees ? terms.fees.makerFee : 0 }
    public var takerFee: UInt256 { paysFees ? terms.fees.takerFee : 0 }
    public var expiry: UInt256 { terms.expiry }
    public var salt: UInt256 { terms.salt }

    public var copyID: OrderCopyID {
        OrderCopyID(hash: hash, r: signature.r, s: signature.s, kind: UInt16(signature.yParity))
    }

    public var wireText: [UInt8] { OrderWireV1.text(self) }

    private var paysFees: Bool { terms.fees.recipient != .zero }
}
