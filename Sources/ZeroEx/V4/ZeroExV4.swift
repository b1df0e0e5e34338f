public import Ethereum
public import StrictJSON

/// Version 4 of the 0x protocol on one chain: limit orders of its Exchange Proxy, and RFQ orders.
///
/// No relay carries RFQ orders; they are passed in directly. Unlike v1, orders are hashed for a
/// chain and a contract, so each network has its own value.
///
/// ```swift
/// let exchange = try Address(lenient: "0xdef1c0ded9bec7f1a1670819833240f027b25eff")
/// let v4 = ZeroExV4(
///     domain: ExchangeDomainV4(chainID: 1, exchange: exchange),
///     signatureKind: .eip712
/// )
/// let maker = try PrivateKeySigner(hex: String(repeating: "46", count: 32))
/// let draft = OrderDraft(
///     exchange: exchange,
///     maker: maker.address,
///     makerToken: try Address(lenient: "0xe41d2489571d322189246dafa5ebde1f4699f498"),
///     takerToken: try Address(lenient: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"),
///     makerAmount: 100_000_000_000_000_000_000,
///     takerAmount: 75_000_000_000_000_000,
///     expiry: 2_000_000_000,
///     salt: 1
/// )
/// let order = try await v4.sign(draft, with: maker)
/// print(order.hash)
/// // Prints "0x9f3029122afff3a725f40045b5881ae982ecb74aebff364d2f5801a54d1ba8b8"
///
/// // As a relay sends it: the signature is checked before anything is believed.
/// let text = v4.encodeOrder(order).text
/// let read = try v4.decodeOrder(JSONParser.parse(text: text))
/// try v4.verify(read, exchange: exchange, recoverer: Secp256k1())
/// ```
///
/// Source: https://github.com/0xProject/protocol, contracts/zero-ex.
public struct ZeroExV4: ExchangeProtocol {
    public let version = ProtocolVersion.v4
    /// The chain and the Exchange Proxy of the order hashes.
    public let domain: ExchangeDomainV4
    /// How our own orders are signed; others' are accepted with either kind.
    public let signatureKind: SignatureKindV4

    /// The protocol on a chain.
    public init(domain: ExchangeDomainV4, signatureKind: SignatureKindV4) {
        self.domain = domain
        self.signatureKind = signatureKind
    }

    /// See `ExchangeProtocol`.
    public var orderSigning: OrderSigning { signatureKind.signing }

    /// The EIP-712 domain contains the chain id.
    public let ordersNameChain = true

    // MARK: Orders

    /// An order in the relay's wire form, alone or in a record with metadata.
    ///
    /// - Throws: `OrderError`.
    public func decodeOrder(_ json: JSONValue) throws(OrderError) -> any SignedOrder {
        try OrderRecordV4(json: json).order
    }

    /// An RFQ order if it names an origin, else a limit order.
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

    /// An order in the relay's wire form; an order of another version is written unsigned.
    public func encodeOrder(_ order: any SignedOrder) -> JSONValue {
        if let own = order as? SignedOrderV4 { return own.json }
        if let quote = order as? SignedRfqOrderV4 { return quote.json }
        return encodeTerms(OrderDraft(order))
    }

    /// The body of a request for a relay's required values (`order_config`).
    ///
    /// null for numbers that no order can hold.
    public func encodeDraft(_ draft: OrderDraft) -> JSONValue {
        (try? LimitOrderV4(draft))?.configRequest(in: domain(of: draft)) ?? .null  // nil: no order
    }

    /// All terms in the relay's wire form; null for numbers that no order can hold.
    public func encodeTerms(_ draft: OrderDraft) -> JSONValue {
        (try? LimitOrderV4(draft))?.json(in: domain(of: draft)) ?? .null  // nil: no such order
    }

    /// Checks chain, exchange, the amounts, the maker and the maker's signature of the order's
    /// hash.
    ///
    /// The contract accepts two ways to sign, and only an s in the lower half. It also accepts the
    /// signature of a key that the maker has registered. Only the chain knows that key, so such an
    /// order is rejected here.
    ///
    /// - Throws: `OrderRejection`.
    public func verify(
        _ order: any SignedOrder,
        exchange: Address,
        recoverer: any SignatureRecovering
    ) throws(OrderRejection) {
        let signature = try checkedSignature(order, exchange: exchange)
        let signer: Address
        do throws(SignatureErrorV4) {
            signer = try signature.signer(of: order.hash, recoverer: recoverer)
        } catch {
            throw .malformedSignature(error.description)
        }
        guard signer == order.maker else { throw .badSignature }
    }

