import DexStore
package import Ethereum
package import ZeroEx

/// `dex orders` and `dex order`: orders on the relay and in the journal, with their state.
package struct OrdersModel: ReadModel {
    package let context: ReadContext

    package init(_ context: ReadContext) { self.context = context }

    /// The matching orders: the relay's in its order, then those only in the journal.
    ///
    /// - Parameters:
    ///   - pairText: both directions of `BASE/QUOTE`; nil is every pair.
    ///   - maker: the maker of the orders; nil is any.
    ///   - onlyOpen: excludes orders that cannot be filled now.
    package func load(
        pairText: String? = nil,
        maker: Address? = nil,
        onlyOpen: Bool = false
    ) async throws(DexError) -> OrdersState {
        var pair: Pair?
        if let pairText { pair = try await TokenResolver(session: session).pair(pairText) }
        let filter = Filter(pair: pair, maker: maker)
        let own = try recorded(filter)
        let served = try await relayed(filter, needed: own.isEmpty)
        // A relay may serve a forged copy of a hash: our own copy is checked too.
        let copies = Set(served.orders.map(\.copyID))
        let all = served.orders + own.filter { !copies.contains($0.copyID) }
        async let checking = OrderVerifier(session: session).verify(all)
        let setup = try await ChainSetup.read(session, account: nil)
        let checked = await checking
        let shown = Showing(of: served.answers, checked)
        let ours = Set(own.map(\.hash))
        let isCounted = { (order: any SignedOrder) in
            shown.counts(order) || ours.contains(order.hash)
        }
        let inspection = try await OrderInspector(session: session, settings: settings).inspect(
            checked.verified.filter(isCounted),
            dropped: checked.dropped
                + checked.verified.filter { !isCounted($0) }
                .map { OrderbookState.Dropped($0, .leftOutRelay) },
            setup: setup,
            account: nil,
            own: ours,
            served: Set(copies.map(\.hash)),
            relays: shown.relays
        )
        var warnings: [String] = []
        if let pair, inspection.rows.isEmpty, session.relay != nil { warnings = [pair.absence] }
        if onlyOpen { warnings += OrdersState.unfunded(inspection.rows) }
        warnings += inspection.warnings + shown.warnings
        warnings += session.leftOutRelays.filter { !warnings.contains($0) }
        return OrdersState(
            block: inspection.block.number,
            timestamp: inspection.block.timestamp,
            rows: onlyOpen ? inspection.rows.filter(\.standing.isFillable) : inspection.rows,
            dropped: served.dropped + inspection.dropped,
            warnings: warnings
        )
    }

    /// One order by its hash.
    ///
    /// - Parameter account: also read, with its balances and allowances.
    /// - Throws: `DexError`: `unknown-order` (exit 2), the reason why it cannot be trusted
    ///   (exit 6), or the error of a read.
    package func order(
        hash: OrderHash,
        account: Address? = nil
    ) async throws(DexError) -> (
        row: OrdersState.Row, inspection: OrderInspection, warnings: [String]
    ) {
        let found = try await OrderFinder(session: session, journal: journal).find(hash)
        guard let found else {
            throw BookError.unknownOrder(hash, network: session.network.name)
        }
        let inspection = try await OrderInspector(session: session, settings: settings).rows(
            for: [found.order],
            account: account,
            own: found.isOwn ? [hash] : [],
            served: found.isOnRelay ? [hash] : [],
            relays: [found.order.copyID: found.relays]
        )
        guard let row = inspection.rows.first else {
            throw inspection.dropped.first.map(DexError.init)
                ?? BookError.unknownOrder(hash, network: session.network.name)
        }
        return (row, inspection, found.warnings + inspection.warnings)
    }

    // MARK: Where orders come from

    /// What the relays served.
    private struct Served {
        /// Those that match the filter.
        var orders: [any SignedOrder] = []
        var dropped: [OrderbookState.Dropped] = []
        var answers: [RelayOrders] = []
    }

    /// Which of several relays show which orders, and which are left out.
    private struct Showing {
        private(set) var relays: [OrderCopyID: [String]] = [:]
        private(set) var warnings: [String] = []
        private var onlyLeftOut: Set<OrderCopyID> = []

        init(of answers: [RelayOrders], _ checked: OrderVerifier.Outcome) {
            for answer in answers {
                if let words = answer.shortfall?.description, !warnings.contains(words) {
                    warnings.append(words)
                }
                let audit = RelayAudit(of: answer.relays, checked, misplaced: [])
                guard let provenance = audit.relays else { continue }
                warnings += provenance.warnings.filter { !warnings.contains($0) }
                for order in answer.orders {
                    let copy = order.copyID
                    let names = provenance.names(
                        provenance[copy].subtracting(provenance.leftOut)
                    )
                    relays[copy] = names
                    if names.isEmpty { onlyLeftOut.insert(copy) }
                }
            }
        }

        /// A relay that is not left out shows it, or there is one relay.
        func counts(_ order: any SignedOrder) -> Bool { !onlyLeftOut.contains(order.copyID) }
    }

    /// The user's filter, also applied here since relays may ignore filters.
    private struct Filter {
        let pair: Pair?
        let maker: Address?

        /// One query for each direction of the pair.
        func queries(exchange: Address) -> [OrderQuery] {
            var query = OrderQuery()
            query.exchange = exchange
            query.maker = maker
            guard let pair else { return [query] }
            var sell = query
            sell.makerToken = pair.base.address
            sell.takerToken = pair.quote.address
            var buy = query
            buy.makerToken = pair.quote.address
            buy.takerToken = pair.base.address
            return [sell, buy]
        }

        func matches(_ order: any SignedOrder) -> Bool {
            if let maker, order.maker != maker { return false }
            guard let pair else { return true }
            return OrderPricing(base: pair.base.address, quote: pair.quote.address)
                .side(of: order) != nil
        }
    }

    private func relayed(
        _ filter: Filter,
        needed: Bool
    ) async throws(DexError) -> Served {
        guard let relay = session.relay else {
            if needed { _ = try session.requiredRelay() }
            return Served()
        }
        let queries = filter.queries(exchange: session.network.exchange)
        let results = await queries.concurrentMap { query in
            await Result { () async throws(RelayError) in try await relay.orders(query) }
        }
        var served = Served()
        for result in results {
            switch result {
            case .failure(let error): throw DexError(error)
            case .success(let answer):
                served.orders += answer.orders.filter(filter.matches)
                served.dropped += OrderbookState.Dropped.list(answer.unreadable)
                served.answers.append(answer)
            }
        }
        return served
    }

    private func recorded(_ filter: Filter) throws(DexError) -> [any SignedOrder] {
        guard let journal else { return [] }
        return try journal.ownOrders(of: filter.maker, session: session).filter(filter.matches)
    }
}

