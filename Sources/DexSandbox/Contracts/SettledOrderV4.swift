import Ethereum
import ZeroEx

/// The differences between limit orders and RFQ orders in the exchange.
protocol SettledOrderV4: NativeOrderV4 {
    /// The exchange's message if the arrays of a batch fill differ in length.
    static var batchFillLengths: String { get }
    /// The exchange's function for one order of a batch, which it calls on itself.
    static var batchedFill: UInt32 { get }
    /// A fill costs the protocol fee.
    static var paysProtocolFee: Bool { get }

    /// The number of words in call data.
    static var members: Int { get }

    init(_ input: inout ProxyCalldata) throws(CallFailure)

    /// False makes the order invalid in any case.
    var isWellFormed: Bool { get }
    /// Base units of taker token that the taker pays on top, for the whole order.
    var takerTokenFee: UInt128 { get }
    var takerTokenFeeRecipient: Address { get }

    /// Why this caller may not fill the order.
    ///
    /// - Parameter isAllowed: the origin allows the caller to fill its orders.
    func refusal(
        hash: OrderHash,
        caller: Address,
        isAllowed: (Address) throws(CallFailure) -> Bool
    ) throws(CallFailure) -> ExchangeRevertV4?

    func log(_ fill: ExchangeLogV4.Fill, _ fees: ExchangeLogV4.Fees) -> ExchangeLogV4
}

extension LimitOrderV4: SettledOrderV4 {
    static let batchFillLengths =
        "BatchFillNativeOrdersFeature::batchFillLimitOrders/MISMATCHED_ARRAY_LENGTHS"
    static let batchedFill = Keccak256.selector(
        "_fillLimitOrder((address,address,uint128,uint128,uint128,address,address,address,address,"
            + "bytes32,uint64,uint256),(uint8,uint8,bytes32,bytes32),uint128,address,address)"
    )
    static let paysProtocolFee = true
    static let members = 12

    init(_ input: inout ProxyCalldata) throws(CallFailure) {
        self.init(
            makerToken: try input.address(),
            takerToken: try input.address(),
            makerAmount: try input.uint128(),
            takerAmount: try input.uint128(),
            takerTokenFeeAmount: try input.uint128(),
            maker: try input.address(),
            taker: try input.address(),
            sender: try input.address(),
            feeRecipient: try input.address(),
            pool: try input.word(),
            expiry: try input.uint64(),
            salt: try input.number()
        )
    }

    var isWellFormed: Bool { true }
    var takerTokenFee: UInt128 { takerTokenFeeAmount }
    var takerTokenFeeRecipient: Address { feeRecipient }

    func refusal(
        hash: OrderHash,
        caller: Address,
        isAllowed: (Address) throws(CallFailure) -> Bool
    ) throws(CallFailure) -> ExchangeRevertV4? {
        guard taker == .zero || taker == caller else {
            return .orderNotFillableByTaker(hash, taker: caller, orderTaker: taker)
        }
        guard sender == .zero || sender == caller else {
            return .orderNotFillableBySender(hash, sender: caller, orderSender: sender)
        }
        return nil
    }

    func log(_ fill: ExchangeLogV4.Fill, _ fees: ExchangeLogV4.Fees) -> ExchangeLogV4 {
        .limitOrderFilled(fill, fees)
    }
}

extension RfqOrderV4: SettledOrderV4 {
    static let batchFillLengths =
        "BatchFillNativeOrdersFeature::batchFillRfqOrders/MISMATCHED_ARRAY_LENGTHS"
    static let batchedFill = Keccak256.selector(
        "_fillRfqOrder((address,address,uint128,uint128,address,address,address,bytes32,uint64,"
            + "uint256),(uint8,uint8,bytes32,bytes32),uint128,address,bool,address)"
    )
    static let paysProtocolFee = false
    static let members = 10

    init(_ input: inout ProxyCalldata) throws(CallFailure) {
        self.init(
            makerToken: try input.address(),
            takerToken: try input.address(),
            makerAmount: try input.uint128(),
            takerAmount: try input.uint128(),
            maker: try input.address(),
            taker: try input.address(),
            txOrigin: try input.address(),
            pool: try input.word(),
            expiry: try input.uint64(),
            salt: try input.number()
        )
    }

    var isWellFormed: Bool { txOrigin != .zero }
    var takerTokenFee: UInt128 { 0 }
    var takerTokenFeeRecipient: Address { .zero }

    func refusal(
        hash: OrderHash,
        caller: Address,
        isAllowed: (Address) throws(CallFailure) -> Bool
    ) throws(CallFailure) -> ExchangeRevertV4? {
        if txOrigin != caller {
            guard try isAllowed(txOrigin) else {
                return .orderNotFillableByOrigin(hash, txOrigin: caller, orderTxOrigin: txOrigin)
            }
        }
        guard taker == .zero || taker == caller else {
            return .orderNotFillableByTaker(hash, taker: caller, orderTaker: taker)
        }
        return nil
    }

    func log(_ fill: ExchangeLogV4.Fill, _ fees: ExchangeLogV4.Fees) -> ExchangeLogV4 {
        .rfqOrderFilled(fill)
    }
}

extension Keccak256 {
    /// The first four bytes of a signature's hash, as a number.
    fileprivate static func selector(_ signature: String) -> UInt32 {
        UInt32(truncatingIfNeeded: hash(signature.utf8).limbs.0 >> 32)
    }
}
