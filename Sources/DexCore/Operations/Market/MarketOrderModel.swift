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
    ) async throws(DexError) -> MarketPlan {
        try await plan(request, account: account, admits: .all)
    }

    /// - Parameter admits: called with each book on which the order is planned, also again right
    ///   before the signature; at pools before the plan and before the signature.
    func plan(
        _ request: MarketRequest,
        account: Address,
        admits: MarketAdmission
    ) async throws(DexError) -> MarketPlan {
        if request.limitPrice == nil, settings.slippage > TradeSettings.mostSlippage,
            !settings.allowsHighSlippage
        {
            let slippage = DecimalText.format(UInt256(settings.slippage), decimals: 2)
            throw DexError(TradeError.slippageTooHigh(slippage))
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
        var trade = try await InFlight(session: session, journal: journal, conflicts: conflicts)
            .first(of: account) { () async throws(DexError) in
                try await MarketVenues(
                    context: context,
                    request: request,
                    size: size,
                    pair: pair,
                    account: account,
                    admits: admits
                ).prepared()
            }
        trade.plan.origin = origin
        return MarketPlan(
            trade: trade,
            request: request,
            size: size,
            pair: pair,
            admits: admits
        )
    }

    package func signing(_ planned: MarketPlan) -> SigningRun {
        let command = planned.request.side == .buy ? "market-buy" : "market-sell"
        return switch planned.trade {
        case .book(let trade): trade.signing(command, session, settings)
        case .swap(let trade): trade.signing(command, session, settings)
        }
    }

    package func perform(
        _ planned: MarketPlan,
        sender: TransactionSender
    ) async throws(DexError) -> TradeOutcome {
        switch planned.trade {
        case .book(let trade):
            return try await executor(of: planned, trade, sender).execute(trade)
        case .swap(let trade):
            return try await executor(of: planned, trade, sender).execute(trade)
        }
    }

    package func ready(
        _ planned: MarketPlan,
        sender: TransactionSender
    ) async throws(DexError) -> TransactionSender.Request {
        switch planned.trade {
        case .book(let trade): return try await executor(of: planned, trade, sender).ready(trade)
        case .swap(let trade): return try await executor(of: planned, trade, sender).ready(trade)
        }
    }

    private func executor(
        of planned: MarketPlan,
        _ trade: PreparedTrade,
        _ sender: TransactionSender
    ) -> TradeExecutor {
        TradeExecutor(sender: sender) { confirmed async throws(DexError) in
            let book: BookTrade
            do throws(DexError) {
                book = try await BookTrade.read(
                    planned.request,
                    size: planned.confirmedSize,
                    pair: planned.pair,
                    account: planned.plan.account,
                    confirmed: confirmed,
                    context: context,
                    admits: planned.admits
                )
            } catch {
                throw error.ofUnreadBook
            }
            var current = try await book.prepared(planned.request, context: context)
            // The venue was chosen with the confirmed plan.
            current.plan.alternatives = trade.plan.alternatives
            current.plan.origin = trade.plan.origin
            return current
        } compare: { plan async throws(DexError) in
            try await venues(planned).compareOnBook(plan)
        }
    }

    private func executor(
        of planned: MarketPlan,
        _ trade: PreparedSwap,
        _ sender: TransactionSender
    ) throws(DexError) -> SwapExecutor {
        SwapExecutor(
            sender: sender,
            quoting: SwapQuoting(
                session: session,
                at: try session.required(trade.plan.venue),
                trade: trade.trade,
                account: planned.plan.account
            )
        ) { price async throws(DexError) in
            try await venues(planned).compare(price, againstThatOf: planned.plan)
        }
    }

    private func venues(_ planned: MarketPlan) -> MarketVenues {
        MarketVenues(
            context: context,
            request: planned.request,
            size: planned.size,
            pair: planned.pair,
            account: planned.plan.account,
            admits: planned.admits
        )
    }
}

/// A market order's trade at its venue.
enum MarketTrade: Sendable {
    case book(PreparedTrade)
    case swap(PreparedSwap)

    /// The trade on the book; nil at another venue.
    var onBook: PreparedTrade? {
        if case .book(let trade) = self { trade } else { nil }
    }

    var plan: TradePlan {
        get {
            switch self {
            case .book(let trade): trade.plan
            case .swap(let trade): trade.plan
            }
        }
        set {
            switch self {
            case .book(var trade):
                trade.plan = newValue
                self = .book(trade)
            case .swap(var trade):
                trade.plan = newValue
                self = .swap(trade)
            }
        }
    }
}

package struct MarketPlan: PlannedOperation {
    package var plan: TradePlan { trade.plan }
    let trade: MarketTrade
    let request: MarketRequest
    /// The request's amount as a number.
    let size: MarketSize
    let pair: Pair
    /// Refuses a later book that it must not be planned from.
    let admits: MarketAdmission

    /// What is bought or sold when the book is read again: what the confirmed plan expects.
    var confirmedSize: MarketSize {
        switch size {
        case .base: size
        case .spend: .base(plan.expectedReceive)
        }
    }
}
