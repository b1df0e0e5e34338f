import DexStore
import Ethereum
import ZeroEx

/// An operation that an agent may plan, and that is planned again within its bounds when it is
/// carried out.
package protocol AgentOperation: Operation {
    /// The request by which an earlier plan of the same is planned again.
    ///
    /// - Throws: `DexError`, as of a token whose contract does not answer.
    func request(_ request: Request, within bounds: PlanBounds) async throws(DexError) -> Request
}

extension MarketOrderModel: AgentOperation {
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
        exact.via = VenueChoice(venue)
        return exact
    }
}

extension LimitOrderModel: AgentOperation {
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
