import Ethereum
import Logging
import Synchronization
package import ZeroEx

/// Removes orders that can no longer be filled: expired, filled, cancelled, or without funds.
///
/// Work is bounded: a step reads at most one chunk of orders on chain, recently served ones first,
/// and reads nothing while the chain has no new block.
package actor OrderPruner {
    private let intake: OrderIntake
    private let suspects = SuspectSet()
    /// The block of each order's last audit.
    private var audited: [OrderHash: BlockHash] = [:]
    /// The last step's place in the orders by hash; the next step continues after it.
    private var cursor: OrderEntry?
    /// A block at which every order was audited, and the change that brought the newest of them.
    private var finished: (block: BlockHash, newest: UInt64)?

    package init(intake: OrderIntake) {
        self.intake = intake
    }

    /// Requests an early check of orders that were just served.
    package nonisolated func suspect(_ hashes: some Sequence<OrderHash>) {
        suspects.insert(hashes)
    }

    /// One bounded step.
    ///
    /// - Returns: the number of dropped orders.
    @discardableResult
    package func step() async -> Int {
        do {
            let expired = try await dropExpired()
            return try await expired + dropUnfillable()
        } catch {
            intake.logger.warning("Pruning waits: \(error)")
            return 0
        }
    }

    /// Steps forever, one each interval, until cancelled.
    package func run(every interval: Duration) async {
        while !Task.isCancelled {
            await step()
            try? await ContinuousClock().sleep(for: interval)  // cancelled: the loop ends
        }
    }

    /// Takes expired orders out of the book.
    func dropExpired() async throws(OrderStoreError) -> Int {
        let now = intake.now()
        let shown = intake.book.read { $0.shown }
        guard shown.earliestExpiry <= now else { return 0 }
        return try await commit(
            shown.all.filter { $0.entry.expiry <= now }.map { ($0, .expired, $0.standing.ended) }
        )
    }

    private func dropUnfillable() async throws -> Int {
        let (shown, newest) = intake.book.read { ($0.shown, $0.newest) }
        guard shown.count > 0 else { return 0 }
        let block = try await intake.auditor.latestBlock()
        // Without a new block or a new order there is nothing to check.
        if let finished, finished == (block, newest) {
            suspects.clear()
            return 0
        }
        let chunk = nextOrders(of: shown, at: block)
        guard !chunk.isEmpty else {
            finished = (block, newest)
            return 0
        }
        let audits = try await intake.auditor.audit(chunk.map(\.entry.order))
        var news: [(Listing, ListingState, OrderStanding)] = []
        for (listing, audit) in zip(chunk, audits) {
            audited[listing.entry.hash] = block
            let standing = OrderStanding(audit)
            if audit.fillable == .zero {
                news.append((listing, audit.listingState, standing))
            } else if listing.standing != standing {
                news.append((listing, .shown, standing))
            }
        }
        return try await commit(news)
    }

    /// Orders not yet audited at this block: the suspects, then those after the cursor.
    private func nextOrders(of shown: SortedListings, at block: BlockHash) -> [Listing] {
        let limit = intake.configuration.auditChunk
        var chosen: Set<OrderHash> = []
        var orders: [Listing] = []
        func choose(_ listing: Listing) {
            let hash = listing.entry.hash
            guard audited[hash] != block, chosen.insert(hash).inserted else { return }
            orders.append(listing)
        }
        for hash in suspects.drain() where orders.count < limit {
            if let listing = intake.book.read({ $0.shown(hash) }) { choose(listing) }
        }
        let rest = cursor.map { shown.after($0, limit: shown.count) } ?? []
        for listing in rest + shown.all {
            guard orders.count < limit else { return orders }
            choose(listing)
            cursor = listing.entry
        }
        return orders
    }

    /// - Returns: how many orders left the book.
    private func commit(
        _ news: [(listing: Listing, state: ListingState, standing: OrderStanding)]
    ) async throws(OrderStoreError) -> Int {
        guard !news.isEmpty else { return 0 }
        var batch = OrderBatch()
        for (listing, state, standing) in news {
            if state != .shown { audited[listing.entry.hash] = nil }
            batch.updated.append(
                .init(
                    hash: listing.entry.hash,
                    state: state,
                    standing: standing,
                    expected: .shown
                )
            )
        }
        let changes = try await intake.ledger.commit(batch, entries: news.map(\.listing.entry))
        return changes.count { $0.order.state != .shown }
    }
}

extension OrderAudit {
    /// The state of an order of which nothing can be filled.
    fileprivate var listingState: ListingState {
        switch state.status {
        case .open, .rejected: .dormant
        case .filled: .filled
        case .cancelled: .cancelled
        case .expired: .expired
        }
    }
}

/// Hashes to check first; bounded, so that heavy serving costs no memory.
private final class SuspectSet: Sendable {
    private static let capacity = 1_000
    private let hashes = Mutex<Set<OrderHash>>([])

    func insert(_ new: some Sequence<OrderHash>) {
        hashes.withLock { hashes in
            for hash in new {
                guard hashes.count < Self.capacity else { return }
                hashes.insert(hash)
            }
        }
    }

    func clear() {
        hashes.withLock { $0.removeAll(keepingCapacity: true) }
    }

    func drain() -> Set<OrderHash> {
        hashes.withLock { hashes in
            let drained = hashes
            hashes.removeAll(keepingCapacity: true)
            return drained
        }
    }
}
