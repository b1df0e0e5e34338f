public import Ethereum

/// A maker's signed order as every protocol version has it; the version's own type has more.
public protocol SignedOrder: AnyObject, Sendable {
    /// Computed by us from the terms, never taken from a relay.
    var hash: OrderHash { get }
    /// The contract that the order is for.
    var exchange: Address { get }
    /// Who signed, sells `makerToken` and gets `takerToken`.
    var maker: Address { get }
    /// Who alone may fill it; zero is anyone.
    var taker: Address { get }
    /// Who alone may send the transaction that fills it; zero is anyone, as always in v1.
    var sender: Address { get }
    var makerToken: Address { get }
    var takerToken: Address { get }
    /// Base units of `makerToken`, for the whole order.
    var makerAmount: UInt256 { get }
    /// Base units of `takerToken`, for the whole order; fills are counted in these.
    var takerAmount: UInt256 { get }
    /// Who gets the fees.
    var feeRecipient: Address { get }
    /// Base units of the fee token that the maker pays for the whole order; 0 where the contract
    /// takes none.
    var makerFee: UInt256 { get }
    /// Base units of the fee token that the taker pays for the whole order; 0 where the contract
    /// takes none.
    var takerFee: UInt256 { get }
    /// Seconds since 1970; at this second the order is expired.
    var expiry: UInt256 { get }
    var salt: UInt256 { get }
    /// Made for one who asked for a quote: `sender` fills it by a transaction of its own.
    var isQuote: Bool { get }
    /// Tells this copy of the order from others: a forged copy has the same hash.
    var copyID: OrderCopyID { get }
}

/// An order's hash and what stands in its signature, whether that holds or not.
///
/// Before signatures are checked, only copies that are alike in both are one: else a forged copy that
/// comes first would shadow the genuine one.
public struct OrderCopyID: Hashable, Sendable {
    public let hash: OrderHash
    private let r: Bytes32
    private let s: Bytes32
    private let kind: UInt16

    /// - Parameter kind: all of the signature but r and s.
    public init(hash: OrderHash, r: Bytes32, s: Bytes32, kind: UInt16) {
        self.hash = hash
        self.r = r
        self.s = s
        self.kind = kind
    }
}

extension SignedOrder {
    /// Nobody in particular.
    public var sender: Address { .zero }

    /// Made for a book.
    public var isQuote: Bool { false }

    /// For whom it is reserved, so that an account may not fill it by its own transaction.
    ///
    /// nil where it may; without an account, any reservation counts.
    public func reservation(against account: Address?) -> Address? {
        [taker, sender].first { $0 != .zero && $0 != account }
    }
}

/// The terms of an order that is to be built and signed by us.
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
    /// Who gets fees and how much; the only part that is taken from a relay.
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

/// What a relay wants of an order that it is to carry; fees in base units of the fee token.
public struct OrderFees: Hashable, Sendable {
    public var recipient: Address
    public var makerFee: UInt256
    public var takerFee: UInt256
    /// Who alone may send the transaction that fills it; zero is anyone, as always in v1.
    public var sender: Address

    /// No fees to nobody.
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

/// Why a relay's or a user's text is not an order.
public enum OrderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A member that an order must have is absent.
    case missing(field: String)
    /// A member is not what it must be.
    case malformed(field: String, found: String)
    /// A number has more bits than the protocol has for it.
    case tooLarge(field: String, bits: Int)
    /// A fee that the protocol does not know.
    case impossibleFee(String)
    /// Not even an object.
    case notAnOrder

    /// The sentence for people.
    public var description: String {
        switch self {
        case .missing(let field): "The order has no \(field)."
        case .malformed(let field, let found):
            "The order's \(field) is not valid: \"\(found.prefix(80))\"."
        case .tooLarge(let field, let bits):
            "The order's \(field) is larger than the protocol allows (\(bits) bits)."
        case .impossibleFee(let problem): "The order's fee is not possible: \(problem)."
        case .notAnOrder: "This is not an order: a JSON object is expected."
        }
    }
}

/// Why a well-formed order is not to be believed or can never be filled by anybody.
public enum OrderRejection: Error, Hashable, Sendable, CustomStringConvertible {
    case wrongExchange(Address)
    /// The id of the chain that it is for.
    case wrongChain(UInt64)
    case zeroAmount
    case zeroMaker
    /// Somebody else made the signature.
    case badSignature
    /// Nobody can have made the signature, with what is wrong with it as a sentence.
    case malformedSignature(String)
    /// It is for one sender of transactions alone and names none.
    case noOrigin
    case wrongTokens
    case wrongHash

    /// Another copy of the same order may have a signature that holds.
    public var isOfSignature: Bool {
        switch self {
        case .badSignature, .malformedSignature: true
        default: false
        }
    }

    /// A short stable word for JSON: `bad-signature` and so on.
    public var code: String {
        switch self {
        case .wrongExchange: "wrong-exchange"
        case .wrongChain: "wrong-chain"
        case .zeroAmount: "zero-amount"
        case .zeroMaker: "zero-maker"
        case .badSignature, .malformedSignature: "bad-signature"
        case .noOrigin: "no-origin"
        case .wrongTokens: "wrong-tokens"
        case .wrongHash: "wrong-hash"
        }
    }

    /// The sentence for people.
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
        case .wrongHash: "Its hash is not the one that was asked for."
        }
    }
}
