import DexStore
package import Ethereum
import ZeroEx

/// Buys or sells at the market by the book's first orders and another venue, where both together are
/// better than either alone.
///
/// They are two transactions, one after the other. The second is planned again once the first is
/// mined, and never exceeds its own part of what was confirmed.
package struct SplitTradeModel: Operation {
    package let context: OperationContext

    package init(_ context: OperationContext) { self.context = context }

    package static func progress(of request: MarketRequest) -> String {
        "reading the book of \(request.pair), and what else trades it"
    }

    /// The order in two parts; in one, at the best venue, if no division is better.
    ///
    /// - Throws: `DexError`, as of a market order, and for funds that do not suffice for both parts.
    package func plan(
        _ request: MarketRequest,
        account: Address
    ) async throws(DexError) -> Plan<SplitPlan> {
        var request = request
        request.via = request.via ?? (request.usesPermit ? .swap : .best)
        let whole = try await MarketOrderModel(context).order(of: request, account: account)
        let conflicts = InFlight.ConflictPolicy.move(.fill, isAllowed: settings.allowsPending)
        return try await InFlight(session: session, journal: journal, conflicts: conflicts)
            .first(of: account) { () async throws(DexError) in
                let split: TradeSplit
                let instead: [VenueAlternative]
                switch try await whole.divided() {
                case .whole(let book, let others):
                    let plan = try await whole.plan(book: book, others: others)
                    return Self.plan([whole], [plan], instead: [])
                case .parts(let division, let wholes): (split, instead) = (division, wholes)
                }
                let parts = [
                    whole.part(.book, split.book),
                    whole.part(split.venue, split.rest),
                ]
                var plans: [Plan<TradePlan>] = []
                for part in parts { plans.append(try await part.plan()) }
                try checkFunds(plans.map(\.content))
                return Self.plan(parts, plans, instead: instead, origin: whole.origin)
            }
    }

    /// The plan of parts that are traded one after another.
    private static func plan(
        _ orders: [MarketOrder],
        _ parts: [Plan<TradePlan>],
        instead: [VenueAlternative],
        origin: AmountOrigin? = nil
    ) -> Plan<SplitPlan> {
        let content = SplitPlan(
            parts: parts.map(\.content),
            alternatives: instead,
            balances: PlannedBalance.after(parts.map(\.content.balances)),
            origin: origin ?? parts[0].content.origin
        )
        return Plan(
            content: content,
            command: parts[0].command,
            conflicts: parts[0].conflicts,
            steps: zip(orders, parts).map(Step.part),
            limits: Limits(content),
            bounds: parts.flatMap(\.bounds)
        )
    }

    /// Both parts draw on the same balances.
    ///
    /// - Throws: `DexError`, exit 6.
    private func checkFunds(_ parts: [TradePlan]) throws(DexError) {
        guard let first = parts.first else { return }
        func before(_ token: Token) -> UInt256? {
            first.balances.first { $0.currency.isSame(as: Currency(token)) }?.before
        }
        let paid = parts.reduce(UInt256.zero) { $0.addingSaturating($1.maximumCost) }
        if let owned = before(first.payToken), owned < paid {
            throw FundsError.tooLittle(
                first.payToken,
                needed: paid,
                owned: owned,
                reason: "to pay for both parts",
                network: session.network
            )
        }
        let gas = parts.reduce(Wei.zero) { $0.adding(Limits($1).gas) ?? Wei(.max) }
        if let ether = before(.nativeCoin(session.network.coin)), Wei(ether) < gas {
            throw GasError.insufficient(
                ether: Wei(ether),
                value: .zero,
                gas: gas,
                coin: session.network.coin
            )
        }
    }
}

extension MarketOrder {
    /// A part of the order at one venue.
    fileprivate func part(_ venue: VenueID, _ size: MarketSize) -> MarketOrder {
        var part = with(size)
        part.request.via = VenueChoice(venue)
        part.origin = nil
        return part
    }

    /// A part planned again, once the part before it is mined.
    ///
    /// Its price was compared when it was confirmed, with orders of the book that the first part has
    /// filled since; it is bound by what was confirmed then.
    ///
    /// - Throws: `DexError`, exit 6, if it is beyond the confirmed limits now.
    func again(
        _ confirmed: Plan<TradePlan>,
        _ context: OperationContext
    ) async throws(DexError) -> Plan<TradePlan> {
        var settings = context.settings
        settings.allowsUncheckedPrice = true
        // The first part is mined, and its command has not ended yet.
        settings.allowsPending = true
        settings.capFees(at: confirmed.limits.gas)
        var order = with(
            OperationContext(
                session: context.session,
                journal: context.journal,
                settings: settings
            )
        )
        order.request.exact = MarketRequest.Exact(
            pair: pair,
            size: size,
            within: confirmed.content.confirmed
        )
        let plan = try await order.plan()
        guard confirmed.limits.excess(of: plan.limits) == nil else {
            throw TradeError.bookMoved
        }
        return plan
    }
}

extension SplitPlan {
    package static func outcome(
        of plan: Plan<SplitPlan>,
        by results: StepResults,
        in context: OperationContext
    ) async throws(DexError) -> SplitOutcome {
        SplitOutcome(
            plan: plan.content,
            parts: results.trades,
            transactions: results.failure == nil
                ? results.trades.flatMap(\.transactions) : results.log,
            failure: results.failure?.unlessCancelled
        )
    }
}
