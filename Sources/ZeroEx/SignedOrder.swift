public import Ethereum

/// A maker's signed order, common to every protocol version; a version's own type has more.
public protocol SignedOrder: AnyObject, Sendable {
    /// Computed from the terms, never taken from a relay.
    var hash: OrderHash { get }
    /// The order's exchange contract.
    var exchange: Address { get }
    /// The account that signs, sells `makerToken` and gets `takerToken`.
    var maker: Address { get }
    /// The only account that may fill it; zero is anyone.
    var taker: Address { get }
    /// The only account that may send its fill transaction; zero is anyone, as always in v1.
    var sender: Address { get }
    /// The order in a relay's wire form: the compact JSON text of `OrderCodec.encodeOrder`, in UTF-8.
    var wireText: [UInt8] { get }
    var makerToken: Address { get }
    var takerToken: Address { get }
    /// Base units of `makerToken`, for the whole order.
    var makerAmount: UInt256 { get }
    /// Base units of `takerToken`, for the whole order; fills are counted in these.
    var takerAmount: UInt256 { get }
    /// The recipient of the fees.
    var feeRecipient: Address { get }
    /// Base units of the fee token that the maker pays for the whole order; 0 if the contract
    /// takes none.
    var makerFee: UInt256 { get }
    /// Base units of the fee token that the taker pays for the whole order; 0 if the contract
    /// takes none.
    var takerFee: UInt256 { get }
    /// Seconds since 1970; the order is expired from this second on.
    var expiry: UInt256 { get }
    var salt: UInt256 { get }
    /// An order for one requester of a quote: `sender` fills it with its own transaction.
    var isQuote: Bool { get }
    /// Identifies this copy of the order: a forged copy has the same hash.
    var copyID: OrderCopyID { get }
}

/// An order's hash and the content of its signature, valid or not.
///
/// Before signatures are checked, two copies are the same only if both are equal. Otherwise a
/// forged copy that comes first would shadow the genuine one.
public struct OrderCopyID: Hashable, Sendable {
    public let hash: OrderHash
    private let r: Bytes32
    private let s: Bytes32
    private let kind: UInt16

    /// - Parameter kind: the signature without r and s.
    public init(hash: OrderHash, r: Bytes32, s: Bytes32, kind: UInt16) {
        self.hash = hash
        self.r = r
        self.s = s
        self.kind = kind
    }
}

extension SignedOrder {
    /// Anyone.
    public var sender: Address { .zero }

    /// An order for a book.
    public var isQuote: Bool { false }

    /// The restricted taker or sender that keeps an account from filling it with its own
    /// transaction.
    ///
    /// nil if the account may fill it. Without an account, any restriction counts.
    public func reservation(against account: Address?) -> Address? {
        [taker, sender].first { $0 != .zero && $0 != account }
    }
}

extension SignedOrder where Self: Hashable {
    /// Orders are equal if their hashes are: one order can have many signatures.
    public static func == (left: Self, right: Self) -> Bool {
        left.hash == right.hash
    }

    /// Feeds the order's hash to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

/// The terms of an order that we are to build and sign.
public struct OrderDraft: Hashable, Sendable {
    public var exchange: Address
    public var maker: Address
    public var taker: Address
    public var makerToken: Address
    public var takerToken: Address
    public var makerAmount: UInt256
    public var takerAmount: UInt256
    /// Seconds since 1970.
    public var expiry: UInt256
    public var salt: UInt256
    /// The fee recipient and amounts; the only part taken from a relay.
    public var fees: OrderFees

    /// The terms of an order.
    public init(
        exchange: Address,
        maker: Address,
        taker: Address = .zero,
        makerToken: Address,
        takerToken: Address,
        makerAmount: UInt256,
        takerAmount: UInt256,
        expiry: UInt256,
        salt: UInt256,
        fees: OrderFees = .none
    ) {
        self.exchange = exchange
        self.maker = maker
        self.taker = taker
        self.makerToken = makerToken
        self.takerToken = takerToken
        self.makerAmount = makerAmount
        self.takerAmount = takerAmount
        self.expiry = expiry
        self.salt = salt
        self.fees = fees
    }

