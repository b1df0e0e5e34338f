public import Ethereum

/// An order of the v4 contract: a limit order or an RFQ order.
///
/// Each member is one word, in the order of the contract's tuples and EIP-712.
public protocol NativeOrderV4: Hashable, Sendable {
    /// Limit or RFQ.
    static var kind: NativeOrderKindV4 { get }
    /// The struct in EIP-712's hashed form.
    static var encodedType: String { get }
    /// The hash of `encodedType`.
    static var typeHash: Bytes32 { get }
    /// The number of members.
    static var wordCount: Int { get }

    /// The account that signs, sells `makerToken` and gets `takerToken`.
    var maker: Address { get }
    /// The only account that may fill it; zero is anyone.
    var taker: Address { get }
    var makerToken: Address { get }
    var takerToken: Address { get }
    /// Base units of `makerToken`, for the whole order.
    var makerAmount: UInt128 { get }
    /// Base units of `takerToken`, for the whole order; fills are counted in these.
    var takerAmount: UInt128 { get }
    /// The staking pool that gets the protocol fee; usually zero.
    var pool: Bytes32 { get }
    /// Seconds since 1970; the order is expired from this second on.
    var expiry: UInt64 { get }
    var salt: UInt256 { get }

    /// The members.
    var words: [Bytes32] { get }

    /// An order from its members; nil if their number is wrong or one exceeds its type.
    init?(words: [Bytes32])
}

/// The two kinds of v4 native orders.
public enum NativeOrderKindV4: Hashable, Sendable, CaseIterable {
    /// An order for a book, with a fee for the taker.
    case limit
    /// An order for one requester of a quote, who sends the transaction.
    case rfq
}

extension NativeOrderV4 {
    /// The hash of the order without its domain: EIP-712's `hashStruct`.
    public var structHash: Bytes32 {
        Self.structHash(of: words)
    }

    static func structHash(of words: [Bytes32]) -> Bytes32 {
        withUnsafeTemporaryAllocation(byteCount: 32 * (1 + words.count), alignment: 8) {
            var writer = WordWriter(buffer: $0)
            writer.put(typeHash)
            for word in words { writer.put(word) }
            return Keccak256.hash(UnsafeRawBufferPointer($0))
        }
    }

    /// The hashes of several orders on their exchanges, hashed together.
    public static func hashes(of orders: [(order: Self, domain: ExchangeDomainV4)]) -> [OrderHash] {
        let length = 32 * (1 + wordCount)
        let structHashes = withUnsafeTemporaryAllocation(
            byteCount: length * orders.count,
            alignment: 8
        ) { buffer in
            var writer = WordWriter(buffer: buffer)
            for (order, _) in orders {
                writer.put(typeHash)
                for word in order.words { writer.put(word) }
            }
            return Keccak256.hashes(UnsafeRawBufferPointer(buffer), length: length)
        }
        return TypedData.digests(
            zip(orders, structHashes).map { ($0.domain.separator, $1) }
        ).map { OrderHash($0) }
    }

    /// The hash that identifies the order on an exchange.
    public func hash(in domain: ExchangeDomainV4) -> OrderHash {
        OrderHash(
            TypedData.digest(domainSeparator: domain.separator, structHash: structHash)
        )
    }
}

/// The exchange on one chain: the domain of its order hashes.
public struct ExchangeDomainV4: Hashable, Sendable {
    public let chainID: UInt64
    /// The Exchange Proxy.
    public let exchange: Address
    /// The hash of both, computed once.
    public let separator: Bytes32

    /// An exchange on a chain.
    public init(chainID: UInt64, exchange: Address) {
        self.chainID = chainID
        self.exchange = exchange
        // Equals the separator of `typedDomain` without building texts: every read order hashes it.
        separator = withUnsafeTemporaryAllocation(byteCount: 160, alignment: 8) {
            var writer = WordWriter(buffer: $0)
            writer.put(Self.typeHash)
            writer.put(Self.nameHash)
            writer.put(Self.versionHash)
            writer.put(UInt256(chainID).word)
            writer.put(exchange.word)
            return Keccak256.hash(UnsafeRawBufferPointer($0))
        }
    }

    /// The domain in the form that wallets get.
    public var typedDomain: TypedDataDomain {
        TypedDataDomain(
            name: Self.name,
            version: Self.version,
            chainID: UInt256(chainID),
            verifyingContract: exchange
        )
    }

    private static let name = "ZeroEx"
    private static let version = "1.0.0"
    private static let nameHash = Keccak256.hash(name.utf8)
    private static let versionHash = Keccak256.hash(version.utf8)
    private static let typeHash = Keccak256.hash(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)".utf8
    )

    /// Two domains are equal if chain and exchange are.
    public static func == (left: ExchangeDomainV4, right: ExchangeDomainV4) -> Bool {
        left.chainID == right.chainID && left.exchange == right.exchange
    }

    /// Feeds chain and exchange to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(chainID)
        hasher.combine(exchange)
    }
}
