public import Ethereum

/// A relay that serves the standard relayer API of one protocol version.
///
/// Orders are parsed and hashed but NOT verified; unreadable ones are counted. A book of ZRX/WETH has
/// the orders of both directions, in the relay's order.
public protocol RelayClient: Sendable {
    /// All pairs, those with one token, or the pair of two tokens, from every page.
    ///
    /// If the API has no list of pairs, they come from the relay's orders.
    func tokenPairs(
        _ tokenA: Address?,
        _ tokenB: Address?
    ) async throws(RelayError) -> [RelayTokenPair]

    /// All orders that match, from every page.
    func orders(_ query: OrderQuery) async throws(RelayError) -> RelayOrders

    /// One order; nil if the relay does not know it.
    func order(_ hash: OrderHash) async throws(RelayError) -> (any SignedOrder)?

    /// Both sides of a pair, from every page; hands out orders while others are still on their way.
    ///
    /// - Parameter arrived: gets every order at least once before the book is returned, some
    ///   perhaps more often, from any thread and in any order; it must be quick.
    func orderbook(
        base: Address,
        quote: Address,
        arrived: @escaping @Sendable ([any SignedOrder]) -> Void
    ) async throws(RelayError) -> RelayOrderbook

    /// The first page of both sides, the relay's best orders, in one request.
    func bestOrders(base: Address, quote: Address) async throws(RelayError) -> RelayOrderbook

    /// The relay's fees for carrying this order.
    func fees(for draft: OrderDraft) async throws(RelayError) -> OrderFees

    /// Posts an order to the relay.
    func post(_ order: any SignedOrder) async throws(RelayError)
}

extension RelayClient {
    /// The whole book.
    public func bestOrders(
        base: Address,
        quote: Address
    ) async throws(RelayError) -> RelayOrderbook {
        try await orderbook(base: base, quote: quote)
    }

    /// Both sides of a pair, from every page.
    public func orderbook(
        base: Address,
        quote: Address
    ) async throws(RelayError) -> RelayOrderbook {
        try await orderbook(base: base, quote: quote) { _ in }
    }
}

/// Filters of a request for orders; nil sets no filter.
public struct OrderQuery: Hashable, Sendable {
    public var exchange: Address?
    /// The maker or the taker token.
    public var token: Address?
    public var makerToken: Address?
    public var takerToken: Address?
    public var maker: Address?
    public var taker: Address?
    /// The maker or the taker.
    public var trader: Address?
    public var feeRecipient: Address?
    /// Includes orders that can no longer be filled, if the relay keeps them; it may require a
    /// maker.
    public var includesUnfillable = false

    /// A query that matches every order.
    public init() {}
}

/// Orders from a relay.
public struct RelayOrders: Sendable {
    /// In the relay's order.
    public var orders: [any SignedOrder]
    /// The entries that are not readable orders.
    public var unreadable: UnreadableOrders
    /// Why there may be more of them; nil if the list is whole.
    public var shortfall: RelayShortfall?
    /// Who showed which of them; nil if one relay was asked.
    public var relays: RelayProvenance?

    /// Orders from a relay.
    public init(orders: [any SignedOrder], unreadable: [OrderError] = []) {
        self.orders = orders
        self.unreadable = UnreadableOrders(unreadable)
    }
}

/// How a relay's list ended before its end.
public enum RelayShortfall: Hashable, Sendable {
    /// The relay counts more entries than all its pages have.
    case fewer(received: Int, total: Int)
    /// A full page leads to a next one, which has nothing new or is missing.
    case noNextPage(received: Int)
    /// The page behind a short one cannot be read, and nothing says whether there is one.
    case unread(page: Int, RelayError)

    /// The reason, as words that follow a colon.
    public var reason: String {
        switch self {
        case .fewer(let received, let total):
            "it counts \(total) entries and its pages have \(received)"
        case .noNextPage(let received):
            "after \(received) entries it leads to a next page that has no more"
        case .unread(let page, let error):
            "page \(page) of its list cannot be read: \(error.reason)"
        }
    }

    /// The message shown to the user.
    public var description: String {
        "A relay's list may not be whole, so better orders may be missing: \(reason)."
    }
}

/// Entries of a relay's list that are not orders: their count, and the first errors.
///
/// A relay may send millions of them, so not every error is kept.
public struct UnreadableOrders: Hashable, Sendable {
    /// The maximum number of kept errors.
    public static let maximumExamples = 10

    public private(set) var count = 0
    /// The first errors, at most ten.
    public private(set) var examples: [OrderError] = []

    /// Counts errors.
    public init(_ errors: [OrderError] = []) {
        for error in errors { add(error) }
    }

    /// Counts one more error.
    public mutating func add(_ error: OrderError) {
        count += 1
        if examples.count < Self.maximumExamples { examples.append(error) }
    }

    /// Counts the errors of another list.
    public mutating func add(_ other: UnreadableOrders) {
        count += other.count
        examples += other.examples.prefix(Self.maximumExamples - examples.count)
    }
}

/// Both sides of a pair, unchanged from a relay.
public struct RelayOrderbook: Sendable {
    /// Orders that buy base: their taker token is the base.
    public var bids: RelayOrders
    /// Orders that sell base: their maker token is the base.
    public var asks: RelayOrders
    /// Who showed which of its orders; nil if one relay was asked.
    public var relays: RelayProvenance?

