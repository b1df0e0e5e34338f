import DexStore
import Ethereum
import ZeroEx

/// An operation that an agent may plan, and that is planned again within its bounds when it is
/// carried out.
package protocol AgentOperation: Operation {
    /// The amounts and terms of a plan, without the contracts of its signatures.
    func bounds(of planned: Planned) -> PlanBounds

    /// The most that its gas may cost.
    func gas(of planned: Planned) -> GasPlan?

    /// What must be typed to sign it; nil if a yes is enough.
    func guardWord(of planned: Planned) -> String?

    /// The request by which an earlier plan of the same is planned again.
    ///
    /// - Throws: `DexError`, as of a token whose contract does not answer.
    func request(_ request: Request, within bounds: PlanBounds) async throws(DexError) -> Request
}

extension MarketOrderModel: AgentOperation {
    package func bounds(of planned: MarketPlan) -> PlanBounds {
        let plan = planned.plan
        var bounds = PlanBounds(
            account: plan.account,
            chainID: session.network.chainID,
            terms: .trade(
                PairTerms(planned.pair),
                venue: plan.venue,
                planned.size,
                within: MarketPlanner.Confirmed(
                    pay: plan.maximumPay,
                    minimumReceive: plan.minimumReceive,
                    maximumFee: plan.maximumFees?.raw ?? .zero,
                    cost: plan.maximumCost,
                    worst: plan.worst
                )
            )
        )
        bounds.pays = .init(token: plan.payToken.address, raw: plan.maximumCost)
        bounds.receives = .init(token: plan.receiveToken.address, raw: plan.minimumReceive)
        bounds.fees = plan.maximumFees.map { .init(token: $0.token.address, raw: $0.raw) }
        return bounds
    }

    package func gas(of planned: MarketPlan) -> GasPlan? { planned.plan.gas }

    package func guardWord(of planned: MarketPlan) -> String? { planned.plan.guardWord }

    package func request(
        _ request: MarketRequest,
        within bounds: PlanBounds
    ) async throws(DexError) -> MarketRequest {
        guard case .trade(let pair, let venue, let size, let within) = bounds.terms else {
            return request
        }
        var exact = request
        exact.exact = MarketRequest.Exact(
            pair: try await ConfirmedPair(session: session).pair(pair),
            size: size,
            within: within
        )
        exact.via =
            switch venue {
            case .book: .book
            case .swap: .swap
            case .pools: .pools
            }
        return exact
    }
}

extension LimitOrderModel: AgentOperation {
    package func bounds(of planned: PlannedLimitOrder) -> PlanBounds {
        let plan = planned.plan
        var bounds = PlanBounds(
            account: plan.account,
            chainID: session.network.chainID,
            terms: .order(
                PairTerms(plan.pair),
                makerAmount: plan.draft.makerAmount,
                takerAmount: plan.draft.takerAmount,
                expiry: plan.expires
            )
        )
        let fee = plan.makerFee.flatMap { $0.raw == .zero ? nil : $0 }
        let isOnTop = fee?.token.address == plan.give.token.address
        bounds.pays = .init(
            token: plan.give.token.address,
            raw: plan.give.raw.addingSaturating(isOnTop ? fee?.raw ?? .zero : .zero)
        )
        bounds.receives = .init(token: plan.get.token.address, raw: plan.get.raw)
        bounds.fees = fee.map { .init(token: $0.token.address, raw: $0.raw) }
        return bounds
    }

    package func gas(of planned: PlannedLimitOrder) -> GasPlan? { planned.plan.gas }

    package func guardWord(of planned: PlannedLimitOrder) -> String? { planned.plan.guardWord }

    package func request(
        _ request: LimitRequest,
        within bounds: PlanBounds
    ) async throws(DexError) -> LimitRequest {
        guard case .order(let pair, let maker, let taker, let expiry) = bounds.terms else {
            return request
        }
        var exact = request
        exact.expiry = .at(expiry)
        exact.exact = LimitRequest.Exact(
            pair: try await ConfirmedPair(session: session).pair(pair),
            makerAmount: maker,
            takerAmount: taker
        )
        return exact
    }
}

extension CancelModel: AgentOperation {
    package func bounds(of planned: PlannedCalls<CancelPlan>) -> PlanBounds {
        PlanBounds(
            account: planned.plan.account,
            chainID: session.network.chainID,
            terms: .cancel(planned.plan.orders.map(\.order.hash))
        )
    }

    package func gas(of planned: PlannedCalls<CancelPlan>) -> GasPlan? { planned.gas }

    package func guardWord(of planned: PlannedCalls<CancelPlan>) -> String? { nil }

    package func request(
        _ request: CancelRequest,
        within bounds: PlanBounds
    ) async throws(DexError) -> CancelRequest {
        guard case .cancel(let orders) = bounds.terms else { return request }
        return .hashes(orders)
    }
}

extension ConfirmedPair {
    fileprivate func pair(_ terms: PairTerms) async throws(DexError) -> Pair {
        try await pair(
            PairAddresses(base: terms.base, quote: terms.quote),
            decimals: (terms.baseDecimals, terms.quoteDecimals)
        )
    }
}
