import DexStore
package import Ethereum
import ZeroEx

/// Buys or sells at the market.
///
/// It reads and verifies the book and plans; once confirmed, it approves, fills and reports the
/// actual result.
package struct MarketOrderModel: Operation {
    package let context: OperationContext

    package init(_ context: OperationContext) { self.context = context }

    /// The order as of now, simulated if possible; nothing is signed or written.
    ///
    /// - Throws: `DexError` with exit 6 if it is not allowed, 10 if it would fail.
    package func plan(
        _ request: MarketRequest,
        account: Address
    ) async throws(DexError) -> Plan<TradePlan> {
        try await plan(request, account: account, admits: .all)
    }

    /// - Parameter admits: called with each book on which the order is planned, also again right
    ///   before the signature; at pools before the plan and before the signature.
    func plan(
        _ request: MarketRequest,
        account: Address,
        admits: MarketAdmission
    ) async throws(DexError) -> Plan<TradePlan> {
        let venues = try await venues(for: request, account: account, admits: admits)
        let conflicts = InFlight.ConflictPolicy.move(.fill, isAllowed: settings.allowsPending)
        return try await InFlight(session: session, journal: journal, conflicts: conflicts)
            .first(of: account) { () async throws(DexError) in try await venues.plan() }
    }

    /// The venues at which a request is traded, with the pair and the amount that it means.
    ///
    /// - Throws: `DexError`: exit 6 for a slippage that is too high; as `MarketPair` and
    ///   `MarketSizing`.
    func venues(
        for request: MarketRequest,
        account: Address,
        admits: MarketAdmission = .all
    ) async throws(DexError) -> MarketVenues {
        try checkSlippage(request)
        let (pair, size, origin) = try await size(of: request, account: account)
        return MarketVenues(
            context: context,
            request: request,
            size: size,
            origin: origin,
            pair: pair,
            account: account,
            admits: admits
        )
    }

    /// - Throws: `DexError`, exit 6, `slippage-too-high`.
    private func checkSlippage(_ request: MarketRequest) throws(DexError) {
        guard request.limitPrice == nil, settings.slippage > TradeSettings.maximumSlippage,
            !settings.allowsHighSlippage
        else { return }
        let slippage = DecimalText.format(UInt256(settings.slippage), decimals: 2)
        throw TradeError.slippageTooHigh(slippage)
    }

    /// The pair and the number that a request means; nil is the origin of a number of BASE.
    ///
    /// - Throws: `DexError`, as `MarketPair` and `MarketSizing`.
    private func size(
        of request: MarketRequest,
        account: Address
    ) async throws(DexError) -> (pair: Pair, size: MarketSize, origin: AmountOrigin?) {
        if let exact = request.exact { return (exact.pair, exact.size, nil) }
        let pair = try await MarketPair(session: session).pair(request.pair)
        let (size, origin) = try await MarketSizing(session: session, settings: settings)
            .resolve(request, pair: pair, account: account)
        return (pair, size, origin)
    }
}
