public import Ethereum

/// How much is asked about the state of an order.
public enum StateDetail: Hashable, Sendable {
    /// What is left, with the fewest calls; `OrderState.filled` may then hold the cancelled amount
    /// too, and `cancelled` be zero. Enough for a book.
    case remaining
    /// Filled and cancelled told apart.
    case full
}

/// The contracts of one deployment of the protocol.
public struct ExchangeContracts: Hashable, Sendable {
    public let exchange: Address
    /// Who moves the tokens, so who is approved.
    public let transferContract: Address
    /// The token of maker and taker fees; nil where the protocol has none of its own.
    public let feeToken: Address?
    /// What the exchange itself takes for each order that is filled, in ether, as an amount of gas
    /// at the price of the transaction's gas; zero where it takes nothing.
    public let protocolFeeMultiplier: UInt32

    /// The contracts of a deployment.
    public init(
        exchange: Address,
        transferContract: Address,
        feeToken: Address?,
        protocolFeeMultiplier: UInt32 = 0
    ) {
        self.exchange = exchange
        self.transferContract = transferContract
        self.feeToken = feeToken
        self.protocolFeeMultiplier = protocolFeeMultiplier
    }
}

/// How much of an order is used up, in taker token base units, and whether it can still be filled.
public struct OrderState: Hashable, Sendable {
    public let filled: UInt256
    /// What a cancel took from the fills to come.
    public let cancelled: UInt256
    /// What is left; never below zero, and zero unless the order is open or has only expired.
    public let remaining: UInt256
    public let status: OrderStatus

    /// A state from its parts.
    public init(
        filled: UInt256,
        cancelled: UInt256,
        remaining: UInt256,
        status: OrderStatus
    ) {
        self.filled = filled
        self.cancelled = cancelled
        self.remaining = remaining
        self.status = status
    }

    /// A state of which only the amounts are known: a cancel takes whatever fills have left, so any
    /// cancelled part ended the order.
    public init(filled: UInt256, cancelled: UInt256, remaining: UInt256) {
        self.init(
            filled: filled,
            cancelled: cancelled,
            remaining: remaining,
            status: remaining > .zero ? .open : cancelled == .zero ? .filled : .cancelled
        )
    }
}

/// What an exchange says of an order, whatever its maker's funds are.
public enum OrderStatus: Hashable, Sendable {
    /// Something is left of it; of an exchange that does not tell it may have expired.
    case open
    case filled
    case cancelled
    /// Only where the exchange tells; else the order's own time does.
    case expired
    /// The exchange takes it for no order at all, so nobody can ever fill it.
    case rejected(OrderRejection)
}

/// An order and the most of it to fill, in taker token base units.
public struct PlannedFill: Sendable {
    public let order: any SignedOrder
    public let takerAmount: UInt256

    /// A fill to be made.
    public init(order: any SignedOrder, takerAmount: UInt256) {
        self.order = order
        self.takerAmount = takerAmount
    }
}

/// What a fill does about an order that can no longer be filled.
public enum FillMode: Hashable, Sendable {
    /// Orders without funds are skipped (v1: shouldThrow = false, which queries balances).
    case skipping
    /// An order without funds reverts the whole call (v1: shouldThrow = true, no queries).
    case throwing
}

/// A transaction to the exchange before it has gas and nonce.
public struct ExchangeCall: Hashable, Sendable {
    public let to: Address
    public let data: [UInt8]
    /// The most that the exchange itself takes, as an amount of gas: as much ether as so much gas
    /// costs goes along, and what is not needed comes back.
    public let protocolFeeGas: UInt64
    /// What such a call was measured to use where all of its orders are fresh and filled: the least
    /// gas limit, since an estimate may have been made of a call that skipped orders.
    public let gasFloor: UInt64
    /// The contract function, for messages.
    public let function: String

    /// A call.
    public init(
        to: Address,
        data: [UInt8],
        protocolFeeGas: UInt64 = 0,
        gasFloor: UInt64,
        function: String
    ) {
        self.to = to
        self.data = data
        self.protocolFeeGas = protocolFeeGas
        self.gasFloor = gasFloor
        self.function = function
    }

    /// The ether that goes along where a unit of gas costs at most so much; never more than there
    /// are numbers.
    public func value(at gasPrice: Wei) -> Wei {
        gasPrice.multiplied(by: UInt256(protocolFeeGas)) ?? Wei(.max)
    }
}

/// What a call to the exchange can do at the most to the one who sends it.
public struct ExchangeCallEffects: Hashable, Sendable {
    /// The contract function.
    public let function: String
    /// Base units of each token that is given, with the fees that are paid in it on top.
    public let pays: [Address: UInt256]
    /// Base units of the deployment's fee token, which the call does not name; zero where fees are
    /// in tokens of the orders.
    public let fees: UInt256
    /// The tokens that come in.
    public let receives: Set<Address>
    /// For how many orders ether may go along as the protocol's own fee; what is not needed comes
    /// back.
    public let protocolFeeOrders: UInt32

    /// The effects of a call.
    public init(
        function: String,
        pays: [Address: UInt256],
        fees: UInt256,
        receives: Set<Address>,
        protocolFeeOrders: UInt32 = 0
    ) {
        self.function = function
        self.pays = pays
        self.fees = fees
        self.receives = receives
        self.protocolFeeOrders = protocolFeeOrders
    }

    /// The most that the exchange itself takes, as an amount of gas.
    public func protocolFeeGas(_ contracts: ExchangeContracts) -> UInt64 {
        // Two numbers of 32 bits.
        UInt64(protocolFeeOrders) * UInt64(contracts.protocolFeeMultiplier)
    }
}
