package import Ethereum
import Logging
import StrictJSON
package import ZeroEx

/// Decides which orders the relay accepts, and hands them to the ledger.
///
/// The checks run from cheap to expensive and stop at the first stage that finds something: terms,
/// fees, signature, then the chain.
package struct OrderIntake: Sendable {
    let live: LiveConfiguration
    let rules: RelayRules
    let exchangeProtocol: any ExchangeProtocol
    let recoverer: any SignatureRecovering
    let auditor: OrderAuditor
    package let book: OrderBook
    let ledger: OrderLedger
    let now: @Sendable () -> UInt64
    let logger: Logger

    var configuration: RelayConfiguration { live.current }

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
        let configuration = configuration
        var fresh: [(index: Int, order: any SignedOrder)] = []
        var added: [Address: Int] = [:]
        for (index, order) in orders.enumerated() {
            do throws(OrderRefusals) {
                guard configuration.acceptsOrders else { throw OrderRefusals([.closed]) }
                try checkTerms(of: order)
                try checkFees(of: order)
                try checkSignature(of: order)
                let (state, count, countOfMaker) = book.read {
                    ($0.listing(order.hash)?.state, $0.count, $0.count(of: order.maker))
                }
                if Self.isAccepted(state) { continue }
                guard count + fresh.count < configuration.maximumOrders else {
                    throw OrderRefusals([.full])
                }
                let limit = configuration.maximumOrdersOfMaker
                guard countOfMaker + added[order.maker, default: 0] < limit else {
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
        do throws(OrderStoreError) {
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
        let configuration = configuration
        let fresh = orders.filter { order in
            !Self.isAccepted(book.read { $0.listing(order.hash)?.state })
        }
        outcome.known = orders.count - fresh.count
        var sound: [any SignedOrder] = []
        for (order, refusals) in zip(fresh, await verdicts(on: fresh)) {
            if let refusals {
                outcome.refused.append((order.hash, refusals))
            } else if book.read({ $0.count }) + sound.count >= configuration.maximumOrders {
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

    /// A maker's orders that are not in the book, the latest first.
    package func unshown(of maker: Address) async throws(OrderStoreError) -> [Listing] {
        try await ledger.store.unshown(of: maker, exchangeProtocol.version).compactMap { order in
            entry(of: order).map {
                Listing(entry: $0, state: order.state, standing: order.standing)
            }
        }
    }

    /// The latest expiry that is no longer shown, in seconds since 1970.
    package var horizon: UInt64 {
        now().addingReportingOverflow(rules.shortestLife - 1).partialValue
    }

    private func entry(of stored: ListedOrder) -> OrderEntry? {
        guard
            let json = try? JSONParser.parse(  // nil: damaged
                stored.body,
                maximumDepth: RelayConfiguration.maximumBodyDepth
            ),
            let order = try? exchangeProtocol.decodeOrder(json),  // nil: damaged
            order.hash == stored.hash
        else { return nil }
        return OrderEntry(order, body: stored.body, ranking: rules.ranking)
    }

    /// An order in this state is taken again without a change.
    private static func isAccepted(_ state: ListingState?) -> Bool {
        state == .shown || state == .hidden
    }

    /// Puts orders into the book.
    ///
    /// - Returns: how many came into it.
    private func keep(
        _ orders: [(any SignedOrder, OrderAudit)]
    ) async throws(OrderStoreError) -> Int {
        let now = now()
        var batch = OrderBatch()
        var entries: [OrderHash: OrderEntry] = [:]
        for (order, audit) in orders where entries[order.hash] == nil {
            let body = exchangeProtocol.encodeOrder(order).utf8
            guard let entry = OrderEntry(order, body: body, ranking: rules.ranking) else {
                continue
            }
            entries[order.hash] = entry
            let standing = OrderStanding(audit)
            if book.read({ $0.listing(order.hash)?.state }) == .dormant {
                batch.updated.append(
                    .init(hash: order.hash, state: .shown, standing: standing, expected: .dormant)
                )
            } else {
                batch.added.append(
                    ListedOrder(
                        hash: order.hash,
                        version: exchangeProtocol.version,
                        maker: order.maker,
                        direction: entry.direction,
                        body: body,
                        receivedAt: now,
                        state: .shown,
                        standing: standing,
                        since: now
                    )
                )
            }
        }
        guard !entries.isEmpty else { return 0 }
        return try await ledger.commit(batch, entries: Array(entries.values)).count
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
