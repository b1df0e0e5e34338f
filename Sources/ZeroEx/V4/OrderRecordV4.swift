public import Ethereum
public import StrictJSON

/// A v4 limit order in the form of the standard relayer API v4, alone or in a record with metadata.
///
/// Reading is as tolerant as `OrderMembers`; members that relays may leave out are zero. The
/// record's hash and amounts are the relay's claims: nothing is checked against the order here.
public struct OrderRecordV4: Sendable {
    /// A relay's claims about an order; each may be missing.
    public struct Metadata: Hashable, Sendable {
        public let orderHash: OrderHash?
        /// Base units of taker token.
        public let remaining: UInt256?
        /// Such as ADDED or FULLY_FILLED; external text, possibly unknown.
        public let state: String?
        /// A time in the relay's form; external text.
        public let createdAt: String?

        /// No claims.
        public static let none = Metadata(
            orderHash: nil,
            remaining: nil,
            state: nil,
            createdAt: nil
        )
    }

    public let order: SignedOrderV4
    public let metadata: Metadata

    /// An order with a relay's claims about it.
    public init(order: SignedOrderV4, metadata: Metadata = .none) {
        self.order = order
        self.metadata = metadata
    }

    /// Reads a record, or the bare order.
    ///
    /// - Throws: `OrderError` for the order; unreadable metadata is left out.
    public init(json: JSONValue) throws(OrderError) {
        guard let object = json.objectValue else { throw .notAnOrder }
        let inner = object["order"]?.objectValue
        order = try OrderWireV4.order(OrderMembers(inner ?? object))
        metadata = inner == nil ? .none : OrderWireV4.metadata(object["metaData"])
    }

    /// The record in a relay's form, with the metadata that is present.
    public var json: JSONValue {
        var metadata = JSONObject()
        metadata["orderHash"] = .string((self.metadata.orderHash ?? order.hash).hex)
        if let remaining = self.metadata.remaining {
            metadata["remainingFillableTakerAmount"] = .string(remaining.description)
        }
        if let state = self.metadata.state { metadata["state"] = .string(state) }
        if let createdAt = self.metadata.createdAt { metadata["createdAt"] = .string(createdAt) }
        return ["order": order.json, "metaData": .object(metadata)]
    }
}

extension SignedOrderV4 {
    /// The order in the form that is posted to a relay.
    ///
    /// The server overwrites another sender with zero, so such an order is lost there.
    public var json: JSONValue {
        guard case .object(var object) = terms.json(in: domain) else { return .null }
        object["signature"] = signature.json
        return .object(object)
    }
}

extension SignatureV4 {
    /// The four parts in the wire form of orders.
    var json: JSONValue {
        [
            "signatureType": .integer(type),
            "v": .integer(v),
            "r": .string(r.hex),
            "s": .string(s.hex),
        ]
    }
}

extension LimitOrderV4 {
    /// The terms in the relay's form; numbers are decimal texts, all digits lower-case.
    public func json(in domain: ExchangeDomainV4) -> JSONValue {
        [
            "makerToken": .string(makerToken.lowercaseHex),
            "takerToken": .string(takerToken.lowercaseHex),
            "makerAmount": .string(String(makerAmount)),
            "takerAmount": .string(String(takerAmount)),
            "takerTokenFeeAmount": .string(String(takerTokenFeeAmount)),
            "maker": .string(maker.lowercaseHex),
            "taker": .string(taker.lowercaseHex),
            "sender": .string(sender.lowercaseHex),
            "feeRecipient": .string(feeRecipient.lowercaseHex),
            "pool": .string(pool.hex),
            "expiry": .string(String(expiry)),
            "salt": .string(salt.description),
            "chainId": .integer(domain.chainID),
            "verifyingContract": .string(domain.exchange.lowercaseHex),
        ]
    }

    /// The body of a request for the relay's required members: eight members, all mandatory.
    public func configRequest(in domain: ExchangeDomainV4) -> JSONValue {
        [
            "maker": .string(maker.lowercaseHex),
            "taker": .string(taker.lowercaseHex),
            "makerAmount": .string(String(makerAmount)),
            "takerAmount": .string(String(takerAmount)),
            "makerToken": .string(makerToken.lowercaseHex),
            "takerToken": .string(takerToken.lowercaseHex),
            "verifyingContract": .string(domain.exchange.lowercaseHex),
            "expiry": .string(String(expiry)),
        ]
    }
}

