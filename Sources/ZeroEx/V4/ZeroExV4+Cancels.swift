public import Ethereum

extension ZeroExV4 {
    /// `cancelLimitOrder`, or `batchCancelLimitOrders` for several: each order's whole rest.
    ///
    /// An order that is already filled or cancelled does not revert and emits the same event: only
    /// its state shows its outcome.
    public func cancelCall(
        _ orders: [any SignedOrder],
        contracts: ExchangeContracts
    ) -> ExchangeCall {
        let terms = orders.map { signedTerms(of: $0).terms }
        let call: OrderCallV4<LimitOrderV4> =
            if terms.count == 1, let only = terms.first { .cancel(only) } else {
                .batchCancel(terms)
            }
        return exchangeCall(
            .limit(call),
            gasFloor: GasFloorV4.cancel(count: terms.count),
            contracts: contracts
        )
    }

    /// `cancelPairLimitOrders`, or `batchCancelPairLimitOrders` for several.
    ///
    /// It reverts if a minimum salt is below the current one.
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
        return exchangeCall(
            .limit(call),
            gasFloor: GasFloorV4.cancelPairs(count: cancels.count),
            contracts: contracts
        )
    }

    /// The time is in the high bits of a salt.
    public func minValidSalt(from time: UInt64) -> UInt256? {
        salt(random: .zero, now: time)
    }

    /// A simulated `cancelPairLimitOrders` with the order's own salt, which is never sent.
    ///
    /// The contract rejects a minimum salt only if it is below the current one, and has no other
    /// function that shows this.
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

    /// The current minimum salt in `CancelSaltTooLowError`.
    public func minValidSalt(revertedWith data: [UInt8]) -> UInt256? {
        guard case .cancelSaltTooLow(_, let minimum)? = ExchangeRevertV4(data) else { return nil }
        return minimum
    }
}
