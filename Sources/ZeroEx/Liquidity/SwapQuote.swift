public import Ethereum

/// A venue's firm quote: a price and a transaction, not yet verified.
public struct SwapQuote: Hashable, Sendable {
    public var price: SwapPrice
    public var call: SwapCall
    /// The venue's hint, never used alone; nil if it gives none.
    public var gas: UInt64?
    /// The spender that the venue names for an approval, checked and never used; nil if none.
    public var namedSpender: Address?
    /// The message of a Permit2 quote; nil for others.
    public var permit: SwapPermit?
    /// The hash that the venue says the message has; nil without a message.
    public var permitHash: Bytes32?

    public init(
        price: SwapPrice,
        call: SwapCall,
        gas: UInt64? = nil,
        namedSpender: Address? = nil,
        permit: SwapPermit? = nil,
        permitHash: Bytes32? = nil
    ) {
        self.price = price
        self.call = call
        self.gas = gas
        self.namedSpender = namedSpender
        self.permit = permit
        self.permitHash = permitHash
    }
}

/// A transaction's target, data and value.
public struct SwapCall: Hashable, Sendable {
    public var to: Address
    public var data: [UInt8]
    public var value: Wei

    public init(to: Address, data: [UInt8], value: Wei) {
        self.to = to
        self.data = data
        self.value = value
    }
}

/// A Permit2 message: `spender` may take `amount` of `token` once, until the deadline.
///
/// Source: Permit2's SignatureTransfer, `PermitTransferFrom`.
public struct SwapPermit: Hashable, Sendable {
    public var chainID: UInt64
    /// Permit2 itself, the domain's `verifyingContract`.
    public var contract: Address
    public var token: Address
    /// Base units.
    public var amount: UInt256
    public var spender: Address
    public var nonce: UInt256
    /// Seconds since 1970.
    public var deadline: UInt256

    public init(
        chainID: UInt64,
        contract: Address,
        token: Address,
        amount: UInt256,
        spender: Address,
        nonce: UInt256,
        deadline: UInt256
    ) {
        self.chainID = chainID
        self.contract = contract
        self.token = token
        self.amount = amount
        self.spender = spender
        self.nonce = nonce
        self.deadline = deadline
    }
}
