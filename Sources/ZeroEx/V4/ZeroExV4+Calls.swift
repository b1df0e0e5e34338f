public import Ethereum

extension ZeroExV4 {
    /// true: no v4 call takes a total, so each order is filled by its own amount.
    public var marketCallCapsEachOrder: Bool { true }

    /// Skipping only: it makes no token queries, so it fails only if every call does.
    public var fillModes: [FillMode] { [.skipping] }

    /// An order of another maker, with a fee to a new recipient, and one balance that was zero.
    public var gasPerOrder: GasFloor {
        GasFloor(110_000, newWords: 2, changedWords: 3, payments: 1, newAccounts: 1)
    }

    /// `batchFillLimitOrders`, for a single order `fillLimitOrder`.
    ///
    /// The amounts add up to at most the total; the last ones are cut. What an order cannot fill
    /// does not move on to the others, so the call has no backup orders: they would be filled in
    /// addition.
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
    /// In throwing mode, the first order filled below its amount reverts all of them.
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

    /// `fillLimitOrder` or `fillRfqOrder`; the contract caps the amount at the order's rest.
    ///
    /// An order of which nothing can be filled reverts with the reason, in either mode.
    public func fillCall(
        _ fill: PlannedFill,
        mode: FillMode,
        contracts: ExchangeContracts
    ) -> ExchangeCall {
        if let quote = fill.order as? SignedRfqOrderV4 {
            return exchangeCall(
                .rfq(.fill(quote.terms, quote.signature, amount: amount(fill.takerAmount))),
                // RFQ orders have no protocol fee, so no ether is sent.
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

    /// The taker token of each order.
    ///
    /// Zero for a skipped order, and if the maker would pay nothing: then nothing moves, although
    /// the call succeeds.
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

    /// The contract's own errors with their arguments.
    ///
    /// The words of `require` only if they are about its fee, since those words are not clear.
    public func revertReason(_ data: [UInt8]) -> String? {
        guard let revert = ExchangeRevertV4(data) else { return nil }
        if case .words(let words) = revert, !words.hasPrefix("FixinProtocolFees/") { return nil }
        return revert.description
    }

    private static func moved(_ amounts: FillAmountsV4) -> UInt256 {
        amounts.maker == 0 ? .zero : UInt256(amounts.taker)
    }

    /// - Parameter orders: those that pay a protocol fee.
    func exchangeCall(
        _ call: ExchangeCallV4,
        orders: Int = 0,
        gasFloor: GasFloor,
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

    /// An order has at most 128 bits of anything, so a fill has no more.
    private func amount(_ amount: UInt256) -> UInt128 {
        amount.uint128 ?? .max
    }

    /// The signed terms and the signature; an empty signature for an order of another version.
    func signedTerms(
        of order: any SignedOrder
    ) -> (terms: LimitOrderV4, signature: SignatureV4) {
        if let order = order as? SignedOrderV4 { return (order.terms, order.signature) }
        // For another version: `verify` has rejected it, and so does the contract.
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
