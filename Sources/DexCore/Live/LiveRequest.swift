package import Ethereum
package import ZeroEx

/// What a trader asks for at the full screen.
package enum LiveRequest: Sendable {
    /// - Parameter slippage: hundredths of a percent.
    case market(MarketRequest, slippage: UInt64)
    case limit(LimitRequest)
    case replace(ReplaceOrderRequest)
    case cancel(OrderHash)
}

extension OperationContext {
    /// Plans a request, as its command does.
    ///
    /// A market order at a price that is compared with nothing may need a flag there, and needs a
    /// word here.
    ///
    /// - Throws: as the operation's `plan`.
    package func plan(
        _ request: LiveRequest,
        account: Address
    ) async throws(DexError) -> any RunnablePlan {
        switch request {
        case .market(let request, let slippage):
            var settings = settings
            settings.slippage = slippage
            settings.allowsUncheckedPrice = true
            let context = OperationContext(session: session, journal: journal, settings: settings)
            let plan = try await MarketOrderModel(context).plan(request, account: account)
            return ReadyPlan(plan, PlanRunner(context))
        case .limit(let request):
            let plan = try await LimitOrderModel(self).plan(request, account: account)
            return ReadyPlan(plan, PlanRunner(self))
        case .replace(let request):
            let plan = try await ReplaceOrderModel(self).plan(request, account: account)
            return ReadyPlan(plan, PlanRunner(self))
        case .cancel(let hash):
            let plan = try await CancelModel(self).plan(.hashes([hash]), account: account)
            return ReadyPlan(plan, PlanRunner(self))
        }
    }
}
