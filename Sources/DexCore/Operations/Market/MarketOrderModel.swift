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
        if request.limitPrice == nil, settings.slippage > TradeSettings.mostSlippage,
            !settings.allowsHighSlippage
        {
            let slippage = DecimalText.format(UInt256(settings.slippage), decimals: 2)
            throw TradeError.slippageTooHigh(slippage)
        }
        let pair: Pair
        let size: MarketSize
        var origin: AmountOrigin?
        if let exact = request.exact {
            (pair, size) = (exact.pair, exact.size)
        } else {
            pair = try await MarketPair(session: session).pair(request.pair)
            (size, origin) = try await MarketSizing(session: session, settings: settings)
                .resolve(request, pair: pair, account: account)
        }
        let conflicts = InFlight.ConflictPolicy.move(.fill, isAllowed: settings.allowsPending)
        return try await InFlight(session: session, journal: journal, conflicts: conflicts)
            .first(of: account) { () async throws(DexError) in
                try await MarketVenues(
                    context: context,
                    request: request,
                    size: size,
                    origin: origin,
                    pair: pair,
                    account: account,
                    admits: admits
                ).plan()
            }
    }
}