    /// The maker's signature of the hash or of its message, as the order claims it.
    ///
    /// - Throws: `OrderRejection`, also for a signature that the contract never accepts.
    public func claim(
        of order: any SignedOrder,
        exchange: Address
    ) throws(OrderRejection) -> SignatureClaim {
        let parts = try checkedSignature(order, exchange: exchange)
        do throws(SignatureErrorV4) {
            let (signing, signature) = try parts.accepted()
            let digest = signing.digest(of: order.hash)
            return SignatureClaim(digest: digest, signature: signature, signer: order.maker)
        } catch {
            throw .malformedSignature(error.description)
        }
    }

    /// Checks chain, exchange, the amounts and the maker; the signature, unchecked.
    private func checkedSignature(
        _ order: any SignedOrder,
        exchange: Address
    ) throws(OrderRejection) -> SignatureV4 {
        guard order.exchange == exchange else { throw .wrongExchange(order.exchange) }
        guard let (own, signature) = Self.signed(order) else { throw .badSignature }
        guard own.chainID == domain.chainID else { throw .wrongChain(own.chainID) }
        guard order.makerAmount != .zero, order.takerAmount != .zero else { throw .zeroAmount }
        guard order.maker != .zero else { throw .zeroMaker }
        guard !order.isQuote || order.sender != .zero else { throw .noOrigin }
        return signature
    }

    /// A limit or RFQ order's domain and signature; nil for other versions.
    static func signed(
        _ order: any SignedOrder
    ) -> (domain: ExchangeDomainV4, signature: SignatureV4)? {
        if let order = order as? SignedOrderV4 { return (order.domain, order.signature) }
        if let order = order as? SignedRfqOrderV4 { return (order.domain, order.signature) }
        return nil
    }

    /// Amounts have 128 bits and times 64; a maker pays no fee, and a taker fee needs a recipient.
    ///
    /// Without one the contract would try to send the fee to the zero address.
    ///
    /// - Throws: `OrderError`.
    public func check(_ draft: OrderDraft) throws(OrderError) {
        _ = try LimitOrderV4(draft)
        guard draft.exchange == domain.exchange else {
            throw .malformed(field: "verifyingContract", found: draft.exchange.checksummed)
        }
    }

    /// Hashes and signs our own order.
    ///
    /// - Throws: `SignerError`, also for terms that `check` rejects.
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
    /// Numbers that no order can hold are hashed as written; the contract never has that hash.
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
        guard let order = try? LimitOrderV4(draft) else { return nil }  // nil: no such order
        return CallRequest(to: draft.exchange, data: ExchangeCallV4.limit(.hash(order)).data)
    }

    /// The terms in the form that a wallet shows before it signs their hash.
    public func typedData(of draft: OrderDraft) -> TypedData? {
        (try? LimitOrderV4(draft))?.typedData(in: domain(of: draft))  // nil: no such order
    }

    /// The time in the highest 64 bits and 192 random bits below.
    ///
    /// A pair is cancelled by a minimum salt, so salts must grow and be distinct.
    public func salt(random: Bytes32, now: UInt64) -> UInt256 {
        var salt = UInt256(random)
        salt.w3 = now
        return salt
    }

    /// The order's taker token; the fee is on top of the payment.
    public func feeToken(of order: any SignedOrder, contracts: ExchangeContracts) -> Address {
        order.takerToken
    }

    /// The order's taker token; the fee is on top of the payment.
    public func feeToken(of draft: OrderDraft, contracts: ExchangeContracts) -> Address {
        draft.takerToken
    }

    /// nil: it depends on the order.
    public var feeTokenSymbol: String? { nil }

    /// The domain in a draft, which `check` compares with ours.
    private func domain(of draft: OrderDraft) -> ExchangeDomainV4 {
        draft.exchange == domain.exchange
            ? domain : ExchangeDomainV4(chainID: domain.chainID, exchange: draft.exchange)
    }
}

extension LimitOrderV4 {
    /// An order with these terms and without a pool.
    ///
    /// - Throws: `OrderError` for numbers that exceed the contract's bits and for fees that it
    ///   lacks.
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
