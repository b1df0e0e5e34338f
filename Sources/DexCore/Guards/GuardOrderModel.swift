import DexStore
import Ethereum

/// The order of a guard that fires: a market order on the book with the guard's limit.
///
/// It is planned, checked against the rules and signed as `dex market-sell` and `dex market-buy`
/// do. Its intent takes the guard in the same transaction of the journal.
struct GuardOrderModel: Operation {
    let context: OperationContext

    init(_ context: OperationContext) { self.context = context }

    func plan(_ request: JournalGuard, account: Address) async throws(DexError) -> PlannedGuard {
        let order = MarketRequest(
            side: TradeSide(request.side),
            pair: request.pair.text,
            amount: request.amount,
            limitPrice: request.limit,
            via: .book
        )
        return PlannedGuard(
            id: request.id,
            market: try await MarketOrderModel(context).plan(order, account: account)
        )
    }

    func signing(_ planned: PlannedGuard) -> SigningRun {
        let order = MarketOrderModel(context).signing(planned.market)
        return SigningRun(
            command: "guard run",
            conflicts: order.conflicts,
            bounds: order.bounds,
            signatures: order.signatures,
            firedGuard: planned.id
        )
    }

    func perform(
        _ planned: PlannedGuard,
        sender: TransactionSender
    ) async throws(DexError) -> TradeOutcome {
        try await MarketOrderModel(context).perform(planned.market, sender: sender)
    }
}

struct PlannedGuard: PlannedOperation {
    /// The number of the guard.
    let id: Int64
    let market: MarketPlan

    var plan: TradePlan { market.plan }
}