    /// The terms of an order.
    public init(_ order: any SignedOrder) {
        self.init(
            exchange: order.exchange,
            maker: order.maker,
            taker: order.taker,
            makerToken: order.makerToken,
            takerToken: order.takerToken,
            makerAmount: order.makerAmount,
            takerAmount: order.takerAmount,
            expiry: order.expiry,
            salt: order.salt,
            fees: OrderFees(
                recipient: order.feeRecipient,
                makerFee: order.makerFee,
                takerFee: order.takerFee,
                sender: order.sender
            )
        )
    }
}

/// A relay's conditions for carrying an order; fees in base units of the fee token.
public struct OrderFees: Hashable, Sendable {
    public var recipient: Address
    public var makerFee: UInt256
    public var takerFee: UInt256
    /// The only account that may send its fill transaction; zero is anyone, as always in v1.
    public var sender: Address

    /// No fees and no recipient.
    public static let none = OrderFees(recipient: .zero, makerFee: 0, takerFee: 0)

    /// Fees for the whole order.
    public init(
        recipient: Address,
        makerFee: UInt256,
        takerFee: UInt256,
        sender: Address = .zero
    ) {
        self.recipient = recipient
        self.makerFee = makerFee
        self.takerFee = takerFee
        self.sender = sender
    }
}

/// The reason why a text from a relay or user is not an order.
public enum OrderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A required member is absent.
    case missing(field: String)
    /// A member has an invalid value.
    case malformed(field: String, found: String)
    /// A number exceeds its bits in the protocol.
    case tooLarge(field: String, bits: Int)
    /// A fee that the protocol does not have.
    case impossibleFee(String)
    /// The JSON is not an object.
    case notAnOrder

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .missing(let field): "The order has no \(field)."
        case .malformed(let field, let found):
            "The order's \(field) is not valid: \(ForeignWords.quoted(found, limit: 80))."
        case .tooLarge(let field, let bits):
            "The order's \(field) is larger than the protocol allows (\(bits) bits)."
        case .impossibleFee(let problem): "The order's fee is not possible: \(problem)."
        case .notAnOrder: "This is not an order: a JSON object is expected."
        }
    }
}

/// The reason why a well-formed order cannot be trusted or can never be filled.
public enum OrderRejection: Error, Hashable, Sendable, CustomStringConvertible {
    case wrongExchange(Address)
    /// The chain id in the order.
    case wrongChain(UInt64)
    case zeroAmount
    case zeroMaker
    /// Another account made the signature.
    case badSignature
    /// No key can have made the signature; the text says why.
    case malformedSignature(String)
    /// It requires one transaction sender and names none.
    case noOrigin
    case wrongTokens
    /// An address that stands for the coin, or for nothing, in place of a token.
    case reservedToken(Address)
    /// Calls to its maker token fail, so no fill of it can work.
    case failingToken(Address)
    case wrongHash

    /// Another copy of the same order may have a valid signature.
    public var isOfSignature: Bool {
        switch self {
        case .badSignature, .malformedSignature: true
        default: false
        }
    }

    /// A short stable code for JSON, such as `bad-signature`.
    public var code: String {
        switch self {
        case .wrongExchange: "wrong-exchange"
        case .wrongChain: "wrong-chain"
        case .zeroAmount: "zero-amount"
        case .zeroMaker: "zero-maker"
        case .badSignature, .malformedSignature: "bad-signature"
        case .noOrigin: "no-origin"
        case .wrongTokens: "wrong-tokens"
        case .reservedToken: "reserved-token"
        case .failingToken: "failing-token"
        case .wrongHash: "wrong-hash"
        }
    }

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .wrongExchange(let address):
            "It is for another exchange contract (\(address.checksummed))."
        case .wrongChain(let chainID): "It is for another chain (\(chainID))."
        case .zeroAmount: "One of its amounts is zero."
        case .zeroMaker: "Its maker is the zero address."
        case .badSignature: "Its signature was not made by its maker."
        case .malformedSignature(let sentence): sentence
        case .noOrigin: "It is an RFQ order without an origin and can never be filled."
        case .wrongTokens: "Its tokens are not the ones that were asked for."
        case .reservedToken(let address):
            "\(address.checksummed) is no token's address, so nothing is traded for it."
        case .failingToken(let address):
            "Calls to its maker token \(address.checksummed) fail, so it cannot be filled."
        case .wrongHash: "Its hash is not the one that was asked for."
        }
    }
}
