import DexStore
package import Ethereum
import ZeroEx

/// Several limit orders at prices in even steps.
package struct LadderRequest: Hashable, Sendable {
    /// The terms that all share; its amount is the sum of all orders, its price the first one.
    package var order: LimitRequest
    /// As the price: that of the last order.
    package var to: String
    /// The number of orders: 2 to 20.
    package var count: Int

    package init(order: LimitRequest, to: String, count: Int) {
        self.order = order
        self.to = to
        self.count = count
    }
}

/// Signs and posts a ladder of limit orders, one after another.
package struct LadderModel: Operation {
    package let context: OperationContext

    package init(_ context: OperationContext) { self.context = context }

    package static func progress(of request: LadderRequest) -> String {
        "planning the orders"
    }

    /// The most orders of a ladder.
    package static let maximumOrders = 20

    /// All orders; each is checked as a limit order, together with those before it.
    ///
    /// - Throws: `DexError`: exit 2, `bad-ladder`; as of a limit order.
    package func plan(
        _ request: LadderRequest,
        account: Address
    ) async throws(DexError) -> Plan<LadderPlan> {
        guard (2...Self.maximumOrders).contains(request.count) else {
            throw LadderError.badCount(request.count, maximum: Self.maximumOrders)
        }
        let limits = LimitOrderModel(context)
        let order = request.order
        let pair = try await TokenResolver(session: session).pair(order.pair)
        let size = try await size(of: order, pair: pair, account: account)
        // The ticks of a relative price are those of the whole amount, of a share of QUOTE those of
        // one whole BASE.
        let ticks: UInt256
        switch size {
        case .base(let total):
            guard total >= UInt256(UInt64(request.count)) else {
                throw LadderError.tooSmall(count: request.count)
            }
            ticks = total
        case .spend: ticks = try TokenAmount.positive("1", of: pair.base)
        }
        // One book for all.
        let reading = try await LimitPriceCheck(session: session, settings: settings)
            .book(of: pair, account: account).get()
        func price(_ text: String) throws(DexError) -> Price {
            try limits.price(text, side: order.side, amount: ticks, pair: pair, of: reading).price
        }
        let prices = try LadderSteps(side: order.side, pair: pair).prices(
            from: try price(order.price),
            to: try price(request.to),
            count: request.count
        )
        let amounts: [UInt256]
        switch size {
        case .base(let total): amounts = LadderSteps.amounts(total, count: request.count)
        case .spend(let offered):
            let each = LadderSteps.each(
                of: offered,
                at: try prices.map { text throws(DexError) in try price(text) }
            )
            guard each > .zero else { throw LadderError.tooSmall(count: request.count) }
            amounts = prices.map { _ in each }
        }
        let ends = (try PriceExpression(order.price), try PriceExpression(request.to))
        let followsBook = ends.0.isRelative || ends.1.isRelative
        var rungs: [OrderStep] = []
        var reserved: [Address: UInt256] = [:]
        for (amount, price) in zip(amounts, prices) {
            var terms = order
            terms.amount = TokenAmount(raw: amount, token: pair.base).value
            terms.price = price
            let rung = try await limits.prepare(
                terms,
                account: account,
                reserved: reserved,
                reading: reading,
                followsBook: followsBook
            )
            // The orders of an interrupted ladder: one after another, each is its own case.
            guard !rung.isResumed else {
                throw LadderError.unconfirmed(rung.plan.orderHash)
            }
            for need in rung.needs { reserved[need.token.address] = need.total }
            rungs.append(rung)
        }
        var warnings: [String] = []
        for rung in rungs {
            for warning in rung.plan.warnings where !warnings.contains(warning) {
                warnings.append(warning)
            }
        }
        let gas = rungs.last?.plan.gas
        let balances = PlannedBalance.changes(by: rungs, gas: gas)
        for index in rungs.indices { rungs[index].plan.balances = [] }
        // The last order's approval covers all of them.
        var plan = LadderPlan(
            rungs: rungs.map(\.plan),
            steps: rungs.last?.plan.steps ?? [],
            gas: gas,
            warnings: warnings,
            stop: rungs.last?.plan.stop
        )
        plan.balances = balances
        let approvals = rungs.last.map(limits.approvals(of:)) ?? []
        // The last order's needs are those of all.
        if let last = rungs.last { rungs[0].backing = last.needs }
        return Plan(
            content: plan,
            command: "place-limit",
            conflicts: approvals.isEmpty ? nil : .order(isAllowed: settings.allowsPending),
            steps: approvals + rungs.map(Step.order),
            limits: Limits(gas: gas)
        )
    }

    /// The amount of all orders: BASE, or for a share of a buyer's balance the QUOTE to offer.
    private func size(
        of order: LimitRequest,
        pair: Pair,
        account: Address
    ) async throws(DexError) -> MarketSize {
        let sizing = LimitSizing(session: session, journal: journal)
        switch (try AmountExpression(order.amount), order.side) {
        case (.number(let number), _): return .base(try TokenAmount.positive(number, of: pair.base))
        case (.share(let share), .sell):
            return .base(try await sizing.offered(share, of: pair.base, account: account))
        case (.share(let share), .buy):
            return .spend(try await sizing.offered(share, of: pair.quote, account: account))
        }
    }
}

extension LadderPlan {
    /// Each order is signed, journaled and posted before the next is signed.
    ///
    /// - Throws: `DexError` if no order was placed. Later failures are part of the outcome.
    package static func outcome(
        of plan: Plan<LadderPlan>,
        by results: StepResults,
        in context: OperationContext
    ) async throws(DexError) -> LadderOutcome {
        LadderOutcome(
            plan: plan.content,
            transactions: try results.approvals(),
            placed: results.orders,
            failure: results.failure
        )
    }
}
