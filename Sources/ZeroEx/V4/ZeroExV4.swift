public import Ethereum
public import StrictJSON

/// Version 4 of the 0x protocol on one chain: limit orders of its Exchange Proxy, and RFQ orders that
/// are handed over by themselves, since no relay carries them.
///
/// Unlike v1's, its orders are hashed for a chain and a contract, so there is one value for each
/// network.
///
/// Source: https://github.com/0xProject/protocol, contracts/zero-ex.
public struct ZeroExV4: ExchangeProtocol {
    public let version = ProtocolVersion.v4
    /// The chain and the Exchange Proxy that orders are hashed for.
    public let domain: ExchangeDomainV4
    /// How orders of our own are signed; others' are accepted in either way.
    public let signatureKind: SignatureKindV4

    /// The protocol on a chain.
    public init(domain: ExchangeDomainV4, signatureKind: SignatureKindV4) {
        self.domain = domain
        self.signatureKind = signatureKind
    }

    /// See `ExchangeProtocol`.
    public var orderSigning: OrderSigning { signatureKind.signing }

    /// The domain of EIP-712 has the chain's id.
    public let ordersNameChain = true

    // MARK: Orders

    /// An order in the relay's wire form, alone or in a record with what the relay thinks of it.
    ///
    /// - Throws: `OrderError`.
    public func decodeOrder(_ json: JSONValue) throws(OrderError) -> any SignedOrder {
        try OrderRecordV4(json: json).order
    }

    /// An RFQ order where it names an origin, else a limit order.
    ///
    /// - Throws: `OrderError`.
    public func decodeHandedOrder(_ json: JSONValue) throws(OrderError) -> any SignedOrder {
        guard SignedRfqOrderV4.isNamed(in: json) else { return try decodeOrder(json) }
        return try SignedRfqOrderV4(json: json)
    }

    /// See `ExchangeProtocol`.
    public func scanOrders(_ cursor: inout JSONCursor) -> [any SignedOrder]? {
        OrderScannerV4.orders(&cursor)
    }

    /// An order in the relay's wire form; one of another protocol version is written unsigned.
    public func encodeOrder(_ order: any SignedOrder) -> JSONValue {
        if let own = order as? SignedOrderV4 { return own.json }
        if let quote = order as? SignedRfqOrderV4 { return quote.json }
        return encodeTerms(OrderDraft(order))
    }

    /// The body of a request for what a relay insists on (`order_config`); null for numbers that no
    /// order can hold.
    public func encodeDraft(_ draft: OrderDraft) -> JSONValue {
        (try? LimitOrderV4(draft))?.configRequest(in: domain(of: draft)) ?? .null
    }

    /// All terms in the relay's wire form; null for numbers that no order can hold.
    public func encodeTerms(_ draft: OrderDraft) -> JSONValue {
        (try? LimitOrderV4(draft))?.json(in: domain(of: draft)) ?? .null
    }

    /// Checks chain and exchange, the amounts, the maker and that the maker signed the order's hash.
    ///
    /// The contract takes two ways to sign and only an s in the lower half. It also takes the
    /// signature of a key that the maker has registered; nobody but the chain knows that, so such an
    /// order is refused here.
    ///
    /// - Throws: `OrderRejection`.
    public func verify(
        _ order: any SignedOrder,
        exchange: Address,
        recoverer: any SignatureRecovering
    ) throws(OrderRejection) {
        guard order.exchange == exchange else { throw .wrongExchange(order.exchange) }
        guard let (own, signature) = Self.signed(order) else { throw .badSignature }
        guard own.chainID == domain.chainID else { throw .wrongChain(own.chainID) }
        guard order.makerAmount != .zero, order.takerAmount != .zero else { throw .zeroAmount }
        guard order.maker != .zero else { throw .zeroMaker }
        guard !order.isQuote || order.sender != .zero else { throw .noOrigin }
        let signer: Address
        do throws(SignatureErrorV4) {
            signer = try signature.signer(of: order.hash, recoverer: recoverer)
        } catch {
            throw .malformedSignature(error.description)
        }
        guard signer == order.maker else { throw .badSignature }
    }

    /// What a limit or an RFQ order was hashed for, and its signature; nil for other versions.
    static func signed(
        _ order: any SignedOrder
    ) -> (domain: ExchangeDomainV4, signature: SignatureV4)? {
        if let order = order as? SignedOrderV4 { return (order.domain, order.signature) }
        if let order = order as? SignedRfqOrderV4 { return (order.domain, order.signature) }
        return nil
    }

