import Ethereum

extension ZeroExV1 {
    /// The name of the function with this selector.
    public func functionName(of data: [UInt8]) -> String? {
        data.selector.flatMap(ExchangeCallV1.Function.init(rawValue:))?.name
    }

    /// The maximum that a call can take from its sender.
    ///
    /// For each order that is at most the call's amount and the order's amount, with its fee.
    public func effects(of data: [UInt8]) -> ExchangeCallEffects? {
        guard let call = try? ExchangeCallV1(data: data) else { return nil }  // another call
        var sum = EffectsSum()
        var isCancel = false
        switch call {
        case .fillOrder(let addresses, let values, let fill, _, _),
            .fillOrKillOrder(let addresses, let values, let fill, _):
            sum.add(addresses, values, fill: fill)
        case .fillOrdersUpTo(let orders, let fill, _, _):
            guard orders.addresses.count == orders.values.count else { return nil }
            for (addresses, values) in zip(orders.addresses, orders.values) {
                sum.add(addresses, values, fill: fill)
            }
            // The orders share the total.
            sum.cap(at: fill)
        case .batchFillOrders(let orders, let fills, _, _),
            .batchFillOrKillOrders(let orders, let fills, _):
            guard orders.addresses.count == orders.values.count,
                orders.addresses.count == fills.count
            else { return nil }
            for (index, fill) in fills.enumerated() {
                sum.add(orders.addresses[index], orders.values[index], fill: fill)
            }
        case .cancelOrder, .batchCancelOrders: isCancel = true
        // A read.
        default: break
        }
        return ExchangeCallEffects(
            function: call.function.name,
            pays: sum.pays,
            fees: sum.fees,
            receives: sum.receives,
            protocolFeeOrders: 0,
            isCancel: isCancel
        )
    }
}

/// Adds up the fills of a call; a sum saturates at the maximum on overflow.
private struct EffectsSum {
    var pays: [Address: UInt256] = [:]
    var fees: UInt256 = 0
    var receives: Set<Address> = []

    mutating func add(_ addresses: OrderAddressesV1, _ values: OrderValuesV1, fill: UInt256) {
        let filled = min(fill, values.takerAmount)
        pays[addresses.takerToken] = (pays[addresses.takerToken] ?? 0).addingSaturating(filled)
        receives.insert(addresses.makerToken)
        guard addresses.feeRecipient != .zero else { return }
        let fee = FillMathV1.partialAmount(
            numerator: filled,
            denominator: values.takerAmount,
            target: values.takerFee
        )
        fees = fees.addingSaturating(fee ?? values.takerFee)
    }

    mutating func cap(at total: UInt256) {
        pays = pays.mapValues { min($0, total) }
    }
}
