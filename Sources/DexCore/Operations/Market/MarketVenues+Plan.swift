import Ethereum
import ZeroEx

extension MarketVenues {
    private var command: String { request.side == .buy ? "market-buy" : "market-sell" }

    /// The plan of a trade on the book, which is planned again from a later book if need be.
    func plan(_ trade: PreparedTrade) -> Plan<TradePlan> {
        var trade = trade
        trade.plan.origin = origin
        let prepared = trade
        return agentPlan(
            prepared.planned(command, context) { sender in
                with(sender.context).recheck(of: prepared, sender)
            }
        )
    }

    /// The plan of a trade at another venue.
    func plan(_ trade: PreparedSwap) -> Plan<TradePlan> {
        var trade = trade
        trade.plan.origin = origin
        let prepared = trade
        return agentPlan(
            prepared.planned(command, context) { sender throws(DexError) in
                try with(sender.context).recheck(of: prepared, sender)
            }
        )
    }

    /// The same with the terms by which a plan of an agent is planned again.
    private func agentPlan(_ plan: Plan<TradePlan>) -> Plan<TradePlan> {
        var plan = plan
        plan.terms = .trade(
            PairTerms(pair),
            venue: plan.content.venue,
            size,
            within: plan.content.confirmed
        )
        return plan
    }

    private func with(_ context: OperationContext) -> Self {
        var venues = self
        venues.context = context
        return venues
    }

    private func recheck(of trade: PreparedTrade, _ sender: TransactionSender) -> BookRecheck {
        BookRecheck(sender: sender) { confirmed async throws(DexError) in
            let book: BookTrade
            do throws(DexError) {
                book = try await BookTrade.read(
                    request,
                    size: confirmedSize(trade.plan),
                    pair: pair,
                    account: account,
                    confirmed: confirmed,
                    context: context,
                    admits: admits
                )
            } catch {
                throw error.ofUnreadBook
            }
            var current = try await book.prepared(request, context: context)
            // The venue was chosen with the confirmed plan.
            current.plan.alternatives = trade.plan.alternatives
            current.plan.origin = trade.plan.origin
            return current
        } compare: { plan async throws(DexError) in
            try await compareOnBook(plan)
        }
    }

    private func recheck(
        of trade: PreparedSwap,
        _ sender: TransactionSender
    ) throws(DexError) -> SwapRecheck {
        SwapRecheck(
            sender: sender,
            quoting: SwapQuoting(
                session: session,
                at: try session.required(trade.plan.venue),
                trade: trade.trade,
                account: account
            )
        ) { price async throws(DexError) in
            try await compare(price, againstThatOf: trade.plan)
        }
    }

    /// What is bought or sold when the book is read again: what the confirmed plan expects.
    private func confirmedSize(_ plan: TradePlan) -> MarketSize {
        switch size {
        case .base: size
        case .spend: .base(plan.expectedReceive)
        }
    }
}
