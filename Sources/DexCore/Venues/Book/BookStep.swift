import DexSigning
import DexStore
import Ethereum
import ZeroEx

/// A trade on the book with all checks that precede a signature: approvals, and then the fill.
struct BookStep: TradeStep {
    /// The source that it is planned again from, where the book moved.
    enum Source: Sendable {
        case market(MarketOrder)
        /// One order, which its user chose.
        case order(any SignedOrder)
    }

    let source: Source
    var plan: TradePlan
    let route: TradeRoute
    let attempt: FillAttempt
    let approvals: [PlannedStep]
    let contracts: ExchangeContracts
    let feeToken: Token?
    /// The payment in the simulation; nil if the exchange takes no fee of its own.
    let payment: SimulatedPayment?
    /// The maximum deviation from the quote for the policy, in hundredths of a percent; nil for a
    /// chosen order.
    var slippage: UInt64?
    /// The confirmed plan, where a later one took its place; nil if it is the same.
    private(set) var replaced: TradePlan?

    var confirmed: TradePlan { replaced ?? plan }

    /// The plan of the trade.
    func planned(_ command: String, _ context: OperationContext) -> Plan<TradePlan> {
        let session = context.session
        let price = plan.gas.maxFeePerGas
        let call = route.call(
            mode: attempt.mode,
            exchangeProtocol: session.exchangeProtocol,
            contracts: contracts
        )
        let fill = call.map { call in
            PlannedSignature(
                CallRequest(
                    from: plan.account,
                    to: call.to,
                    data: call.data,
                    value: call.value(at: price)
                ),
                session,
                gasLimit: plan.steps.last?.gasLimit ?? plan.gas.limit,
                price: price,
                terms: SigningTerms(
                    purpose: TransactionPurpose.fill.rawValue,
                    slippage: slippage,
                    feeToken: contracts.feeToken,
                    rollupFee: plan.gas.rollup.maximum
                )
            )
        }
        return Plan(
            self,
            signing: [fill].compactMap(\.self),
            after: approvals,
            contracts: contracts,
            command: command,
            purpose: .fill,
            context
        )
    }

    // MARK: The recheck

    /// Checks again right before signing, and plans again if needed: always after an approval, and
    /// once if the book moved while the user read the plan.
    ///
    /// The book is read in any case, at the same time as the node's last answer: its price may have
    /// left the plan's.
    mutating func ready(
        _ sender: TransactionSender,
        _ budget: GasBudget
    ) async throws(DexError) -> TransactionSender.Request {
        if approvals.isEmpty {
            let (trade, context) = (self, sender.context)
            async let compared = Result { () async throws(DexError) in
                try await trade.compare(context)
            }
            let request: TransactionSender.Request?
            do {
                request = try await check(sender, budget)
            } catch {
                guard error.kind == .simulationFailed || error.concerns(.expiry) else {
                    throw error
                }
                sender.session.environment.progress(
                    "The book moved; planning again within the same bounds."
                )
                request = nil
            }
            if let request {
                try await compared.get()
                return request
            }
        }
        self = try await again(sender.context)
        return try await check(sender, budget)
    }

    /// Compares the confirmed price with the book as it is now.
    ///
    /// - Throws: `DexError`, exit 4, `book-unread`, where that cannot be done; exit 6.
    private func compare(_ context: OperationContext) async throws(DexError) {
        switch source {
        case .market(let order): try await order.with(context).compareOnBook(plan)
        case .order:
            try await FillPriceCheck(session: context.session, settings: context.settings)
                .check(self)
        }
    }

    /// The same trade from the current book, within the confirmed bounds.
    private func again(_ context: OperationContext) async throws(DexError) -> BookStep {
        var new: BookStep
        switch source {
        case .market(let order): new = try await order.with(context).trade(again: plan)
        case .order(let order): new = try await FillModel(context).prepare(order, again: plan)
        }
        guard new.approvals.isEmpty else {
            throw TradeError.approvalMissing
        }
        guard new.route.keeps(plan.confirmed), new.contracts == contracts else {
            throw TradeError.bookMoved
        }
        // For example about another call than planned before the approval.
        for warning in new.plan.warnings where !plan.warnings.contains(warning) {
            context.session.environment.warn(warning)
        }
        new.replaced = plan
        return new
    }

    /// No order of the call may expire within the margin, by the clock of now.
    ///
    /// The plan may have been read for minutes, and approvals may have been waited for.
    private func checkExpiry(
        at block: Block,
        _ sender: TransactionSender
    ) throws(DexError) {
        for order in (route.legs + route.backups).map(\.order) {
            let margin = ExpiryMargin(of: order, at: block, sender.session, sender.settings.reading)
            guard margin.isReached else { continue }
            throw TradeError.notFillable(
                order.hash,
                .expiring,
                reason: "it \(margin.words)",
                remedy: margin.remedy
            )
        }
    }

