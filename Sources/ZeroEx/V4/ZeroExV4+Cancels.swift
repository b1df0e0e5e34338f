public import Ethereum

extension ZeroExV4 {
    /// `cancelLimitOrder`, or `batchCancelLimitOrders` for several: of each order its whole rest.
    ///
    /// One that is filled or cancelled already does not revert, and its event is emitted all the
    /// same: what became of it is in its state alone.
    public func cancelCall(
        _ orders: [any SignedOrder],
        contracts: ExchangeContracts
    ) -> ExchangeCall {
        let terms = orders.map { signedTerms(of: $0).terms }
        let call: OrderCallV4<LimitOrderV4> =
            if terms.count == 1, let only = terms.first { .cancel(only) } else {
                .batchCancel(terms)
            }
        return cancelCall(
            call,
            gasFloor: GasFloorV4.cancel(count: terms.count),
            contracts: contracts
        )
    }

    /// `cancelPairLimitOrders`, or `batchCancelPairLimitOrders` for several.
    ///
    /// It reverts where a least salt is below the one that was set before.
    public func pairCancelCall(
        _ cancels: [PairCancel],
        contracts: ExchangeContracts
    ) -> ExchangeCall? {
        let call: OrderCallV4<LimitOrderV4> =
            if cancels.count == 1, let only = cancels.first {
                .cancelPair(
                    PairCancelV4(
                        makerToken: only.makerToken,
                        takerToken: only.takerToken,
                        minValidSalt: only.minimumSalt
                    )
                )
            } else {
                .batchCancelPair(
                    makerTokens: cancels.map(\.makerToken),
                    takerTokens: cancels.map(\.takerToken),
                    minValidSalts: cancels.map(\.minimumSalt)
                )
            }
        return cancelCall(
            call,
            gasFloor: GasFloorV4.cancelPairs(count: cancels.count),
            contracts: contracts
        )
    }

    /// The time stands in the high bits of a salt.
    public func minValidSalt(from time: UInt64) -> UInt256? {
        salt(random: .zero, now: time)
    }

    /// `cancelPairLimitOrders` by the order's own salt, which is never sent: the contract takes a
    /// least salt unless it is below the one that was set before, and it has no other word for that.
    public func saltCheck(of draft: OrderDraft) -> CallRequest? {
        let cancel = PairCancelV4(
            makerToken: draft.makerToken,
            takerToken: draft.takerToken,
            minValidSalt: draft.salt
        )
        return CallRequest(
            from: draft.maker,
            to: draft.exchange,
            data: ExchangeCallV4.limit(.cancelPair(cancel)).data
        )
    }

    /// The old least salt in `CancelSaltTooLowError`.
    public func minValidSalt(revertedWith data: [UInt8]) -> UInt256? {
        guard case .cancelSaltTooLow(_, let least)? = ExchangeRevertV4(data) else { return nil }
        return least
    }

    private func cancelCall(
        _ call: OrderCallV4<LimitOrderV4>,
        gasFloor: UInt64,
        contracts: ExchangeContracts
    ) -> ExchangeCall {
        let call = ExchangeCallV4.limit(call)
        return ExchangeCall(
            to: contracts.exchange,
            data: call.data,
            protocolFeeGas: 0,
            gasFloor: gasFloor,
            function: call.function.name
        )
    }
}
