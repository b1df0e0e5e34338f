public import Ethereum

/// The detail of an order's state.
public enum StateDetail: Hashable, Sendable {
    /// What is left, with the fewest calls: enough for a book.
    ///
    /// `OrderState.filled` may then include the cancelled amount, and `cancelled` be zero.
    case remaining
    /// Filled and cancelled amounts apart.
    case full
}

/// The contracts of one deployment of the protocol.
public struct ExchangeContracts: Hashable, Sendable {
    public let exchange: Address
    /// The contract that moves the tokens and needs the approval.
    public let transferContract: Address
    /// The token of maker and taker fees; nil if the protocol has no fee token of its own.
    public let feeToken: Address?
    /// The protocol fee of each filled order, as an amount of gas; zero if there is none.
    ///
    /// It is paid in ether at the transaction's gas price.
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
    /// The amount that a cancel removed.
    public let cancelled: UInt256
    /// What is left; never negative, and zero unless the order is open or has only expired.
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

    /// A state from its amounts alone.
    ///
    /// A cancel takes all that fills have left, so any cancelled part means the order ended.
    public init(filled: UInt256, cancelled: UInt256, remaining: UInt256) {
        self.init(
            filled: filled,
            cancelled: cancelled,
            remaining: remaining,
            status: remaining > .zero ? .open : cancelled == .zero ? .filled : .cancelled
        )
    }
}

/// An exchange's status of an order, regardless of the maker's funds.
public enum OrderStatus: Hashable, Sendable {
    /// Some of it is left; it may have expired if the exchange does not report that.
    case open
    case filled
    case cancelled
    /// Only if the exchange reports it; otherwise the order's own expiry decides.
    case expired
    /// The exchange does not accept it as an order, so no one can ever fill it.
    case rejected(OrderRejection)
}

/// An order and its maximum fill, in taker token base units.
public struct PlannedFill: Sendable {
    public let order: any SignedOrder
    public let takerAmount: UInt256

    /// A planned fill.
    public init(order: any SignedOrder, takerAmount: UInt256) {
        self.order = order
        self.takerAmount = takerAmount
    }
}

/// The way a fill treats an order that can no longer be filled.
public enum FillMode: Hashable, Sendable {
    /// Orders without funds are skipped (v1: shouldThrow = false, which queries balances).
    case skipping
    /// An order without funds reverts the whole call (v1: shouldThrow = true, no queries).
    case throwing
}

/// A transaction to the exchange, without gas and nonce.
public struct ExchangeCall: Hashable, Sendable {
    public let to: Address
    public let data: [UInt8]
    /// The maximum protocol fee, as an amount of gas.
    ///
    /// The ether for that much gas is sent along, and the unused part is returned.
    public let protocolFeeGas: UInt64
    /// The gas of such a call when all of its orders are fresh and filled.
    ///
    /// It is the minimum gas limit, since an estimate may be of a call that skipped orders.
    public let gasFloor: GasFloor
    /// The contract function, for messages.
    public let function: String

    /// A call.
    public init(
        to: Address,
        data: [UInt8],
        protocolFeeGas: UInt64 = 0,
        gasFloor: GasFloor,
        function: String
    ) {
        self.to = to
        self.data = data
        self.protocolFeeGas = protocolFeeGas
        self.gasFloor = gasFloor
        self.function = function
    }

    /// The ether to send along at a maximum gas price; it saturates at the maximum number.
    public func value(at gasPrice: Wei) -> Wei {
        gasPrice.multiplied(by: UInt256(protocolFeeGas)) ?? Wei(.max)
    }
}

/// The maximum effects of a call to the exchange on its sender.
public struct ExchangeCallEffects: Hashable, Sendable {
    /// The contract function.
    public let function: String
    /// Base units paid of each token, including fees paid on top in the same token.
    public let pays: [Address: UInt256]
    /// Base units of the deployment's fee token, which the call does not name.
    ///
    /// Zero if fees are in tokens of the orders.
    public let fees: UInt256
    /// The tokens received.
    public let receives: Set<Address>
    /// The number of orders whose protocol fee may be paid in ether; the unused part is returned.
    public let protocolFeeOrders: UInt32
    /// It cancels orders, and fills none.
    public let isCancel: Bool

    /// The maximum protocol fee, as an amount of gas.
    public func protocolFeeGas(_ contracts: ExchangeContracts) -> UInt64 {
        // Two numbers of 32 bits do not overflow.
        UInt64(protocolFeeOrders) * UInt64(contracts.protocolFeeMultiplier)
    }
}

/// The reason why bytes are not a call of an exchange contract.
public enum ExchangeCallError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Fewer than four bytes, or a function that the contracts lack; in v4 only native order
    /// functions are known.
    case unknownFunction(ProtocolVersion)
    /// The arguments are not in the canonical encoding of their types.
    case malformedArguments(String)

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .unknownFunction(.v1): "The call names no function of the 0x v1 contracts."
        case .unknownFunction(.v4): "The call names no function of 0x v4's native orders."
        case .malformedArguments(let function):
            "The arguments of the call of \(function) are not well-formed."
        }
    }
}