    /// A book.
    public init(bids: RelayOrders, asks: RelayOrders) {
        self.bids = bids
        self.asks = asks
    }

    /// Why there may be more orders; nil if both sides are whole.
    public var shortfall: RelayShortfall? { bids.shortfall ?? asks.shortfall }
}

/// A pair that a relay trades; the two tokens are in no particular order.
public struct RelayTokenPair: Hashable, Sendable {
    /// One side of a pair.
    public struct Side: Hashable, Sendable {
        public let token: Address
        /// Base units; nil if the relay sets no bound.
        public let minimum: UInt256?
        public let maximum: UInt256?
        /// The price decimals that the relay prefers.
        public let precision: Int?

        /// One side of a pair.
        public init(token: Address, minimum: UInt256?, maximum: UInt256?, precision: Int?) {
            self.token = token
            self.minimum = minimum
            self.maximum = maximum
            self.precision = precision
        }
    }

    public let tokenA: Side
    public let tokenB: Side

    /// A pair.
    public init(tokenA: Side, tokenB: Side) {
        self.tokenA = tokenA
        self.tokenB = tokenB
    }
}

/// The reason why a relay gave no usable answer.
///
/// The relay's texts are unchanged: strip control characters before showing them.
public enum RelayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failure of one of several relays.
    public struct Failure: Hashable, Sendable {
        /// The part of its address that may be shown.
        public let relay: String
        public let error: RelayError

        /// The failure of one of several relays.
        public init(relay: String, error: RelayError) {
            self.relay = relay
            self.error = error
        }
    }

    /// A reason for one member of a refused order.
    public struct FieldReason: Hashable, Sendable {
        public let field: String
        public let code: Int?
        public let reason: String

        /// A reason for one member.
        public init(field: String, code: Int?, reason: String) {
            self.field = field
            self.code = code
            self.reason = reason
        }

        /// What stands for a member or a reason that the relay did not name.
        package static let noField = "(no field)"
        package static let noReason = "not valid"

        /// The member and the reason, each as the words of others.
        package var words: String {
            (field == Self.noField ? field : ForeignWords.name(field)) + ": "
                + (reason == Self.noReason ? reason : ForeignWords.quoted(reason, limit: 300))
        }
    }

    /// No connection, a time-out or a cut body: a retry may help.
    case unreachable(url: String, reason: String)
    /// An HTTP status without a reason from the relay.
    ///
    /// A retry may help, unless it is permanent, such as HTTP 404.
    case badStatus(url: String, reason: String, isPermanent: Bool = false)
    /// An answer that breaks the API.
    case nonsense(String)
    /// HTTP 429; seconds to wait if the relay names them.
    case rateLimited(url: String, retryAfter: Int?)
    /// The relay refused (HTTP 4xx) and gave a reason.
    case refused(status: Int, code: Int?, reason: String, fields: [FieldReason])
    /// None of several relays gave a usable answer.
    case noneAnswered([Failure])

    /// A retry of the same request does not help.
    public var isPermanent: Bool {
        switch self {
        case .badStatus(_, _, let isPermanent): isPermanent
        case .noneAnswered(let failures): failures.allSatisfy(\.error.isPermanent)
        default: false
        }
    }

    /// The reason without the relay's name: words that follow "is left out:".
    public var reason: String {
        switch self {
        case .unreachable(_, let reason), .badStatus(_, let reason, _): reason
        case .nonsense(let reason): "its answer makes no sense: \(reason)"
        case .rateLimited(_, let seconds):
            "it limits our requests" + (seconds.map { " for \($0) s" } ?? "")
        case .refused(let status, _, let reason, let fields):
            "it refused (HTTP \(status)): \(Self.words(reason, status))"
                + (fields.isEmpty ? "" : " (") + fields.map(\.words).joined(separator: "; ")
                + (fields.isEmpty ? "" : ")")
        case .noneAnswered: "no relay gave a usable answer"
        }
    }

    /// What stands for a reason where a relay gave none.
    package static let noReason = "it gave no reason"

    /// A refusal's reason in a sentence: in quotes, unless it is ours, as with an answer that is no
    /// refusal.
    package static func words(_ reason: String, _ status: Int) -> String {
        (200..<300).contains(status) || reason == noReason
            ? reason : ForeignWords.quoted(reason, limit: 300)
    }

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .unreachable(let url, let reason):
            "The relay at \(url) cannot be reached: \(reason)."
        case .badStatus(let url, let reason, _):
            "The relay at \(url) gave no usable answer: \(reason)."
        case .nonsense(let reason): "The relay's answer makes no sense: \(reason)."
        case .rateLimited(let url, let seconds):
            "The relay at \(url) limits our requests"
                + (seconds.map { "; try again in \($0) s." } ?? "; try again later.")
        case .refused(let status, _, let reason, let fields):
            "The relay refused (HTTP \(status)): \(Self.words(reason, status))"
                + fields.map { "\n  \($0.words)" }.joined()
        case .noneAnswered(let failures):
            "None of the \(failures.count) relays gave a usable answer. "
                + failures.map { "\($0.relay): \($0.error.reason)" }.joined(separator: "; ")
        }
    }
}
