public import Ethereum

extension ZeroExV4 {
    /// true: v4 has no call that knows a total, so each order is filled by its own amount.
    public var marketCallCapsEachOrder: Bool { true }

    /// Skipping alone: it asks nothing of tokens, so it fails only where every call does.
    public var fillModes: [FillMode] { [.skipping] }

    /// One of another maker, with a fee to a new recipient, and one balance that was zero.
    public var gasPerOrder: UInt64 { 110_000 }

    /// `batchFillLimitOrders` with amounts that come to no more than the total, cut off at the end.
    ///
    /// For a single order `fillLimitOrder`.
    ///
    /// Whatever an order cannot fill moves on to none of the others, so backup orders have no place
    /// in the call: they would be filled in addition.
    public func marketCall(
        _ fills: [PlannedFill],
        total: UInt256,
        mode: FillMode,
        contracts: ExchangeContracts
    ) -> ExchangeCall {
        var left = total
        var capped: [PlannedFill] = []
        for fill in fills where left != .zero && fill.takerAmount != .zero {
            let amount = min(fill.takerAmount, left)
            left = left.subtractingReportingOverflow(amount).partialValue
            capped.append(PlannedFill(order: fill.order, takerAmount: amount))
        }
        return batchCall(capped, mode: mode, contracts: contracts)
    }

    /// `batchFillLimitOrders`, for a single order `fillLimitOrder`.
    ///
    /// Throwing, the first order that is filled by less than its amount reverts all of them.
    public func batchCall(
        _ fills: [PlannedFill],
        mode: FillMode,
        contracts: ExchangeContracts
    ) -> ExchangeCall {
        if fills.count == 1, let fill = fills.first {
            return fillCall(fill, mode: mode, contracts: contracts)
        }
        let signed = fills.map { signedTerms(of: $0.order) }
        let call = OrderCallV4.batchFill(
            signed.map(\.terms),
            signed.map(\.signature),
            amounts: fills.map { amount($0.takerAmount) },
            revertIfIncomplete: mode == .throwing
        )
        let shapes = signed.map { GasFloorV4.Fill($0.terms) }
        return exchangeCall(
            .limit(call),
            orders: fills.count,
            gasFloor: GasFloorV4.batchFill(
                shapes,
                withProtocolFee: contracts.protocolFeeMultiplier > 0
            ),
            contracts: contracts
        )
    }

    /// `fillLimitOrder`, or `fillRfqOrder`: more than the order's rest is cut down to it by the
    /// contract, and an order of which nothing can be filled reverts with the reason, in either mode.
    public func fillCall(
        _ fill: PlannedFill,
        mode: FillMode,
        contracts: ExchangeContracts
    ) -> ExchangeCall {
        if let quote = fill.order as? SignedRfqOrderV4 {
            return exchangeCall(
                .rfq(.fill(quote.terms, quote.signature, amount: amount(fill.takerAmount))),
                // The exchange takes no fee for them, and no ether either.
                orders: 0,
                gasFloor: GasFloorV4.fill(
                    GasFloorV4.Fill(maker: quote.maker, feeRecipient: nil),
                    withProtocolFee: false
                ),
                contracts: contracts
            )
        }
        let (terms, signature) = signedTerms(of: fill.order)
        return exchangeCall(
            .limit(.fill(terms, signature, amount: amount(fill.takerAmount))),
            orders: 1,
            gasFloor: GasFloorV4.fill(
                GasFloorV4.Fill(terms),
                withProtocolFee: contracts.protocolFeeMultiplier > 0
            ),
            contracts: contracts
        )
    }

    /// The taker token over all orders of the call; nil for calls that fill nothing.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    public func filledAmount(
        returned: [UInt8],
        by call: ExchangeCall
    ) throws(ExchangeError) -> UInt256? {
        guard let amounts = try filledAmounts(returned: returned, by: call) else { return nil }
        return amounts.reduce(.zero) { $0.addingSaturating($1) }
    }

    /// The taker token of each order; zero for one that was skipped, and where the maker would pay
    /// nothing: then nothing moves, though the call succeeds.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    public func filledAmounts(
        returned: [UInt8],
        by call: ExchangeCall
    ) throws(ExchangeError) -> [UInt256]? {
        let functions: [ExchangeFunctionV4] = [
            .fillLimitOrder, .batchFillLimitOrders, .fillRfqOrder,
        ]
        guard let function = functions.first(where: { $0.name == call.function }) else {
            return nil
        }
        switch try ExchangeAnswerV4(returned, of: function) {
        case .fill(let amounts): return [Self.moved(amounts)]
        case .batchFill(let fills): return fills.map(Self.moved)
        default: throw .unreadableAnswer("\(returned.count) bytes returned by \(call.function)")
        }
    }

    /// The contract's own errors with their arguments; the words of `require` only where they are
    /// about its fee, which they do not say plainly.
    public func revertReason(_ data: [UInt8]) -> String? {
        guard let revert = ExchangeRevertV4(data) else { return nil }
        if case .words(let words) = revert, !words.hasPrefix("FixinProtocolFees/") { return nil }
        return revert.description
    }

    private static func moved(_ amounts: FillAmountsV4) -> UInt256 {
        amounts.maker == 0 ? .zero : UInt256(amounts.taker)
    }

    private func exchangeCall(
        _ call: ExchangeCallV4,
        orders: Int,
        gasFloor: UInt64,
        contracts: ExchangeContracts
    ) -> ExchangeCall {
        ExchangeCall(
            to: contracts.exchange,
            data: call.data,
            // Two numbers of 32 bits: no call has more orders.
            protocolFeeGas: UInt64(UInt32(clamping: orders))
                * UInt64(contracts.protocolFeeMultiplier),
            gasFloor: gasFloor,
            function: call.function.name
        )
    }

    /// No order has more than 128 bits of anything, so neither is more of it filled.
    private func amount(_ amount: UInt256) -> UInt128 {
        amount.uint128 ?? .max
    }

    /// What the maker signed, and the signature; none for an order of another version.
    func signedTerms(
        of order: any SignedOrder
    ) -> (terms: LimitOrderV4, signature: SignatureV4) {
        if let order = order as? SignedOrderV4 { return (order.terms, order.signature) }
        // Of another version: `verify` has refused it, and so does the contract.
        let terms = LimitOrderV4(
            makerToken: order.makerToken,
            takerToken: order.takerToken,
            makerAmount: amount(order.makerAmount),
            takerAmount: amount(order.takerAmount),
            takerTokenFeeAmount: amount(order.takerFee),
            maker: order.maker,
            taker: order.taker,
            feeRecipient: order.feeRecipient,
            expiry: order.expiry.uint64 ?? .max,
            salt: order.salt
        )
        return (terms, SignatureV4(type: 0, v: 0, r: .zero, s: .zero))
    }
}
