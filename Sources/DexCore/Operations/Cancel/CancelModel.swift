import DexStore
package import Ethereum
import ZeroEx

/// Cancels own orders on chain.
package struct CancelModel: Operation {
    package let context: OperationContext

    package init(_ context: OperationContext) { self.context = context }

    package static func progress(of request: CancelRequest) -> String {
        "reading own orders"
    }

    /// The maker of all orders that a request names by hash, by the journal.
    ///
    /// Only the maker can cancel them.
    ///
    /// - Returns: nil if the journal does not know one of them, or they are of several makers.
    /// - Throws: `DexError` if the journal cannot be read.
    package func signer(of request: CancelRequest) throws(DexError) -> Address? {
        guard case .hashes(let hashes) = request else { return nil }
        let finder = OrderFinder(session: session, journal: journal)
        var makers: Set<Address> = []
        for hash in hashes {
            guard let order = try finder.recorded(hash) else { return nil }
            makers.insert(order.maker)
        }
        return makers.count == 1 ? makers.first : nil
    }

    /// The orders that would be cancelled, in one transaction if they fit; nothing is signed or
    /// written.
    ///
    /// Orders that are not open are left out. Where none is open there are no steps.
    ///
    /// - Throws: `DexError` with exit 6 if an order is not ours; exit 4 `orders-unread` where none
    ///   is open at the relays that answered, and others did not.
    package func plan(
        _ request: CancelRequest,
        account: Address
    ) async throws(DexError) -> Plan<CancelPlan> {
        let found = try await orders(request, account: account)
        for order in found.orders where order.maker != account {
            throw CancelError.notOwn(order.hash, maker: order.maker)
        }
        let inspection = try await OrderInspector(session: session)
            .rows(for: found.orders, account: account)
        let open = inspection.rows.filter(Self.isOpen)
        let closed = inspection.rows.filter { !Self.isOpen($0) }
        guard !open.isEmpty, let state = inspection.account, let fees = inspection.fees else {
            guard found.unread.isEmpty else {
                throw CancelError.unread(found.unread.map(\.relay))
            }
            return nothing(closed, of: account)
        }
        let byPair = await pairCancels(request, open, at: inspection.block)
        let single = open.map(\.order).filter { order in !byPair.contains { $0.covers(order) } }
        let batches =
            single.isEmpty
            ? []
            : CancelBatches(
                exchangeProtocol: session.exchangeProtocol,
                rules: session.network.fees
            )
            .batches(single, contracts: inspection.contracts, block: inspection.block)
        let calls =
            call(byPair, of: open, by: account, inspection)
            + batches.map { call($0, by: account, inspection) }
        var batch = ReadBatch()
        let simulations = calls.map { $0.ask(session, in: &batch) }
        let answers = try await batch.send(to: session.chain)
        var steps: [PlannedStep] = []
        for (call, simulation) in zip(calls, simulations) {
            let simulated = try answers.value(simulation)
            let limit = try call.gasLimit(
                simulated,
                within: GasBounds(inspection.block, session.network.fees, settings.fees)
            )
            steps.append(PlannedStep(call: call, gasLimit: limit))
        }
        let inFlight = InFlight(session: session, journal: journal, conflicts: .cancel)
        let gas = try await CallPricing(session: session)
            .plan(steps, fees, ether: state.ether, settings: settings)
        let plan = CancelPlan(
            account: account,
            orders: open,
            closed: closed,
            steps: steps.map { PlannedTransaction($0) },
            gas: gas,
            unread: found.unread.map(\.relay),
            warnings: found.warnings("Orders that only it has are not cancelled.")
                + (try await inFlight.report(account: account, next: state.pendingNonce)).warnings
                + gas.warnings + byPair.map { warning($0, open) } + CancelBatches.warnings(batches)
        )
        var planned = self.plan(plan, contracts: inspection.contracts, steps, gas)
        planned.terms = .cancel(open.map(\.order.hash))
        return planned
    }

    private func plan(
        _ content: CancelPlan,
        contracts: ExchangeContracts?,
        _ steps: [PlannedStep],
        _ gas: GasPlan?
    ) -> Plan<CancelPlan> {
        Plan(
            content: content,
            command: "cancel",
            conflicts: .cancel,
            steps: Step.calls(steps, session, gas: gas, contracts: contracts),
            limits: Limits(gas: gas),
            settled: steps.isEmpty ? CancelOutcome(nothingOf: content) : nil
        )
    }

    // MARK: Which orders

    private static func isOpen(_ row: OrdersState.Row) -> Bool {
        row.state.remaining > .zero && row.standing != .expired
    }

    private func nothing(_ closed: [OrdersState.Row], of account: Address) -> Plan<CancelPlan> {
        plan(
            CancelPlan(
                account: account,
                orders: [],
                closed: closed,
                steps: [],
                gas: nil,
                warnings: []
            ),
            contracts: nil,
            [],
            nil
        )
    }

    private func orders(
        _ request: CancelRequest,
        account: Address
    ) async throws(DexError) -> OwnOrders.Found {
        switch request {
        case .hashes(let hashes):
            var orders: [any SignedOrder] = []
            let finder = OrderFinder(session: session, journal: journal)
            var seen: Set<OrderHash> = []
            for hash in hashes where seen.insert(hash).inserted {
                guard let found = try await finder.find(hash) else {
                    throw BookError.unknownOrder(hash, network: session.network.name)
                }
                orders.append(found.order)
            }
            return OwnOrders.Found(orders: orders)
        case .pair(let text):
            let pair = try await TokenResolver(session: session).pair(text)
            let tokens: Set = [pair.base.address, pair.quote.address]
            var found = try await OwnOrders(session: session, journal: journal).all(of: account)
            found.orders.removeAll { tokens != [$0.makerToken, $0.takerToken] }
            return found
        case .all: return try await OwnOrders(session: session, journal: journal).all(of: account)
        }
    }

    private func call(
        _ orders: [any SignedOrder],
        by account: Address,
        _ inspection: OrderInspection
    ) -> PlannedCall {
        call(
            session.exchangeProtocol.cancelCall(orders, contracts: inspection.contracts),
            summary: "cancel \(Self.count(orders.count))",
            by: account,
            in: inspection.block
        )
    }

    private func call(
        _ call: ExchangeCall,
        summary: String,
        by account: Address,
        in block: Block
    ) -> PlannedCall {
        PlannedCall(
            purpose: .cancel,
            summary: summary,
            subject: "the cancel",
            request: CallRequest(from: account, to: call.to, data: call.data),
            floor: call.gasFloor.units(session.network.fees.revision(in: block))
        )
    }

    private static func count(_ orders: Int) -> String {
        "\(orders) \(orders == 1 ? "order" : "orders")"
    }

    // MARK: Whole pairs

    /// Cancels by salt for a request by pair, if the protocol has them.
    ///
    /// The minimum salt is one that a new order may have now, for it can never be lowered. An order
    /// of another program with a higher salt is cancelled separately.
    private func pairCancels(
        _ request: CancelRequest,
        _ open: [OrdersState.Row],
        at block: Block
    ) async -> [PairCancel] {
        // With a clock that is ahead, orders placed after its correction would count as cancelled.
        let now = await ClockCheck(session: session).time(block)
        guard case .pair = request, let minimum = session.exchangeProtocol.minValidSalt(from: now),
            let bound = session.exchangeProtocol.minValidSalt(from: now.addingSaturating(1))
        else { return [] }
        var cancels: [PairCancel] = []
        for order in open.map(\.order) where order.salt < bound {
            let index = cancels.firstIndex {
                $0.makerToken == order.makerToken && $0.takerToken == order.takerToken
            }
            let salt = max(minimum, order.salt + 1)
            let cancel = PairCancel(
                maker: order.maker,
                makerToken: order.makerToken,
                takerToken: order.takerToken,
                minimumSalt: index.map { max(cancels[$0].minimumSalt, salt) } ?? salt
            )
            if let index { cancels[index] = cancel } else { cancels.append(cancel) }
        }
        return cancels
    }

    private func call(
        _ cancels: [PairCancel],
        of open: [OrdersState.Row],
        by account: Address,
        _ inspection: OrderInspection
    ) -> [PlannedCall] {
        guard !cancels.isEmpty,
            let call = session.exchangeProtocol
                .pairCancelCall(cancels, contracts: inspection.contracts)
        else { return [] }
        let covered = open.filter { row in cancels.contains { $0.covers(row.order) } }
        let summary = "cancel \(Self.count(covered.count)) by their pair and salt"
        return [self.call(call, summary: summary, by: account, in: inspection.block)]
    }

    private func warning(_ cancel: PairCancel, _ open: [OrdersState.Row]) -> String {
        let row = open.first { cancel.covers($0.order) }
        let gives = row.map { PlainText.name($0.maker.token.symbol) } ?? ""
        let wants = row.map { PlainText.name($0.taker.token.symbol) } ?? ""
        return "ALL orders of the account that give \(gives) for \(wants) and have a salt below "
            + "\(cancel.minimumSalt) are cancelled at once, also those that neither the relay nor "
            + "the journal knows."
    }
}

extension CancelPlan {
    /// The orders' outcome is by their amounts, read again once the cancel is mined.
    package static func outcome(
        of plan: Plan<CancelPlan>,
        by results: StepResults,
        in context: OperationContext
    ) async throws(DexError) -> CancelOutcome {
        guard let contracts = plan.calls.first?.contracts else {
            throw ChainSetup.noExchange(context.session)
        }
        return try await CancelAudit(
            session: context.session,
            settings: context.settings,
            contracts: contracts
        ).outcome(plan.content, results.sent)
    }
}
