import Ethereum
import ZeroEx

/// A trade that was checked as far as it can be before anything is signed.
struct PreparedTrade: Sendable {
    let plan: TradePlan
    let route: TradeRoute
    let attempt: FillAttempt
    let approvals: [ApprovalStep]
    let contracts: ExchangeContracts
    let feeToken: Token?
    /// What it was simulated with; nil where the exchange takes no fee of its own.
    let payment: SimulatedPayment?
    /// How much worse than quoted it may come out, in hundredths of a percent, as the policy counts
    /// it; nil for the fill of a chosen order, whose price is its own.
    var slippage: UInt64?

    /// The bounds that any later plan of the same trade must keep.
    var confirmed: MarketPlanner.Confirmed {
        MarketPlanner.Confirmed(
            pay: plan.maximumPay,
            minimumReceive: plan.minimumReceive,
            maximumFee: route.maximumFee,
            cost: route.maximumCost,
            worst: plan.worst
        )
    }
}

/// What a trade is planned from: everything that was read at one block.
struct TradeContext: Sendable {
    let pair: Pair
    let side: TradeSide
    let block: Block
    let contracts: ExchangeContracts
    let account: AccountSnapshot
    let fees: FeeSnapshot
    /// What taker fees in a third token are worth; nil where none was needed, or no book tells.
    var feeRate: FeeRate?
    var warnings: [String] = []

    var payToken: Token { side == .buy ? pair.quote : pair.base }
    var receiveToken: Token { side == .buy ? pair.base : pair.quote }
}
