import Ethereum

extension ZeroExV4 {
    /// The name of the native order function with this selector.
    public func functionName(of data: [UInt8]) -> String? {
        data.selector.flatMap(ExchangeFunctionV4.init(rawValue:))?.name
    }

    /// The maximum that a call can take from its sender.
    ///
    /// For each order that is at most the call's amount and the order's amount, with the fee on
    /// top, both in taker token. nil for a call that lets another key sign the sender's orders: its
    /// effect has no bound. It is also nil for a batch whose arrays differ in length, which
    /// reverts.
    public func effects(of data: [UInt8]) -> ExchangeCallEffects? {
        guard let call = try? ExchangeCallV4(data: data) else { return nil }  // another call
        var sum = EffectsSum()
        switch call {
        case .limit(let call):
            guard sum.add(call) else { return nil }
            sum.protocolFeeOrders = sum.orders
        case .rfq(let call):
            guard sum.add(call) else { return nil }
        case .registerAllowedOrderSigner(_, allowed: true),
            .registerAllowedRfqOrigins(_, allowed: true):
            return nil
        case .registerAllowedOrderSigner, .registerAllowedRfqOrigins, .getProtocolFeeMultiplier,
            .isValidOrderSigner:
            break
        }
        return ExchangeCallEffects(
            function: call.function.name,
            pays: sum.pays,
            fees: 0,
            receives: sum.receives,
            protocolFeeOrders: sum.protocolFeeOrders,
            isCancel: sum.isCancel
        )
    }
}

/// Adds up the fills of a call; a sum saturates at the maximum on overflow.
private struct EffectsSum {
    var pays: [Address: UInt256] = [:]
    var receives: Set<Address> = []
    var orders: UInt32 = 0
    var protocolFeeOrders: UInt32 = 0
    var isCancel = false

    /// false if the call's arrays differ in length.
    mutating func add<Order: NativeOrderV4>(_ call: OrderCallV4<Order>) -> Bool {
        switch call {
        case .fill(let order, _, let amount), .fillOrKill(let order, _, let amount):
            add(order, filling: amount)
        case .batchFill(let orders, let signatures, let amounts, _):
            guard orders.count == amounts.count, orders.count == signatures.count else {
                return false
            }
            for (order, amount) in zip(orders, amounts) { add(order, filling: amount) }
        case .cancel, .batchCancel, .cancelPair, .batchCancelPair, .cancelPairWithSigner:
            isCancel = true
        case .info, .relevantState, .batchRelevantStates, .hash: break
        }
        return true
    }

    private mutating func add(_ order: some NativeOrderV4, filling amount: UInt128) {
        let filled = min(amount, order.takerAmount)
        let whole = (order as? LimitOrderV4)?.takerTokenFeeAmount ?? 0
        let fee =
            whole == 0
            ? 0
            : FillMathV4.partialAmount(part: filled, of: order.takerAmount, target: whole) ?? whole
        pays[order.takerToken] = (pays[order.takerToken] ?? 0)
            .addingSaturating(UInt256(filled))
            .addingSaturating(UInt256(fee))
        receives.insert(order.makerToken)
        if orders < .max { orders += 1 }
    }
}