    /// Amounts have 128 bits and times 64; a maker pays no fee, and a taker's fee goes to somebody,
    /// since the contract would try to send it to the zero address.
    ///
    /// - Throws: `OrderError`.
    public func check(_ draft: OrderDraft) throws(OrderError) {
        _ = try LimitOrderV4(draft)
        guard draft.exchange == domain.exchange else {
            throw .malformed(field: "verifyingContract", found: draft.exchange.checksummed)
        }
    }

    /// Hashes and signs an order of our own.
    ///
    /// - Throws: `SignerError`, also for terms that `check` refuses.
    public func sign(
        _ draft: OrderDraft,
        with signer: any Signer
    ) async throws(SignerError) -> any SignedOrder {
        let terms: LimitOrderV4
        do throws(OrderError) {
            try check(draft)
            terms = try LimitOrderV4(draft)
        } catch {
            throw .refused(error.description)
        }
        return try await SignedOrderV4.sign(
            terms,
            in: domain,
            kind: signatureKind,
            with: signer
        )
    }

    /// The EIP-712 hash of the terms on this chain.
    ///
    /// For numbers that no order can hold it is the hash of what was written, which the contract
    /// never has.
    public func hash(of draft: OrderDraft) -> OrderHash {
        let words = [
            draft.makerToken.word, draft.takerToken.word, draft.makerAmount.word,
            draft.takerAmount.word, draft.fees.takerFee.word, draft.maker.word, draft.taker.word,
            draft.fees.sender.word, draft.fees.recipient.word, Bytes32.zero, draft.expiry.word,
            draft.salt.word,
        ]
        return OrderHash(
            TypedData.digest(
                domainSeparator: domain(of: draft).separator,
                structHash: LimitOrderV4.structHash(of: words)
            )
        )
    }

    /// `getLimitOrderHash`.
    public func hashCall(of draft: OrderDraft) -> CallRequest? {
        guard let order = try? LimitOrderV4(draft) else { return nil }
        return CallRequest(to: draft.exchange, data: ExchangeCallV4.limit(.hash(order)).data)
    }

    /// The terms as a wallet shows them before it signs their hash.
    public func typedData(of draft: OrderDraft) -> TypedData? {
        (try? LimitOrderV4(draft))?.typedData(in: domain(of: draft))
    }

    /// The time in the highest 64 bits and 192 random ones below: a pair is cancelled by the least
    /// salt that stays valid, so salts have to grow, and no two orders may be the same.
    public func salt(random: Bytes32, now: UInt64) -> UInt256 {
        var salt = UInt256(random)
        salt.w3 = now
        return salt
    }

    /// The order's taker token, on top of what is paid.
    public func feeToken(of order: any SignedOrder, contracts: ExchangeContracts) -> Address {
        order.takerToken
    }

    /// The order's taker token, on top of what is paid.
    public func feeToken(of draft: OrderDraft, contracts: ExchangeContracts) -> Address {
        draft.takerToken
    }

    /// nil: every order has its own.
    public var feeTokenSymbol: String? { nil }

    /// The domain that a draft names, which `check` compares with ours.
    private func domain(of draft: OrderDraft) -> ExchangeDomainV4 {
        draft.exchange == domain.exchange
            ? domain : ExchangeDomainV4(chainID: domain.chainID, exchange: draft.exchange)
    }
}

extension LimitOrderV4 {
    /// The order of such terms, without a pool.
    ///
    /// - Throws: `OrderError` for numbers that have more bits than the contract has for them, and
    ///   for fees that it does not know.
    init(_ draft: OrderDraft) throws(OrderError) {
        guard draft.fees.makerFee == .zero else {
            throw .impossibleFee("the maker pays none in 0x v4")
        }
        guard draft.fees.takerFee == .zero || draft.fees.recipient != .zero else {
            throw .impossibleFee("it would go to the zero address")
        }
        guard let expiry = draft.expiry.uint64 else { throw .tooLarge(field: "expiry", bits: 64) }
        self.init(
            makerToken: draft.makerToken,
            takerToken: draft.takerToken,
            makerAmount: try Self.amount(draft.makerAmount, "makerAmount"),
            takerAmount: try Self.amount(draft.takerAmount, "takerAmount"),
            takerTokenFeeAmount: try Self.amount(draft.fees.takerFee, "takerTokenFeeAmount"),
            maker: draft.maker,
            taker: draft.taker,
            sender: draft.fees.sender,
            feeRecipient: draft.fees.recipient,
            expiry: expiry,
            salt: draft.salt
        )
    }

    private static func amount(
        _ amount: UInt256,
        _ field: String
    ) throws(OrderError) -> UInt128 {
        guard let amount = amount.uint128 else { throw .tooLarge(field: field, bits: 128) }
        return amount
    }
}
