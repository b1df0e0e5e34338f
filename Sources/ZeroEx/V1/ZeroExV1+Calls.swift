public import Ethereum

extension ZeroExV1 {
    /// false: `fillOrdersUpTo` has one total and no amount per order.
    public var marketCallCapsEachOrder: Bool { false }

    /// Skipping first; throwing makes no token queries and works if those cost too much gas.
    public var fillModes: [FillMode] { [.skipping, .throwing] }

    /// An order with fees, and one balance that was zero.
    public var gasPerOrder: GasFloor {
        GasFloor(120_000, newWords: 1, changedWords: 5)
    }

    /// `fillOrdersUpTo`; for a single order `fillOrder`.
    ///
    /// `fillOrdersUpTo` stops once the total is used up, so it skips unneeded backup orders.
    /// `fillOrder` does the same to one order (same checks, same LogErrors, same answer) for
    /// 3,092 gas and 384 bytes of call data less. The OrKill calls are not used: a single order
    /// that can no longer be filled reverts them.
    public func marketCall(
        _ fills: [PlannedFill],
        total: UInt256,
        mode: FillMode,
        contracts: ExchangeContracts
    ) -> ExchangeCall {
        if fills.count == 1, let fill = fills.first {
            let amount = min(fill.takerAmount, total)
            return fillCall(
                PlannedFill(order: fill.order, takerAmount: amount),
                mode: mode,
                contracts: contracts
            )
        }
        let (orders, signatures) = arrays(of: fills)
        let call = ExchangeCallV1.fillOrdersUpTo(
            orders,
            fill: total,
            shouldThrow: mode == .throwing,
            signatures
        )
        return exchangeCall(
            call,
            gasFloor: GasFloorV1.fillOrdersUpTo(reached(fills, total: total), mode: mode),
            contracts: contracts
        )
    }

    /// `batchFillOrders`, for a single order `fillOrder`.
    ///
    /// It has no total and never stops early, so it takes no backups. It returns nothing: a
    /// simulation shows only reverts, and the amounts are known from the receipt's events.
    public func batchCall(
        _ fills: [PlannedFill],
        mode: FillMode,
        contracts: ExchangeContracts
    ) -> ExchangeCall {
        if fills.count == 1, let fill = fills.first {
            return fillCall(fill, mode: mode, contracts: contracts)
        }
        let (orders, signatures) = arrays(of: fills)
        let call = ExchangeCallV1.batchFillOrders(
            orders,
            fills: fills.map(\.takerAmount),
            shouldThrow: mode == .throwing,
            signatures
        )
        // Measured: within half a percent of fillOrdersUpTo over the same orders.
        let floor = GasFloorV1.fillOrdersUpTo(fills.map { gasShape(of: $0.order) }, mode: mode)
        return exchangeCall(call, gasFloor: floor, contracts: contracts)
    }

    /// `fillOrder`; the contract caps the amount at the order's rest.
    public func fillCall(
        _ fill: PlannedFill,
        mode: FillMode,
        contracts: ExchangeContracts
    ) -> ExchangeCall {
        let (terms, signature) = signedTerms(of: fill.order)
        let call = ExchangeCallV1.fillOrder(
            OrderAddressesV1(terms),
            OrderValuesV1(terms),
            fill: fill.takerAmount,
            shouldThrow: mode == .throwing,
            signature
        )
        return exchangeCall(
            call,
            gasFloor: GasFloorV1.fillOrder(gasShape(of: fill.order), mode: mode),
            contracts: contracts
        )
    }

    /// `cancelOrder`, or `batchCancelOrders` for several.
    ///
    /// It cancels each order's whole taker amount, which the contract caps at the rest.
    public func cancelCall(
        _ orders: [any SignedOrder],
        contracts: ExchangeContracts
    ) -> ExchangeCall {
        let terms = orders.map { signedTerms(of: $0).terms }
        let call: ExchangeCallV1
        if terms.count == 1, let only = terms.first {
            call = .cancelOrder(
                OrderAddressesV1(only),
                OrderValuesV1(only),
                cancel: only.takerAmount
            )
        } else {
            call = .batchCancelOrders(
                ExchangeCallV1.Orders(terms),
                cancels: terms.map(\.takerAmount)
            )
        }
        return exchangeCall(
            call,
            gasFloor: GasFloorV1.cancel(count: orders.count),
            contracts: contracts
        )
    }