extension OrdersState.Standing {
    /// It can be filled without a new signature: now, or once its maker has the funds.
    package var isOpen: Bool {
        switch self {
        case .open, .partlyFilled, .unfunded, .halfFunded, .unknown: true
        case .filled, .cancelled, .expired: false
        }
    }

    /// At least a part of it can be filled now.
    var isFillable: Bool { [.open, .partlyFilled, .halfFunded].contains(self) }
}

extension OrdersState {
    /// Notes on rows that `--open` excludes although they may be filled later.
    static func unfunded(_ rows: [Row]) -> [String] {
        let unknown = rows.count { $0.standing == .unknown }
        let unread =
            unknown == 0
            ? []
            : [
                "The funds of \(unknown == 1 ? "one order" : "\(unknown) orders") could not be read: "
                    + "`dex orders` without --open shows \(unknown == 1 ? "it" : "them")."
            ]
        let count = rows.count { $0.standing == .unfunded }
        return switch count {
        case 0: unread
        case 1:
            [
                "One order lacks its maker's balance or allowance and is not shown: `dex orders` "
                    + "without --open shows it."
            ] + unread
        default:
            [
                "\(count) orders lack their makers' balance or allowance and are not shown: `dex "
                    + "orders` without --open shows them."
            ] + unread
        }
    }
}

/// An order requested by its hash that is not valid.
extension OrderbookState.Dropped: ReportedError {
    package var report: DexError {
        Self.row(
            ErrorCode(.refused, recorded: reason.code),
            "The order \(orderHash.map(\.hex) ?? "") is not to be believed. \(reason.words)"
        )
    }
}
