public import Ethereum

/// `orderAddresses[5]` of the v1 contract's calls.
public struct OrderAddressesV1: Hashable, Sendable {
    public var maker: Address
    public var taker: Address
    public var makerToken: Address
    public var takerToken: Address
    public var feeRecipient: Address
}

extension OrderAddressesV1 {
    /// The addresses of an order.
    public init(_ terms: OrderDraft) {
        maker = terms.maker
        taker = terms.taker
        makerToken = terms.makerToken
        takerToken = terms.takerToken
        feeRecipient = terms.fees.recipient
    }

    var words: [Bytes32] {
        [maker.word, taker.word, makerToken.word, takerToken.word, feeRecipient.word]
    }
}

/// `orderValues[6]` of the v1 contract's calls.
public struct OrderValuesV1: Hashable, Sendable {
    public var makerAmount: UInt256
    public var takerAmount: UInt256
    public var makerFee: UInt256
    public var takerFee: UInt256
    /// Seconds since 1970.
    public var expiry: UInt256
    public var salt: UInt256
}

extension OrderValuesV1 {
    /// The values of an order.
    public init(_ terms: OrderDraft) {
        makerAmount = terms.makerAmount
        takerAmount = terms.takerAmount
        makerFee = terms.fees.makerFee
        takerFee = terms.fees.takerFee
        expiry = terms.expiry
        salt = terms.salt
    }

    var words: [Bytes32] {
        [
            makerAmount.word, takerAmount.word, makerFee.word, takerFee.word, expiry.word,
            salt.word,
        ]
    }
}

/// `v, r, s` in the v1 contract's calls; `v` is unchecked.
public struct SignatureFieldsV1: Hashable, Sendable {
    public var v: UInt8
    public var r: Bytes32
    public var s: Bytes32

    /// The three parts, unchecked.
    public init(v: UInt8, r: Bytes32, s: Bytes32) {
        self.v = v
        self.r = r
        self.s = s
    }

    /// The parts of a signature.
    public init(_ signature: Signature) {
        self.init(v: signature.v, r: signature.r, s: signature.s)
    }

    /// The signature; nil if `v` is neither 27 nor 28, which the contract refuses.
    public var signature: Signature? {
        guard v == 27 || v == 28 else { return nil }
        return Signature(r: r, s: s, yParity: v - 27)
    }
}

extension OrderDraft {
    /// The order of a v1 call; the contract uses its own address as the exchange.
    public init(exchange: Address, _ addresses: OrderAddressesV1, _ values: OrderValuesV1) {
        self.init(
            exchange: exchange,
            maker: addresses.maker,
            taker: addresses.taker,
            makerToken: addresses.makerToken,
            takerToken: addresses.takerToken,
            makerAmount: values.makerAmount,
            takerAmount: values.takerAmount,
            expiry: values.expiry,
            salt: values.salt,
            fees: OrderFees(
                recipient: addresses.feeRecipient,
                makerFee: values.makerFee,
                takerFee: values.takerFee
            )
        )
    }
}
