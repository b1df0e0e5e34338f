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
        let limit = ExchangeCallV4.limit(call)
        return ExchangeCall(
            to: contracts.exchange,
            data: limit.data,
            protocolFeeGas: 0,
            gasFloor: Self.gasFloor(cancelling: terms.count),
            function: limit.function.name
        )
    }

    /// One was measured at 55,000; each further one writes a word that was zero (22,100), logs an
    /// event and passes 384 bytes.
    private static func gasFloor(cancelling count: Int) -> UInt64 {
        25_000 + 30_000 * UInt64(count)
    }
}