    /// nil: v1 cancels by order only.
    public func pairCancelCall(
        _ cancels: [PairCancel],
        contracts: ExchangeContracts
    ) -> ExchangeCall? {
        nil
    }

    /// nil: v1 salts have no order.
    public func minValidSalt(from time: UInt64) -> UInt256? { nil }

    /// nil: v1 does not cancel by salt.
    public func saltCheck(of draft: OrderDraft) -> CallRequest? { nil }

    /// nil: v1 does not revert because of a salt.
    public func minValidSalt(revertedWith data: [UInt8]) -> UInt256? { nil }

    /// The filled taker amount that `fillOrder` and `fillOrdersUpTo` return.
    ///
    /// nil for calls that return nothing about a fill.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    public func filledAmount(
        returned: [UInt8],
        by call: ExchangeCall
    ) throws(ExchangeError) -> UInt256? {
        let names = [ExchangeCallV1.Function.fillOrder.name, Self.fillOrdersUpTo]
        guard names.contains(call.function) else { return nil }
        guard let amount = Self.number(in: returned) else {
            throw .unreadableAnswer("\(returned.count) bytes returned by \(call.function)")
        }
        return amount
    }

    /// nil: no v1 call returns more than a sum.
    public func filledAmounts(
        returned: [UInt8],
        by call: ExchangeCall
    ) throws(ExchangeError) -> [UInt256]? {
        nil
    }

    /// nil: v1 reverts without a reason.
    public func revertReason(_ data: [UInt8]) -> String? {
        nil
    }

    private static let fillOrdersUpTo = ExchangeCallV1.Function.fillOrdersUpTo.name

    private func exchangeCall(
        _ call: ExchangeCallV1,
        gasFloor: GasFloor,
        contracts: ExchangeContracts
    ) -> ExchangeCall {
        ExchangeCall(
            to: contracts.exchange,
            data: call.data,
            gasFloor: gasFloor,
            function: call.function.name
        )
    }

    private func arrays(
        of fills: [PlannedFill]
    ) -> (ExchangeCallV1.Orders, ExchangeCallV1.Signatures) {
        let signed = fills.map { signedTerms(of: $0.order) }
        let signatures = ExchangeCallV1.Signatures(
            v: signed.map(\.signature.v),
            r: signed.map(\.signature.r),
            s: signed.map(\.signature.s)
        )
        return (ExchangeCallV1.Orders(signed.map(\.terms)), signatures)
    }

    /// The orders that the contract reaches if every fill goes as planned.
    private func reached(_ fills: [PlannedFill], total: UInt256) -> [GasFloorV1.Fill] {
        var left = total
        var reached: [GasFloorV1.Fill] = []
        for fill in fills where left != .zero {
            reached.append(gasShape(of: fill.order))
            let (rest, below) = left.subtractingReportingOverflow(fill.takerAmount)
            left = below ? .zero : rest
        }
        return reached
    }

    private func gasShape(of order: any SignedOrder) -> GasFloorV1.Fill {
        GasFloorV1.Fill(
            maker: order.maker,
            paysFees: order.makerFee != .zero || order.takerFee != .zero
        )
    }

    /// The signed terms as the maker wrote them: fees without a recipient are void but hashed.
    private func signedTerms(
        of order: any SignedOrder
    ) -> (terms: OrderDraft, signature: SignatureFieldsV1) {
        guard let order = order as? SignedOrderV1 else {
            // For another version: `verify` has rejected it, and so does the contract.
            return (OrderDraft(order), SignatureFieldsV1(v: 0, r: .zero, s: .zero))
        }
        return (order.terms, SignatureFieldsV1(order.signature))
    }
}
