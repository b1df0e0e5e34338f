public import Ethereum

/// An event of an exchange contract in a receipt.
public enum ExchangeEvent: Hashable, Sendable {
    case filled(FillEvent)
    case cancelled(CancelEvent)
    /// A cancel of one order, from an exchange that does not report the amount left.
    ///
    /// The order may have been filled or cancelled before.
    case cancelSeen(OrderHash, maker: Address)
    case pairCancelled(PairCancel)
    /// An order that was skipped without a revert.
    case skipped(OrderHash, SkipReason)
}

/// A fill in a transaction; amounts in base units.
public struct FillEvent: Hashable, Sendable {
    public let orderHash: OrderHash
    public let maker: Address
    public let taker: Address
    public let feeRecipient: Address
    public let makerToken: Address
    public let takerToken: Address
    public let makerAmount: UInt256
    public let takerAmount: UInt256
    public let makerFee: UInt256
    public let takerFee: UInt256
    /// The protocol fee in wei.
    public let protocolFee: UInt256

    /// A fill from its fields.
    public init(
        orderHash: OrderHash,
        maker: Address,
        taker: Address,
        feeRecipient: Address,
        makerToken: Address,
        takerToken: Address,
        makerAmount: UInt256,
        takerAmount: UInt256,
        makerFee: UInt256,
        takerFee: UInt256,
        protocolFee: UInt256 = 0
    ) {
        self.orderHash = orderHash
        self.maker = maker
        self.taker = taker
        self.feeRecipient = feeRecipient
        self.makerToken = makerToken
        self.takerToken = takerToken
        self.makerAmount = makerAmount
        self.takerAmount = takerAmount
        self.makerFee = makerFee
        self.takerFee = takerFee
        self.protocolFee = protocolFee
    }
}

/// A cancel in a transaction; amounts in base units.
public struct CancelEvent: Hashable, Sendable {
    public let orderHash: OrderHash
    public let maker: Address
    public let makerToken: Address
    public let takerToken: Address
    public let makerAmount: UInt256
    public let takerAmount: UInt256

    /// A cancel from its fields.
    public init(
        orderHash: OrderHash,
        maker: Address,
        makerToken: Address,
        takerToken: Address,
        makerAmount: UInt256,
        takerAmount: UInt256
    ) {
        self.orderHash = orderHash
        self.maker = maker
        self.makerToken = makerToken
        self.takerToken = takerToken
        self.makerAmount = makerAmount
        self.takerAmount = takerAmount
    }
}

/// A maker's cancel of all its orders of a pair that have a lower salt.
public struct PairCancel: Hashable, Sendable {
    public let maker: Address
    /// The token that the orders give.
    public let makerToken: Address
    /// The token that they get.
    public let takerToken: Address
    /// An order with this salt is not cancelled.
    public let minimumSalt: UInt256

    /// A cancel from its fields.
    public init(
        maker: Address,
        makerToken: Address,
        takerToken: Address,
        minimumSalt: UInt256
    ) {
        self.maker = maker
        self.makerToken = makerToken
        self.takerToken = takerToken
        self.minimumSalt = minimumSalt
    }

    /// It ends this order, unless the order ended before.
    public func covers(_ order: any SignedOrder) -> Bool {
        order.maker == maker && order.makerToken == makerToken
            && order.takerToken == takerToken && order.salt < minimumSalt
    }
}

extension ExchangeEvent {
    /// The maker of the orders; nil for a skipped order.
    public var maker: Address? {
        switch self {
        case .filled(let fill): fill.maker
        case .cancelled(let cancel): cancel.maker
        case .cancelSeen(_, let maker): maker
        case .pairCancelled(let cancel): cancel.maker
        case .skipped: nil
        }
    }

    /// An event of the account's own orders, or a fill that it took.
    public func concerns(_ account: Address) -> Bool {
        if case .filled(let fill) = self, fill.taker == account { return true }
        return maker == account
    }
}

/// An event with its position in the chain.
public struct LoggedEvent: Hashable, Sendable {
    public let event: ExchangeEvent
    public let block: UInt64
    public let blockHash: BlockHash
    public let transaction: TransactionHash
    /// The index in the block.
    public let logIndex: UInt64

    /// An event from its parts.
    public init(
        event: ExchangeEvent,
        block: UInt64,
        blockHash: BlockHash,
        transaction: TransactionHash,
        logIndex: UInt64
    ) {
        self.event = event
        self.block = block
        self.blockHash = blockHash
        self.transaction = transaction
        self.logIndex = logIndex
    }
}

/// The reason why an order was skipped.
public enum SkipReason: String, Hashable, Sendable {
    case expired = "expired"
    case filledOrCancelled = "filled-or-cancelled"
    case roundingError = "rounding-error"
    case insufficientFunds = "insufficient-balance-or-allowance"
    case nothingMoved = "nothing-moved"

    /// The reason in words.
    public var sentence: String {
        switch self {
        case .expired: "it had expired"
        case .filledOrCancelled: "it was filled or cancelled before"
        case .roundingError: "the rounding error would be above 0.1 %"
        case .insufficientFunds: "the maker's or taker's balance or allowance was short"
        case .nothingMoved: "so little was left or asked for that nothing changed hands"
        }
    }
}

/// The reason why an exchange contract or its answers cannot be used.
public enum ExchangeError: Error, Hashable, Sendable, CustomStringConvertible {
    case notAnExchange(Address, ProtocolVersion)
    /// It hashes orders differently from an exchange of this version on this chain.
    case otherHashes(Address, ProtocolVersion, chainID: UInt64)
    case notAuthorized(exchange: Address, transferContract: Address)
    case unreadableAnswer(String)

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .notAnExchange(let address, let version):
            "\(address.checksummed) does not answer as \(version.exchangeNoun); check the network's "
                + "exchange address."
        case .otherHashes(let address, let version, let chainID):
            "\(address.checksummed) hashes orders otherwise than \(version.exchangeNoun) on chain "
                + "\(chainID), so it would take no signature for one. It may be another contract, or "
                + "that of another chain on a copy of it."
        case .notAuthorized(let exchange, let proxy):
            "The exchange \(exchange.checksummed) is not authorized on its transfer contract "
                + "\(proxy.checksummed), so every fill would fail."
        case .unreadableAnswer(let what): "The exchange's answer cannot be read: \(what)."
        }
    }
}
