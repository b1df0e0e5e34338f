import DexStore
import Ethereum
import ZeroEx

/// Checks a trade on the book again right before it is signed, and reads its actual result.
struct BookRecheck {
    let sender: TransactionSender
    /// Plans the same trade again from the current book, within the confirmed bounds.
    let replan: (MarketPlanner.Confirmed) async throws(DexError) -> PreparedTrade
    /// Compares the confirmed price with the book as it is now; a book that cannot be read, or that
    /// lacks what the plan was compared with, throws.
    let compare: @Sendable (TradePlan) async throws(DexError) -> Void

    private var session: Session { sender.session }
    private var settings: TradeSettings { sender.settings }

    /// The trade as it is signed now.
    ///
    /// - Throws: `DexError`: it would fail, or cost more than was confirmed.
    func checked(
        _ trade: PreparedTrade,
        budget: GasBudget
    ) async throws(DexError) -> CheckedTrade {
        let (current, ready) = try await makeReady(trade, budget: budget)
        var request = ready
        // From then on one of its orders cannot be filled.
        request.validUntil = current.route.legs.compactMap(\.order.expiry.uint64).min()
        return CheckedTrade(request: request) { result, before async throws(DexError) in
            try await outcome(of: current, confirmed: trade.plan, result, before: before)
        }
    }

    private func outcome(
        of trade: PreparedTrade,
        confirmed: TradePlan,
        _ result: TransactionSender.Result,
        before: [SentTransaction]
    ) async throws(DexError) -> TradeOutcome {
        var builder = OutcomeBuilder(
            session: session,
            trade: trade,
            confirmed: confirmed,
            confirmations: settings.confirmations
        )
        builder.reasons = await reasons(of: builder.unexplained(result))
        let (outcome, booked) = try await builder.outcome(result, before: before)
        if let booked {
            let log = LifecycleLog(session: session, journal: sender.journal)
            log.attempt(try journaled(try sender.journal.note([booked])))
        }
        return outcome
    }

    /// Why orders were not filled, by their current state; unreadable ones are left out.
    private func reasons(of orders: [any SignedOrder]) async -> [OrderHash: String] {
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

    /// Checks again right before signing, and plans again if needed: always after an approval, and
    /// once if the book moved while the user read the plan.
    ///
    /// The book is read in any case, at the same time as the node's last answer: its price may have
    /// left the plan's.
    private func makeReady(
        _ trade: PreparedTrade,
        budget: GasBudget
    ) async throws(DexError) -> (PreparedTrade, TransactionSender.Request) {
        if trade.approvals.isEmpty {
            let (compare, plan) = (compare, trade.plan)
            async let compared = Result { () async throws(DexError) in try await compare(plan) }
            let request: TransactionSender.Request?
            do {
                request = try await check(trade, budget: budget)
            } catch {
                guard error.kind == .simulationFailed || error.concerns(.expiry) else {
                    throw error
                }
                session.environment.progress(
                    "The book moved; planning again within the same bounds."
                )
                request = nil
            }
            if let request {
                try await compared.get()
                return (trade, request)
            }
        }
        let current = try await replanned(trade)
        return (current, try await check(current, budget: budget))
    }

    private func replanned(_ trade: PreparedTrade) async throws(DexError) -> PreparedTrade {
        let new = try await replan(trade.plan.confirmed)
        guard new.approvals.isEmpty else {
            throw TradeError.approvalMissing
        }
        guard new.route.keeps(trade.plan.confirmed), new.contracts == trade.contracts else {
            throw TradeError.bookMoved
        }
        // For example about another call than planned before the approval.
        for warning in new.plan.warnings where !trade.plan.warnings.contains(warning) {
            session.environment.warn(warning)
        }
        return new
    }

    /// No order of the call may expire within the margin, by the clock of now.
    ///
    /// The plan may have been read for minutes, and approvals may have been waited for.
    private func checkExpiry(_ route: TradeRoute, at block: Block) throws(DexError) {
        for order in (route.legs + route.backups).map(\.order) {
            let margin = ExpiryMargin(of: order, at: block, session, settings.reading)
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
        _ trade: PreparedTrade,
        budget: GasBudget,
        at gasPrice: Wei? = nil
    ) async throws(DexError) -> TransactionSender.Request {
        let simulation = FillSimulation(
            route: trade.route,
            account: trade.plan.account,
            contracts: trade.contracts,
            exchangeProtocol: session.exchangeProtocol,
            accesses: session.accesses,
            attempts: trade.attempt.withFallbacks,
            payment: trade.payment?.at(gasPrice ?? trade.plan.gas.maxFeePerGas)
        )
        var batch = ReadBatch()
        let askedHead = AccountHead.ask(session, trade.plan.account, in: &batch)
        let contracts = ChainSetup.askContracts(session, in: &batch)
        let balance = batch.add(.balance(trade.plan.account, .latest))
        let simulated = simulation.ask(in: &batch)
        let reads = simulation.askState(session, in: &batch)
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(askedHead)
        let fees = head.fees
        try checkExpiry(trade.route, at: head.block)
        guard try answers.value(contracts) == trade.contracts else {
            throw CallSender.contractsChanged
        }
        if let price = simulation.payment?.gasPrice, let base = fees.baseFee, price < base {
            // Nodes refuse such a call for its price alone.
            let fee = try budget.fee(
                fees,
                limit: trade.plan.steps.last?.gasLimit ?? trade.plan.gas.limit,
                protocolFeeGas: simulation.call(trade.attempt)?.protocolFeeGas ?? 0
            )
            return try await check(trade, budget: budget, at: fee.maximum)
        }
        let fill = try simulation.result(simulated, in: answers)
        if fill.attempt != trade.attempt {
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
            within: GasBounds(head.block, session.network.fees, settings.fees)
        )
        let priced = try await CallPricing(session: session).priced(fees, for: [limit])
        let fee = try budget.fee(
            priced,
            limit: limit.units,
            protocolFeeGas: fill.call.protocolFeeGas
        )
        let value = fill.call.value(at: fee.maximum)
        try CallSender.checkEther(
            answers.value(balance),
            fee: fee,
            limit: limit.units,
            value: value,
            fees: priced
        )
        let request = TransactionSender.Request(
            purpose: .fill,
            call: CallRequest(
                from: trade.plan.account,
                to: fill.call.to,
                data: fill.call.data,
                value: value,
                accessList: fill.attempt.accessList
            ),
            gasLimit: limit.units,
            fee: fee,
            pendingNonce: head.pendingNonce,
            head: head.block,
            slippage: trade.slippage,
            feeToken: trade.contracts.feeToken,
            rollup: priced.rollup
        )
        return try await sender.simulated(
            request,
            "the trade",
            PlannedMoves(Limits(trade.plan)),
            reads,
            in: answers,
            baseFee: fees.baseFee
        )
    }
}
