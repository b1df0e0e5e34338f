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
        if request.limitPrice == nil, settings.slippage > 500, !settings.allowsHighSlippage {
            let slippage = DecimalText.format(UInt256(settings.slippage), decimals: 2)
            throw DexError(TradeError.slippageTooHigh(slippage))
        }
        let pair = try await TokenResolver(session: session).pair(request.pair)
        let conflicts = InFlight.ConflictPolicy.move(.fill, isAllowed: settings.allowsPending)
        let trade = try await InFlight(session: session, journal: journal, conflicts: conflicts)
            .first(of: account) { () async throws(DexError) in
                try await prepare(request, pair: pair, account: account, confirmed: nil)
            }
        return MarketPlan(plan: trade.plan, trade: trade, request: request, pair: pair)
    }

    package func signing(_ planned: MarketPlan) -> SigningRun {
        planned.trade.signing(
            planned.request.side == .buy ? "market-buy" : "market-sell",
            session,
            settings
        )
    }

    package func perform(
        _ planned: MarketPlan,
        sender: TransactionSender
    ) async throws(DexError) -> TradeOutcome {
        try await TradeExecutor(session: session, settings: settings, sender: sender) {
            confirmed async throws(DexError) in
            try await prepare(
                planned.request,
                pair: planned.pair,
                account: planned.plan.account,
                confirmed: confirmed
            )
        }.execute(planned.trade)
    }

    private func prepare(
        _ request: MarketRequest,
        pair: Pair,
        account: Address,
        confirmed: MarketPlanner.Confirmed?
    ) async throws(DexError) -> PreparedTrade {
        let reader = BookReader(
            session: session,
            settings: settings.reading
        )
        let book = try await reader.snapshot(of: pair, account: account, sides: [request.side])
        guard let state = book.account, let fees = book.fees else {
            throw DexError(TradeError.noAccount)
        }
        var planner = MarketPlanner(
            exchangeProtocol: session.exchangeProtocol,
            contracts: book.contracts,
            pair: book.pair,
            side: request.side,
            amount: try Self.amount(request.amount, of: book.pair.base),
            limit: try request.limitPrice.map { text throws(DexError) in
                .price(try PriceBounds.price(text, pair: book.pair))
            } ?? .slippage(settings.slippage),
            sparePercent: settings.sparePercent,
            // Half a block: a larger one would wait for an empty block.
            maximumOrders: Int(
                clamping: max(book.block.gasLimit / 2 / session.exchangeProtocol.gasPerOrder, 1)
            ),
            takerFees: settings.takerFees,
            feeRate: book.feeRate,
            confirmed: confirmed
        )
        let entries = book.entries(for: request.side)
        let route: TradeRoute
        do {
            route = try planner.route(through: entries)
        } catch {
            throw error.cause is BookError ? error.adding(book.leftOut) : error
        }
        try planner.checkImpact(of: route, isAllowed: settings.allowsHighImpact)
        let context = TradeContext(
            pair: book.pair,
            side: request.side,
            block: book.block,
            contracts: book.contracts,
            account: state,
            fees: fees,
            feeRate: book.feeRate,
            warnings: [pair.base, pair.quote].flatMap { session.tokens.warnings(for: $0) }
        )
        var trade = try await TradePreparer(
            session: session,
            journal: journal,
            settings: settings
        ).prepare(route, in: context) { limits throws(DexError) in
            planner.limits = limits
            let route = try planner.route(through: entries)
            try planner.checkImpact(of: route, isAllowed: settings.allowsHighImpact)
            return route
        }
        trade.slippage =
            request.limitPrice == nil ? settings.slippage : trade.plan.worstSlippage
        return trade
    }

    /// A positive amount in human units.
    static func amount(_ text: String, of token: Token) throws(DexError) -> UInt256 {
        let amount = try reported(DecimalTextError.self, try TokenAmount(text, of: token))
        guard amount.raw > .zero else {
            throw DexError(InputError.zeroAmount(hint: "Give an amount above zero, such as 1.5."))
        }
        return amount.raw
    }
}

package struct MarketPlan: PlannedOperation {
    package let plan: TradePlan
    let trade: PreparedTrade
    let request: MarketRequest
    let pair: Pair
}
