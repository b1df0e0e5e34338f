package import DexSigning
package import DexStore
package import Ethereum
import ZeroEx

/// Cancels own orders on chain.
package struct CancelModel: Sendable {
    let session: Session
    let journal: any Journal
    let settings: TradeSettings

    package init(session: Session, journal: any Journal, settings: TradeSettings) {
        self.session = session
        self.journal = journal
        self.settings = settings
    }

    /// The orders that would be cancelled, in one transaction where they fit; nothing is signed or
    /// written.
    ///
    /// - Throws: `DexError` with exit 6 where there is nothing to cancel or an order is not ours.
    package func plan(
        _ request: CancelRequest,
        account: Address
    ) async throws(DexError) -> PlannedCancel {
        let found = try await orders(request, account: account)
        for order in found where order.maker != account {
            throw DexError(
                .refused,
                code: "not-own-order",
                message: "The order \(order.hash) was made by \(order.maker.checksummed), and only "
                    + "its maker can cancel it.",
                hint: "Choose the maker's wallet with --wallet."
            )
        }
        let inspection = try await OrderInspector(session: session)
            .rows(for: found, account: account)
        let open = inspection.rows.filter {
            $0.state.remaining > .zero && $0.standing != .expired
        }
        guard !open.isEmpty, let state = inspection.account, let fees = inspection.fees else {
            throw nothingToCancel(inspection.rows)
        }
        let pieces = CancelPieces(exchangeProtocol: session.exchangeProtocol)
            .pieces(open.map(\.order), contracts: inspection.contracts, block: inspection.block)
        let calls = pieces.map { call($0, by: account, inspection.contracts) }
        var batch = ReadBatch()
        for read in calls.flatMap(\.reads) { _ = batch.add(read) }
        let answers = try await batch.send(to: session.chain).results
        var limits: [UInt64] = []
        for (index, call) in calls.enumerated() {
            let own = answers[(2 * index)..<(2 * index + 2)]
            let (_, limit) = try call.simulated(
                own,
                block: inspection.block,
                by: session.exchangeProtocol
            )
            limits.append(limit)
        }
        let inFlight = InFlight(session: session, journal: journal, concern: .cancel)
        let gas = try GasPricing.plan(
            limits,
            fees: fees,
            ether: state.ether,
            settings: settings
        )
        let plan = CancelPlan(
            account: account,
            orders: open,
            steps: zip(calls, limits).map { PlannedTransaction($0, gasLimit: $1) },
            gas: gas,
            warnings: try await inFlight.warnings(account: account, next: state.pendingNonce)
                + warnings(inspection.rows, open: open, gas: gas)
                + CancelPieces.warnings(pieces)
        )
        return PlannedCancel(
            plan: plan,
            contracts: inspection.contracts,
            calls: zip(calls, limits).map { PlannedCancel.Call(call: $0, gasLimit: $1) }
        )
    }

    /// Tells whether all that is planned would be signed: the rules of policy.toml, and the limits
    /// of an unlocked key.
    ///
    /// - Throws: `DexError`, exit 6.
    package func check(_ plan: PlannedCancel, signer: AuthorizedSigner) throws(DexError) {
        try PolicyCheck(signer: signer, session: session).check(plan)
    }

    /// Sends the cancel and, once it is mined, reads every order's amounts again.
    ///
    /// - Throws: `DexError` as `MarketOrderModel.execute`.
    package func execute(
        _ plan: PlannedCancel,
        signer: AuthorizedSigner
    ) async throws(DexError) -> CancelOutcome {
        try await CancelExecutor(
            session: session,
            journal: journal,
            settings: settings,
            signer: signer
        ).execute(plan)
    }

    // MARK: Which orders

    private func orders(
        _ request: CancelRequest,
        account: Address
    ) async throws(DexError) -> [any SignedOrder] {
        switch request {
        case .hashes(let hashes):
            var orders: [any SignedOrder] = []
            let finder = OrderFinder(session: session, journal: journal)
            var seen: Set<OrderHash> = []
            for hash in hashes where seen.insert(hash).inserted {
                guard let found = try await finder.find(hash) else {
                    throw .unknownOrder(hash, session.network)
                }
                orders.append(found.order)
            }
            return orders
        case .pair(let text):
            let pair = try await TokenResolver(session: session).pair(text)
            let tokens: Set = [pair.base.address, pair.quote.address]
            return try await OwnOrders(session: session, journal: journal).all(of: account)
                .filter { tokens == [$0.makerToken, $0.takerToken] }
        case .all: return try await OwnOrders(session: session, journal: journal).all(of: account)
        }
    }

    private func nothingToCancel(_ rows: [OrdersState.Row]) -> DexError {
        let words = rows.map { "\($0.order.hash) is \($0.standing.rawValue)" }
        return DexError(
            .refused,
            code: "nothing-to-cancel",
            message: rows.isEmpty
                ? "The account has no such orders."
                : "None of the orders is open: \(words.prefix(5).joined(separator: ", ")).",
            hint: "See `dex orders --mine`."
        )
    }

    private func warnings(
        _ rows: [OrdersState.Row],
        open: [OrdersState.Row],
        gas: GasPlan
    ) -> [String] {
        let warnings = rows.filter { row in !open.contains { $0.order.hash == row.order.hash } }
            .map { "The order \($0.order.hash) is \($0.standing.rawValue) and is left out." }
        return warnings + gas.warnings
    }

    private func call(
        _ orders: [any SignedOrder],
        by account: Address,
        _ contracts: ExchangeContracts
    ) -> PlannedCall {
        let call = session.exchangeProtocol.cancelCall(orders, contracts: contracts)
        return PlannedCall(
            purpose: .cancel,
            summary: "cancel \(orders.count) \(orders.count == 1 ? "order" : "orders")",
            subject: "the cancel",
            request: CallRequest(from: account, to: call.to, data: call.data),
            floor: call.gasFloor
        )
    }
}

/// A planned cancel: what is shown, and what `execute` needs.
package struct PlannedCancel: Sendable {
    /// What is shown and confirmed.
    package let plan: CancelPlan
    let contracts: ExchangeContracts
    /// Sent one after another; together they are all orders of the plan.
    let calls: [Call]

    /// One transaction and the gas that was confirmed for it.
    struct Call: Sendable {
        let call: PlannedCall
        let gasLimit: UInt64
    }
}
