import Ethereum
import ZeroEx

/// The Exchange Proxy of 0x v4 with the native order functions: dispatch of functions and
/// arguments.
///
/// It reads call data with its own code (`ProxyCalldata`), so that it and the codec of ZeroEx check
/// each other. ZeroEx writes answers, errors and events; the vectors of executed calls and the
/// contract's twin on an EVM check those.
struct ExchangeProxyContract {
    let contracts: Contracts
    let execution: Execution
    /// The caller: `msg.sender`, and also `tx.origin`, since no contract here calls this one.
    let caller: Address
    /// The ether sent along in wei, already moved to the exchange.
    let value: UInt256

    var address: Address { contracts.exchangeProxy }

    /// The contracts that implement the proxy's functions.
    private static let nativeOrders = Address(
        truncating: Keccak256.hash("dex sandbox: NativeOrdersFeature".utf8)
    )
    private static let batchFills = Address(
        truncating: Keccak256.hash("dex sandbox: BatchFillNativeOrdersFeature".utf8)
    )

    static func feature(of function: ExchangeFunctionV4) -> Address {
        switch function {
        case .batchFillLimitOrders, .batchFillRfqOrders: batchFills
        default: nativeOrders
        }
    }

    func run(_ data: [UInt8]) throws(CallFailure) -> [UInt8] {
        // Plain ether is accepted: fee refunds arrive this way.
        guard !data.isEmpty else { return [] }
        // A shorter selector is padded with zeros.
        let selector = (0..<4).reduce(UInt32(0)) {
            $0 << 8 | UInt32($1 < data.count ? data[$1] : 0)
        }
        try execution.charge(.nativeEntry)
        let slot = ExchangeProxyStorage.implementation(selector)
        let implementation = try execution.load(StorageKey(address, slot))
        guard implementation != .zero, let function = ExchangeFunctionV4(rawValue: selector) else {
            throw .exchange(.notImplemented(selector: selector))
        }
        try execution.touch(Address(truncating: implementation.word))
        guard value == .zero || function.takesEther else { throw .revert([]) }
        return try answer(ExchangeCallV4(function, calldata: data)).data
    }

    private func answer(_ call: ExchangeCallV4) throws(CallFailure) -> ExchangeAnswerV4 {
        switch call {
        case .limit(let call): return try run(call)
        case .rfq(let call): return try run(call)
        case .getProtocolFeeMultiplier:
            return .protocolFeeMultiplier(contracts.protocolFeeMultiplier)
        case .registerAllowedRfqOrigins(let origins, let allowed):
            for origin in origins {
                try register(ExchangeProxyStorage.allowedOrigin(caller, origin), allowed)
            }
            try emit(.rfqOrderOriginsAllowed(origin: caller, origins, allowed: allowed))
            return .nothing
        case .registerAllowedOrderSigner(let signer, let allowed):
            try register(ExchangeProxyStorage.allowedSigner(maker: caller, signer), allowed)
            try emit(.orderSignerRegistered(maker: caller, signer: signer, allowed: allowed))
            return .nothing
        case .isValidOrderSigner(let maker, let signer):
            return .isValidOrderSigner(try isSigner(signer, of: maker))
        }
    }

    /// A call about orders of one kind.
    private func run<Order: SettledOrderV4>(
        _ call: OrderCallV4<Order>
    ) throws(CallFailure) -> ExchangeAnswerV4 {
        switch call {
        case .fill(let order, let signature, let amount):
            let fill = try fill(order, signature, amount: amount)
            try refund(allBut: fill.protocolFee)
            return .fill(fill.amounts)
        case .fillOrKill(let order, let signature, let amount):
            return .fillOrKill(try fillOrKill(order, signature, amount: amount))
        case .batchFill(let orders, let signatures, let amounts, let revertIfIncomplete):
            guard orders.count == signatures.count, orders.count == amounts.count else {
                throw .exchange(.words(Order.batchFillLengths))
            }
            return .batchFill(
                try batchFill(
                    Array(zip(orders, signatures)),
                    amounts,
                    revertIfIncomplete: revertIfIncomplete
                )
            )
        case .cancel(let order):
            try cancel(order)
            return .nothing
        case .batchCancel(let orders):
            for order in orders { try cancel(order) }
            return .nothing
        case .cancelPair(let pair):
            try cancel(pair, Order.kind, of: caller)
            return .nothing
        case .batchCancelPair(let makerTokens, let takerTokens, let salts):
            try batchCancel(makerTokens, takerTokens, salts, Order.kind)
            return .nothing
        case .cancelPairWithSigner(let maker, let pair):
            guard try isSigner(caller, of: maker) else {
                throw .exchange(.invalidSigner(maker: maker, signer: caller))
            }
            try cancel(pair, Order.kind, of: maker)
            return .nothing
        case .info(let order): return .info(try info(order))
        case .relevantState(let order, let signature):
            return .relevantState(try relevantState(order, signature))
        case .batchRelevantStates(let orders, let signatures):
            guard orders.count == signatures.count else {
                throw .exchange(.words("NativeOrdersFeature/MISMATCHED_ARRAY_LENGTHS"))
            }
            return .batchRelevantStates(try relevantStates(Array(zip(orders, signatures))))
        case .hash(let order):
            try execution.charge(.nativeHash)
            return .hash(order.hash(in: contracts.domain))
        }
    }

    // MARK: Parts

    private func register(_ slot: Slot, _ allowed: Bool) throws(CallFailure) {
        try execution.store(StorageKey(address, slot), allowed ? 1 : .zero)
    }

    /// The maker registered the signer.
    func isSigner(_ signer: Address, of maker: Address) throws(CallFailure) -> Bool {
        let slot = ExchangeProxyStorage.allowedSigner(maker: maker, signer)
        return try execution.load(StorageKey(address, slot)) != .zero
    }

    func emit(_ log: ExchangeLogV4) throws(CallFailure) {
        let (topics, data) = log.encoded
        try execution.emit(address, topics: topics, data: data)
    }
}

extension CallFailure {
    /// A revert with an error of the v4 contract.
    static func exchange(_ revert: ExchangeRevertV4) -> CallFailure {
        .revert(revert.data)
    }
}

extension ExchangeFunctionV4 {
    /// Ether may be sent along for the protocol fee.
    fileprivate var takesEther: Bool {
        switch self {
        case .fillLimitOrder, .fillOrKillLimitOrder, .batchFillLimitOrders: true
        default: false
        }
    }
}
