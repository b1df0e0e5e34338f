import DexStore
import Ethereum
import ZeroEx

/// The account's open orders: those that are about to expire or cannot be filled.
///
/// They are read again when there is a new block or a new order; in between only time passes.
struct WatchedOrders {
    private struct Standing {
        let order: any SignedOrder
        let remaining: UInt256
        /// nil if the node did not report the maker's funds.
        let isFunded: Bool?
    }

    let session: Session
    let journal: Journal
    let subject: WatchTarget
    let tell: @Sendable (WatchStatus) -> Void

    private var standings: [Standing] = []
    private var place: WatchEvent.Place?
    /// The orders of the last request.
    private var asked: Set<OrderHash>?
    /// Expired orders that can no longer change.
    private var ended: Set<OrderHash> = []
    private var relayed: [any SignedOrder] = []
    /// Decoded and hashed orders of the journal.
    private var decoded: [OrderHash: any SignedOrder] = [:]
    private var isRelayFailing = false

    init(
        session: Session,
        journal: Journal,
        subject: WatchTarget,
        tell: @escaping @Sendable (WatchStatus) -> Void
    ) {
        self.session = session
        self.journal = journal
        self.subject = subject
        self.tell = tell
    }

    /// The tokens of all our orders in the journal.
    mutating func tokens() throws(DexError) -> Set<Address> {
        Set(try recorded().flatMap { [$0.makerToken, $0.takerToken] })
    }

    /// Reads the state of the orders, if it may have changed.
    ///
    /// - Parameters:
    ///   - head: the latest block.
    ///   - since: orders that expired before are ignored.
    mutating func update(head: Block, since: UInt64) async throws(DexError) {
        let isNewBlock = place?.block.hash != head.hash
        if isNewBlock { await askRelay() }
        var orders = try recorded()
        let known = Set(orders.map(\.hash))
        orders += relayed.filter { !known.contains($0.hash) }
        orders = orders.filter { $0.expiry > UInt256(since) && !ended.contains($0.hash) }
        let hashes = Set(orders.map(\.hash))
        guard isNewBlock || asked != hashes else { return }
        guard !orders.isEmpty else {
            standings = []
            asked = hashes
            place = Self.place(head)
            return
        }
        let inspection = try await OrderInspector(session: session).rows(for: orders)
        let capacity = FillCapacity(
            holdings: inspection.holdings,
            exchangeProtocol: session.exchangeProtocol,
            contracts: inspection.contracts
        )
        standings = inspection.rows.map { row in
            let fill = capacity.fill(of: row.order, remaining: row.state.remaining)
            return Standing(
                order: row.order,
                remaining: row.state.remaining,
                isFunded: fill.obstacle == .unreadable ? nil : fill.obstacle != .unfunded
            )
        }
        asked = hashes
        place = Self.place(inspection.block)
    }

    /// The current events of the orders, reported or not.
    ///
    /// - Parameters:
    ///   - funding: the number of reported changes of an order's funds, and the last one.
    mutating func events(
        expiryNotice: UInt64,
        funding: (OrderHash) -> (count: Int, last: WatchEvent.Kind?)
    ) -> [WatchEvent] {
        guard let place else { return [] }
        let now = max(place.time, session.environment.now())
        let (limit, overflow) = now.addingReportingOverflow(expiryNotice)
        var events: [WatchEvent] = []
        for standing in standings {
            let order = standing.order
            func add(_ kind: WatchEvent.Kind, ordinal: Int = 0) {
                events.append(
                    subject.event(
                        kind,
                        of: order,
                        gives: session.exchangeProtocol
                            .makerAmount(of: order, filling: standing.remaining) ?? .zero,
                        gets: standing.remaining,
                        ordinal: ordinal,
                        place: place
                    )
                )
            }
            let isExpired = order.expiry <= UInt256(now)
            if standing.remaining == .zero {
                if isExpired { ended.insert(order.hash) }
            } else if isExpired {
                add(.expired)
                ended.insert(order.hash)
            } else {
                if order.expiry <= UInt256(overflow ? .max : limit) { add(.expiring) }
                let (count, last) = funding(order.hash)
                if standing.isFunded == false, last != .unfunded { add(.unfunded, ordinal: count) }
                if standing.isFunded == true, last == .unfunded { add(.funded, ordinal: count) }
            }
        }
        return events
    }

    /// The keys of all their possibly noted events, to look up in the journal.
    ///
    /// None is needed for funds, which follow from the last noted event.
    var keys: Set<Bytes32> {
        guard let place else { return [] }
        return Set(
            standings.flatMap { standing in
                [WatchEvent.Kind.expiring, .expired].map { kind in
                    subject.event(kind, of: standing.order, gives: 0, gets: 0, place: place).key
                }
            }
        )
    }

    /// Forgets what was read, so that the next reading starts again: its events were not noted.
    mutating func reset() {
        (standings, place, asked, ended) = ([], nil, nil, [])
    }

    // MARK: Sources

    /// The orders of the journal.
    mutating func recorded() throws(DexError) -> [any SignedOrder] {
        let records = try journaled(
            try journal.orders(of: subject.account, network: session.network)
        )
        var orders: [any SignedOrder] = []
        for record in records {
            let order = decoded[record.hash] ?? OrderFinder.order(of: record, session: session)
            guard let order, order.maker == subject.account else { continue }
            decoded[record.hash] = order
            orders.append(order)
        }
        return orders
    }

    /// Orders that were signed elsewhere; while the relay does not answer, its last ones stay.
    private mutating func askRelay() async {
        guard let relay = session.relay else { return }
        var query = OrderQuery()
        query.exchange = subject.exchange
        query.maker = subject.account
        do throws(RelayError) {
            relayed = try await relay.orders(query).orders.filter { $0.maker == subject.account }
            if isRelayFailing { tell(.recovered) }
            isRelayFailing = false
        } catch {
            guard !Task.isCancelled else { return }
            if !isRelayFailing { tell(.relayFailing(PlainText.sentence(error.description))) }
            isRelayFailing = true
        }
    }

    private static func place(_ block: Block) -> WatchEvent.Place {
        WatchEvent.Place(
            block: WatchedBlock(number: block.number, hash: block.hash),
            logIndex: nil,
            time: block.timestamp
        )
    }
}
