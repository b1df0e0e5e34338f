public import Ethereum
public import StrictJSON

/// An RFQ order of protocol v4 with its maker's signature.
///
/// It is for one requester of a quote, who fills it with its own transaction. No relay carries
/// it. A class, like `SignedOrderV4`: a copy is a reference.
public final class SignedRfqOrderV4: SignedOrder, Hashable {
    /// What the maker signed.
    public let terms: RfqOrderV4
    /// The order's chain and exchange.
    public let domain: ExchangeDomainV4
    /// The maker's signature; not checked here.
    public let signature: SignatureV4
    /// The EIP-712 hash of the terms in their domain, computed once.
    public let hash: OrderHash

    /// Joins terms with a signature and hashes them.
    public init(terms: RfqOrderV4, domain: ExchangeDomainV4, signature: SignatureV4) {
        self.terms = terms
        self.domain = domain
        self.signature = signature
        hash = terms.hash(in: domain)
    }

    public var exchange: Address { domain.exchange }
    public var maker: Address { terms.maker }
    public var taker: Address { terms.taker }
    /// The origin: the sender of the fill transaction.
    ///
    /// The contract also accepts transactions of accounts that the origin has registered
    /// (`registerAllowedRfqOrigins`). Only the chain knows those, so here they count as others.
    public var sender: Address { terms.txOrigin }
    public let isQuote = true
    public var makerToken: Address { terms.makerToken }
    public var takerToken: Address { terms.takerToken }
    public var makerAmount: UInt256 { UInt256(terms.makerAmount) }
    public var takerAmount: UInt256 { UInt256(terms.takerAmount) }
    /// RFQ orders have no fees.
    public var feeRecipient: Address { .zero }
    public var makerFee: UInt256 { 0 }
    public var takerFee: UInt256 { 0 }
    public var expiry: UInt256 { UInt256(terms.expiry) }
    public var salt: UInt256 { terms.salt }
    public var copyID: OrderCopyID { signature.copyID(of: hash) }
    public var wireText: [UInt8] { json.utf8 }
}

extension SignedRfqOrderV4 {
    /// The JSON is an RFQ order, alone or in a record: it has an origin, unlike a limit order.
    static func isNamed(in json: JSONValue) -> Bool {
        let object = json.objectValue
        return (object?["order"]?.objectValue ?? object)?["txOrigin"] != nil
    }

    /// Reads the members of the contract's tuple by name, alone or in a record (`order`).
    ///
    /// Chain, exchange and signature are as in a limit order.
    ///
    /// - Throws: `OrderError`.
    public convenience init(json: JSONValue) throws(OrderError) {
        guard let object = json.objectValue else { throw .notAnOrder }
        var members = OrderMembers(object["order"]?.objectValue ?? object)
        self.init(
            terms: RfqOrderV4(
                makerToken: try members.address("makerToken"),
                takerToken: try members.address("takerToken"),
                makerAmount: try members.uint128("makerAmount"),
                takerAmount: try members.uint128("takerAmount"),
                maker: try members.address("maker"),
                taker: try members.optionalAddress("taker"),
                txOrigin: try members.optionalAddress("txOrigin"),
                pool: try members.optionalWord("pool"),
                expiry: try members.number("expiry", bits: 64).w0,
                salt: try members.number("salt")
            ),
            domain: try members.domainV4(),
            signature: try members.signatureV4()
        )
    }

    /// The order in the same form; numbers are decimal texts, all digits lower-case.
    public var json: JSONValue {
        [
            "makerToken": .string(terms.makerToken.lowercaseHex),
            "takerToken": .string(terms.takerToken.lowercaseHex),
            "makerAmount": .string(String(terms.makerAmount)),
            "takerAmount": .string(String(terms.takerAmount)),
            "maker": .string(terms.maker.lowercaseHex),
            "taker": .string(terms.taker.lowercaseHex),
            "txOrigin": .string(terms.txOrigin.lowercaseHex),
            "pool": .string(terms.pool.hex),
            "expiry": .string(String(terms.expiry)),
            "salt": .string(terms.salt.description),
            "chainId": .integer(domain.chainID),
            "verifyingContract": .string(domain.exchange.lowercaseHex),
            "signature": signature.json,
        ]
    }
}
