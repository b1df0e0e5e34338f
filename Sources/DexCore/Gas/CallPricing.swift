import Ethereum

/// What a chain asks for the very calls that are signed, beside the price of gas that holds for
/// all: a rollup's data fee; on Linea the tip, which depends on the bytes; on Tempo the token that
/// pays.
struct CallPricing {
    let session: Session

    /// The gas of steps at these fees, with what the chain asks for their calls.
    ///
    /// - Throws: `DexError`, as `priced` and `GasPricing.plan`.
    func plan(
        _ steps: [PlannedStep],
        _ fees: FeeSnapshot,
        ether: Wei,
        settings: TradeSettings
    ) async throws(DexError) -> GasPlan {
        let limits = steps.map(\.gasLimit)
        return try GasPricing.plan(
            limits,
            fees: try await priced(fees, for: limits),
            ether: ether,
            settings: settings
        )
    }

    /// The fees with those of the calls; one request, none where the chain has no such fee.
    ///
    /// - Throws: `DexError`, exit 4: the chain does not say what it takes.
    func priced(
        _ fees: FeeSnapshot,
        for limits: [GasLimit]
    ) async throws(DexError) -> FeeSnapshot {
        let rules = session.network.fees
        if rules.paidIn == .tokens {
            var fees = fees
            fees.tokens = try await FeeTokens(session: session).payers(of: limits)
            return fees
        }
        guard rules.rollupFee != .none || rules.market == .estimate, !limits.isEmpty else {
            return fees
        }
        var batch = ReadBatch()
        let oracle = RollupOracle(kind: rules.rollupFee, chainID: session.network.chainID)
        let costs = limits.map { oracle.ask($0, in: &batch) }
        let tips =
            rules.market == .estimate ? limits.map { batch.add(.lineaTip($0.request)) } : []
        let answers = try await batch.send(to: session.chain)
        var fees = fees
        for cost in costs { fees.rollup = fees.rollup.adding(try answers.value(cost)) }
        // nil: a call that cannot be estimated yet, or a node without the method; what others pay
        // and eth_gasPrice then decide.
        let asked = tips.compactMap { try? answers[$0].get() }
        if let maximum = asked.max() {
            fees.tips = Dictionary(FeePriority.allCases.map { ($0, maximum) }) { $1 }
            fees.unread = nil
        }
        return fees
    }
}