    /// The last check before signing, in one request.
    ///
    /// It reads chain, nonce, fees and ether, and simulates and estimates the exact call.
    ///
    /// - Parameter gasPrice: for a simulation of an exchange fee by gas price; nil is the confirmed
    ///   one.
    private func check(
        _ sender: TransactionSender,
        _ budget: GasBudget,
        at gasPrice: Wei? = nil
    ) async throws(DexError) -> TransactionSender.Request {
        let session = sender.session
        let simulation = FillSimulation(
            route: route,
            account: plan.account,
            contracts: contracts,
            exchangeProtocol: session.exchangeProtocol,
            accesses: session.accesses,
            attempts: attempt.withFallbacks,
            payment: payment?.at(gasPrice ?? plan.gas.maxFeePerGas)
        )
        var batch = ReadBatch()
        var (reads, askedContracts) = SenderReads.ask(session, of: plan.account, in: &batch) {
            ChainSetup.askContracts(session, in: &$0)
        }
        let simulated = simulation.ask(in: &batch)
        reads.state = simulation.askState(session, in: &batch)
        let answers = try await batch.send(to: session.chain)
        let head = try reads.head(in: answers)
        let fees = head.fees
        try checkExpiry(at: head.block, sender)
        guard try answers.value(askedContracts) == contracts else {
            throw SendError.contractsChanged
        }
        if let price = simulation.payment?.gasPrice, let base = fees.baseFee, price < base {
            // Nodes refuse such a call for its price alone.
            let fee = try budget.fee(
                fees,
                limit: plan.steps.last?.gasLimit ?? plan.gas.limit,
                protocolFeeGas: simulation.call(attempt)?.protocolFeeGas ?? 0
            )
            return try await check(sender, budget, at: fee.maximum)
        }
        let fill = try simulation.result(simulated, in: answers)
        if fill.attempt != attempt {
            session.environment.warn(
                fill.attempt == .throwing
                    ? "The access list no longer helps; filling without it and without backups."
                    : "The access list does not cover the backup orders; filling without them."
            )
        }
        guard fill.attempt.accessList.isEmpty || fees.baseFee != nil else {
            throw DexError(ChainError.nonsense("the chain had a base fee and has none now"))
        }
        let limit = try simulation.gasLimit(
            fill,
            within: GasBounds(head.block, session.network.fees, sender.settings.fees)
        )
        return try await sender.request(
            PlannedCall(
                purpose: .fill,
                summary: plan.steps.last?.summary ?? "",
                subject: "the trade",
                request: CallRequest(
                    from: plan.account,
                    to: fill.call.to,
                    data: fill.call.data,
                    accessList: fill.attempt.accessList
                ),
                moves: PlannedMoves(Limits(plan))
            ),
            limit,
            within: budget,
            protocolFeeGas: fill.call.protocolFeeGas,
            reads,
            in: answers
        ) {
            $0.slippage = slippage
            $0.feeToken = contracts.feeToken
        }
    }

    // MARK: The outcome

    func outcome(
        of result: TransactionSender.Result,
        after before: [SentTransaction],
        _ sender: TransactionSender
    ) async throws(DexError) -> TradeOutcome {
        let session = sender.session
        var builder = OutcomeBuilder(
            session: session,
            trade: self,
            confirmed: confirmed,
            confirmations: sender.settings.confirmations
        )
        builder.reasons = await reasons(of: builder.unexplained(result), session)
        let (outcome, booked) = try await builder.outcome(result, before: before)
        if let booked {
            let log = LifecycleLog(session: session, journal: sender.journal)
            log.attempt(try journaled(try sender.journal.note([booked])))
        }
        return outcome
    }

    /// Why orders were not filled, by their current state; unreadable ones are left out.
    private func reasons(
        of orders: [any SignedOrder],
        _ session: Session
    ) async -> [OrderHash: String] {
        guard !orders.isEmpty else { return [:] }
        let inspection = try? await OrderInspector(session: session).rows(for: orders)  // or unread
        var reasons: [OrderHash: String] = [:]
        for row in inspection?.rows ?? [] {
            switch row.standing {
            case .filled: reasons[row.order.hash] = "others had filled it before"
            case .cancelled: reasons[row.order.hash] = "its maker had cancelled it"
            case .expired: reasons[row.order.hash] = "it had expired"
            case .unfunded:
                reasons[row.order.hash] = "its maker's balance or allowance was short"
            case .unknown: reasons[row.order.hash] = "its maker's funds could not be read"
            case .open, .partlyFilled, .halfFunded: break
            }
        }
        return reasons
    }
}
