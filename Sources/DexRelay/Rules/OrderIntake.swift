package import Ethereum
import Logging
import StrictJSON
package import ZeroEx

/// Decides which orders the relay accepts, and keeps book and store together.
///
/// The checks run from cheap to expensive and stop at the first stage that finds something: terms,
/// fees, signature, then the chain.
package struct OrderIntake: Sendable {
    let configuration: RelayConfiguration
    let rules: RelayRules
    let exchangeProtocol: any ExchangeProtocol
    let recoverer: any SignatureRecovering
    let auditor: OrderAuditor
    package let book: OrderBook
    let store: RelayStore
    let now: @Sendable () -> UInt64
    let logger: Logger

    /// The outcome of many orders posted at once.
    package struct BulkOutcome: Sendable {
        package var added = 0
        /// Orders that were already there.
        package var known = 0
        package var refused: [(OrderHash, OrderRefusals)] = []
    }

    /// A refused order among several that were posted together, with the reason.
    package struct RefusedPost: Error {
        /// Its index among them.
        package let index: Int
        package let refusals: OrderRefusals
    }

    /// Accepts one order; a known order is accepted again without a change.
    ///
    /// - Returns: true if it is new.
    package func post(_ order: any SignedOrder) async throws(OrderRefusals) -> Bool {
        do throws(RefusedPost) {
            return try await post([order]) == 1
        } catch {
            throw error.refusals
        }
    }

    /// Accepts all of these orders, or none of them.
    ///
    /// - Returns: the number of new ones.
    /// - Throws: `RefusedPost`: for the first order that is refused.
    package func post(_ orders: [any SignedOrder]) async throws(RefusedPost) -> Int {
        let book = book.snapshot
        var fresh: [(index: Int, order: any SignedOrder)] = []
        var added: [Address: Int] = [:]
        for (index, order) in orders.enumerated() {
            do throws(OrderRefusals) {
                guard configuration.acceptsOrders else { throw OrderRefusals([.closed]) }
                try checkTerms(of: order)
                try checkFees(of: order)
                try checkSignature(of: order)
                guard book.entry(order.hash) == nil else { continue }
                guard book.count + fresh.count < configuration.maximumOrders else {
                    throw OrderRefusals([.full])
                }
                let limit = configuration.maximumOrdersOfMaker
                guard book.count(of: order.maker) + added[order.maker, default: 0] < limit else {
                    throw OrderRefusals([.tooManyOfMaker(limit: limit)])
                }
            } catch {
                throw RefusedPost(index: index, refusals: error)
            }
            added[order.maker, default: 0] += 1
            fresh.append((index, order))
        }
        guard let first = fresh.first else { return 0 }
        let audits: [OrderAudit]
        do throws(ChainError) {
            audits = try await auditor.audit(fresh.map(\.order))
        } catch {
            logger.warning("The chain cannot be read: \(error)")
            throw RefusedPost(index: first.index, refusals: OrderRefusals([.chainUnavailable]))
        }
        for (part, audit) in zip(fresh, audits) {
            do throws(OrderRefusals) {
                try check(audit)
            } catch {
                throw RefusedPost(index: part.index, refusals: error)
            }
        }
        do {
            return try await keep(Array(zip(fresh.map(\.order), audits)))
        } catch {
            logger.error("Orders cannot be stored: \(error)")
            throw RefusedPost(index: first.index, refusals: OrderRefusals([.storeUnavailable]))
        }
    }

    /// Accepts many orders at once, with signatures checked on all cores.
    ///
    /// Each is checked like a posted one, except for the fees, which may follow an earlier
    /// schedule, and the limit of one maker.
    ///
    /// - Throws: `ChainError` or the store's error; then none was accepted.
    @concurrent
    package func add(_ orders: [any SignedOrder]) async throws -> BulkOutcome {
        var outcome = BulkOutcome()
        let snapshot = book.snapshot
        let fresh = orders.filter { snapshot.entry($0.hash) == nil }
        outcome.known = orders.count - fresh.count
        var sound: [any SignedOrder] = []
        for (order, refusals) in zip(fresh, await verdicts(on: fresh)) {
            if let refusals {
                outcome.refused.append((order.hash, refusals))
            } else if snapshot.count + sound.count >= configuration.maximumOrders {
                outcome.refused.append((order.hash, OrderRefusals([.full])))
            } else {
                sound.append(order)
            }
        }
        var accepted: [(any SignedOrder, OrderAudit)] = []
        for chunk in sound.chunks(of: configuration.auditChunk) {
            for (order, audit) in zip(chunk, try await auditor.audit(chunk)) {
                do throws(OrderRefusals) {
                    try check(audit)
                    accepted.append((order, audit))
                } catch {
                    outcome.refused.append((order.hash, error))
                }
            }
        }
        outcome.added = try await keep(accepted)
        outcome.known += accepted.count - outcome.added
        return outcome
    }

    /// Fills the book from the store.
    ///
    /// Orders that expired meanwhile are removed, invalid ones deleted. Hashes are computed again;
    /// signatures were checked before they were stored.
    ///
    /// - Returns: the number of orders in the book.
    @concurrent
    package func restore() async throws -> Int {
        let now = now()
        var entries: [OrderEntry] = []
        var dead: [OrderHash] = []
        var expired: [OrderHash: UnfillableState] = [:]
        for record in try await store.all(exchangeProtocol.version) {
            guard let entry = entry(of: record) else {
                dead.append(record.hash)
                continue
            }
            if entry.expiry > now { entries.append(entry) } else { expired[entry.hash] = .expired }
        }
        if !dead.isEmpty {
            logger.warning("\(dead.count) stored orders cannot be read and are deleted.")
            try await store.delete(dead)
        }
        try await retire(expired)
        book.update { $0.insert(contentsOf: entries) }
        return entries.count
    }

    /// Removes orders from the book; the store keeps them if the API shows them to their makers.
    package func drop(_ orders: [OrderHash: UnfillableState]) async throws {
        guard !orders.isEmpty else { return }
        book.update { $0.remove(Set(orders.keys)) }
        try await retire(orders)
    }

    private func retire(_ orders: [OrderHash: UnfillableState]) async throws {
        guard !orders.isEmpty else { return }
        if rules.keepsUnfillable {
            try await store.retire(orders, since: now())
        } else {
            try await store.delete(orders.keys)
        }
    }

    /// A maker's orders that left the book, with their wire form.
    package func unfillable(
        of maker: Address
    ) async throws -> [(entry: OrderEntry, state: UnfillableState)] {
        try await store.unfillable(of: maker, exchangeProtocol.version).compactMap { kept in
            entry(of: RelayStore.Record(sequence: 0, hash: kept.hash, body: kept.body))
                .map { ($0, kept.state) }
        }
    }

    /// The latest expiry that is no longer shown, in seconds since 1970.
    package var horizon: UInt64 {
        now().addingReportingOverflow(rules.shortestLife - 1).partialValue
    }

    private func entry(of record: RelayStore.Record) -> OrderEntry? {
        guard
            let json = try? JSONParser.parse(  // nil: damaged
                record.body,
                maximumDepth: RelayConfiguration.maximumBodyDepth
            ),
            let order = try? exchangeProtocol.decodeOrder(json),  // nil: damaged
            order.hash == record.hash
        else { return nil }
        return OrderEntry(
            order,
            body: record.body,
            sequence: record.sequence,
            ranking: rules.ranking
        )
    }

    private func keep(_ orders: [(any SignedOrder, OrderAudit)]) async throws -> Int {
        let receivedAt = now()
        var bodies: [OrderHash: (any SignedOrder, [UInt8])] = [:]
        var records: [RelayStore.NewRecord] = []
        for (order, _) in orders where bodies[order.hash] == nil {
            let body = exchangeProtocol.encodeOrder(order).utf8
            bodies[order.hash] = (order, body)
            records.append(
                .init(hash: order.hash, maker: order.maker, body: body, receivedAt: receivedAt)
            )
        }
        let inserted = try await store.insert(records, of: exchangeProtocol.version)
        let entries = inserted.compactMap { hash, sequence in
            bodies[hash].flatMap {
                OrderEntry($0.0, body: $0.1, sequence: sequence, ranking: rules.ranking)
            }
        }
        let standings = orders.map { ($0.0.hash, OrderStanding($0.1)) }
        book.update { index in
            if entries.count == 1 {
                index.insert(entries[0])
            } else {
                index.insert(contentsOf: entries)
            }
            index.note(standings)
        }
        return entries.count
    }
}

extension Array {
    /// The elements in runs of limited length.
    func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: Swift.max(1, size)).map {
            Array(self[$0..<Swift.min(count, $0 + Swift.max(1, size))])
        }
    }
}