/// A relay's required values for an order before it is hashed and signed.
public struct OrderConfigV4: Hashable, Sendable {
    /// The only account that may call the contract to fill it; zero is anyone.
    public let sender: Address
    public let feeRecipient: Address
    /// Base units of taker token, for the whole order.
    public let takerTokenFeeAmount: UInt128

    /// A relay's required values.
    public init(sender: Address, feeRecipient: Address, takerTokenFeeAmount: UInt128) {
        self.sender = sender
        self.feeRecipient = feeRecipient
        self.takerTokenFeeAmount = takerTokenFeeAmount
    }

    /// Reads the relay's answer; the sender and the recipient are optional, the fee is not.
    ///
    /// - Throws: `OrderError`.
    public init(json: JSONValue) throws(OrderError) {
        guard let object = json.objectValue else { throw .notAnOrder }
        var members = OrderMembers(object)
        self.init(
            sender: try members.optionalAddress("sender"),
            feeRecipient: try members.optionalAddress("feeRecipient"),
            takerTokenFeeAmount: try members.uint128("takerTokenFeeAmount")
        )
    }

    /// The answer in a relay's form.
    public var json: JSONValue {
        [
            "sender": .string(sender.lowercaseHex),
            "feeRecipient": .string(feeRecipient.lowercaseHex),
            "takerTokenFeeAmount": .string(String(takerTokenFeeAmount)),
        ]
    }
}

/// Reads the parts of a record.
private enum OrderWireV4 {
    static func order(_ object: OrderMembers) throws(OrderError) -> SignedOrderV4 {
        var members = object
        let terms = LimitOrderV4(
            makerToken: try members.address("makerToken"),
            takerToken: try members.address("takerToken"),
            makerAmount: try members.uint128("makerAmount"),
            takerAmount: try members.uint128("takerAmount"),
            takerTokenFeeAmount: try members.uint128("takerTokenFeeAmount", isOptional: true),
            maker: try members.address("maker"),
            taker: try members.optionalAddress("taker"),
            sender: try members.optionalAddress("sender"),
            feeRecipient: try members.optionalAddress("feeRecipient"),
            pool: try members.optionalWord("pool"),
            expiry: try members.number("expiry", bits: 64).w0,
            salt: try members.number("salt")
        )
        return SignedOrderV4(
            terms: terms,
            domain: try members.domainV4(),
            signature: try members.signatureV4()
        )
    }

    static func metadata(_ json: JSONValue?) -> OrderRecordV4.Metadata {
        guard let object = json?.objectValue else { return .none }
        var members = OrderMembers(object)
        let hash = object["orderHash"]?.stringValue
        return OrderRecordV4.Metadata(
            orderHash: hash.flatMap(OrderHash.init(ifHex:)),
            remaining: try? members.number("remainingFillableTakerAmount"),  // nil: not given
            state: object["state"]?.stringValue,
            createdAt: object["createdAt"]?.stringValue
        )
    }
}

extension OrderMembers {
    mutating func domainV4() throws(OrderError) -> ExchangeDomainV4 {
        ExchangeDomainV4(
            chainID: try number("chainId", bits: 64).w0,
            exchange: try address("verifyingContract")
        )
    }

    mutating func signatureV4() throws(OrderError) -> SignatureV4 {
        var parts = try members("signature")
        return SignatureV4(
            type: try parts.byte("signatureType"),
            v: try parts.recoveryByte("v"),
            r: try parts.word("r"),
            s: try parts.word("s")
        )
    }

    mutating func uint128(
        _ field: String,
        isOptional: Bool = false
    ) throws(OrderError) -> UInt128 {
        let number = try number(field, bits: 128, isOptional: isOptional)
        return UInt128(number.w1) << 64 | UInt128(number.w0)
    }

    private mutating func byte(_ field: String) throws(OrderError) -> UInt8 {
        UInt8(truncatingIfNeeded: try number(field, bits: 8).w0)
    }
}
