import DexCore
import DexTerminal

/// What is done with a plan's operation, whichever that is.
protocol PlanWork {
    associatedtype Result

    /// - Parameters:
    ///   - needs: what its session needs.
    func perform<Work: AgentOperation>(
        _ verb: Work.Type,
        _ request: Work.Request,
        needs: [CommandContext.Need]
    ) async throws -> Result where Work.Content: PlanView
}

extension AgentRequest {
    /// Does something with the operation that this asks for.
    func with<Some: PlanWork>(_ work: Some) async throws -> Some.Result {
        switch self {
        case .market(let request, _):
            let needs: [CommandContext.Need] =
                request.via == .book ? [.relay, .node] : [.node, .swap(request.via)]
            return try await work.perform(
                MarketOrderModel.self,
                request,
                needs: needs
            )
        case .limit(let request):
            return try await work.perform(
                LimitOrderModel.self,
                request,
                needs: [.relay, .node]
            )
        case .cancel(let orders):
            return try await work.perform(
                CancelModel.self,
                .hashes(orders),
                needs: [.node]
            )
        }
    }

    /// The settings of trades, with what it says of them.
    func settings(_ context: CommandContext) throws -> TradeSettings {
        var settings = try context.tradeSettings()
        if case .market(_, let slippage?) = self { settings.slippage = slippage }
        return settings
    }
}
