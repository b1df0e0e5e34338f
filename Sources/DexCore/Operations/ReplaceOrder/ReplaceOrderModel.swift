import DexStore
package import Ethereum
package import ZeroEx

/// An own order to replace, and what changes.
package struct ReplaceOrderRequest: Hashable, Sendable {
    package var order: OrderHash
    /// As of a limit order.
    package var price: String
    /// Human units of BASE; nil is what is left of the order.
    package var amount: String?
    /// nil: as the order has it.
    package var expiry: OrderExpiry?

    package init(
        order: OrderHash,
        price: String,
        amount: String? = nil,
        expiry: OrderExpiry? = nil
    ) {
        self.order = order
        self.price = price
        self.amount = amount
        self.expiry = expiry
    }
}

/// Cancels an own order on chain and then places its replacement.
///
/// The new order is signed only after the cancel is mined and nothing was filled meanwhile: so
/// both never stand together, and for a while neither does.
package struct ReplaceOrderModel: Operation {
    package let context: OperationContext

    package init(_ context: OperationContext) { self.context = context }

    package static func progress(of request: ReplaceOrderRequest) -> String {
        "reading the order"
    }

    package func signer(of request: ReplaceOrderRequest) throws(DexError) -> Address? {
        try CancelModel(context).signer(of: .hashes([request.order]))
    }

    /// The cancel and the new order; nothing is signed or written.
    ///
    /// - Throws: `DexError`: exit 6, `not-open`, if there is nothing to replace; as of a cancel and
    ///   of a limit order.
    package func plan(
        _ request: ReplaceOrderRequest,
        account: Address
    ) async throws(DexError) -> Plan<ReplaceOrderPlan> {
        let cancel = try await CancelModel(context).plan(.hashes([request.order]), account: account)
        guard let row = cancel.content.orders.first, let cancelGas = cancel.content.gas else {
            throw ReplaceOrderError.notOpen(request.order, cancel.content.closed.first?.standing)
        }
        let terms = try terms(request, row)
        let limits = LimitOrderModel(context)
        var limit = try await limits.prepare(
            terms,
            account: account,
            replacing: request.order
        )
        let gas = Self.sum(cancelGas, limit.plan.gas)
        let cap = FeeBounds.cap(gas: gas.limit, rollup: gas.rollup, settings)
        guard gas.maxCost <= cap else {
            throw GasError.overCap(
                cost: gas.maxCost,
                budget: cap,
                overrides: settings.fees,
                coin: gas.coin
            )
        }
        limit.plan.balances = PlannedBalance.changes(by: [limit], gas: gas)
        let plan = ReplaceOrderPlan(
            cancel: cancel.content,
            order: limit.plan,
            gas: gas,
            steps: limit.plan.steps + cancel.content.steps,
            warnings: [settings.holds ? Self.half(terms, row) : Self.gap] + limit.plan.warnings
                + cancel.content.warnings.filter { !limit.plan.warnings.contains($0) },
            stop: limit.plan.stop
        )
        limit.backing = limit.needs
        let approvals = limits.approvals(of: limit)
        return Plan(
            content: plan,
            command: "replace",
            conflicts: approvals.isEmpty ? .cancel : .order(isAllowed: settings.allowsPending),
            steps: approvals + [.cancel(cancel, before: limit), .order(limit)],
            limits: Limits(gas: gas),
            ownGas: Limits(gas: limit.plan.gas).gas
        )
    }

    /// What may happen between the cancel and the new order.
    static let gap =
        "Until the cancel is mined, the old order can still be filled; if it is, the new one is not "
        + "signed. Between the cancel and the new order neither stands."

    /// What `--no-send` leaves to do.
    private static func half(_ terms: LimitRequest, _ row: OrdersState.Row) -> String {
        "Only the cancel is signed. Once it is mined and nothing was filled meanwhile, place "
            + "the new order: dex place-limit \(terms.side.rawValue) \(row.pair.word) \(terms.amount) "
            + "--price \(terms.price)"
    }

    /// The new order's terms: what the request does not name stays.
    private func terms(
        _ request: ReplaceOrderRequest,
        _ row: OrdersState.Row
    ) throws(DexError) -> LimitRequest {
        let order = row.order
        let left =
            row.side == .buy
            ? row.state.remaining
            : session.exchangeProtocol.makerAmount(of: order, filling: row.state.remaining)
        guard let left else { throw TradeError.sumOutOfRange }
        return LimitRequest(
            side: row.side,
            pair: row.pair.addresses.text,
            amount: TokenAmount(
                raw: try Self.amount(request.amount, left: left, of: row.pair.base),
                token: row.pair.base
            ).value,
            price: request.price,
            expiry: request.expiry ?? .at(order.expiry.uint64 ?? .max),
            taker: order.taker == .zero ? nil : order.taker
        )
    }

    /// Base units of the new order's BASE: a number, or a share of what is left of the old one.
    private static func amount(
        _ text: String?,
        left: UInt256,
        of token: Token
    ) throws(DexError) -> UInt256 {
        guard let text else { return left }
        return switch try AmountExpression(text) {
        case .number(let number): try TokenAmount.positive(number, of: token)
        case .share(let share): try SpendableFunds.part(share, of: left, token)
        }
    }

    /// The gas of the cancel, and of an approval for the new order.
    private static func sum(_ cancel: GasPlan, _ approvals: GasPlan?) -> GasPlan {
        guard let approvals else { return cancel }
        return GasPlan(
            coin: cancel.coin,
            limit: cancel.limit.addingSaturating(approvals.limit),
            maxFeePerGas: max(cancel.maxFeePerGas, approvals.maxFeePerGas),
            maxPriorityFeePerGas: cancel.maxPriorityFeePerGas,
            maxCost: cancel.maxCost.adding(approvals.maxCost) ?? Wei(.max),
            presentCost: cancel.presentCost.adding(approvals.presentCost) ?? Wei(.max),
            priority: cancel.priority,
            isCapped: cancel.isCapped || approvals.isCapped,
            rollup: cancel.rollup.adding(approvals.rollup),
            privateNode: cancel.privateNode,
            warnings: cancel.warnings
        )
    }
}

extension ReplaceOrderPlan {
    /// - Throws: `DexError` if nothing was cancelled. After the cancel, an error is part of the
    ///   outcome.
    package static func outcome(
        of plan: Plan<ReplaceOrderPlan>,
        by results: StepResults,
        in context: OperationContext
    ) async throws(DexError) -> ReplaceOrderOutcome {
        let approvals = try results.approvals()
        let cancelled = try results.done(results.cancelled)
        var outcome = ReplaceOrderOutcome(
            plan: plan.content,
            approvals: approvals,
            cancelled: cancelled,
            placed: results.orders.last,
            failure: results.failure.map { ReplaceOrderError.notPlaced($0) }
        )
        outcome.placed?.transactions = approvals
        if let row = cancelled.overtaken {
            let filled =
                row.order?.base(ofTaker: row.filledMeanwhile)
                ?? TokenAmount(raw: row.filledMeanwhile, token: row.takerToken)
            outcome.failure = ReplaceOrderError.filledMeanwhile(row.orderHash, amount: filled)
        }
        return outcome
    }
}
