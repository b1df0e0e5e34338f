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
    /// The last step's position in the order of arrival; the next step continues after it.
    private var cursor: UInt64 = 0
    /// A block at which every order was audited, and the newest of these orders.
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

    private func dropExpired() async throws -> Int {
        let now = intake.now()
        let book = intake.book.snapshot
        guard book.earliestExpiry <= now else { return 0 }
        var expired: [OrderHash: UnfillableState] = [:]
        for entry in book.all where entry.expiry <= now { expired[entry.hash] = .expired }
        try await drop(expired)
        return expired.count
    }

    private func dropUnfillable() async throws -> Int {
        let book = intake.book.snapshot
        guard book.count > 0 else { return 0 }
        let block = try await intake.auditor.latestBlock()
        // Without a new block or a new order there is nothing to check.
        if let finished, finished == (block, book.newestSequence) {
            suspects.clear()
            return 0
        }
        let chunk = nextOrders(of: book, at: block)
        guard !chunk.isEmpty else {
            finished = (block, book.newestSequence)
            return 0
        }
        let audits = try await intake.auditor.audit(chunk)
        var dead: [OrderHash: UnfillableState] = [:]
        var standings: [(OrderHash, OrderStanding)] = []
        for (order, audit) in zip(chunk, audits) {
            audited[order.hash] = block
            if audit.fillable == .zero {
                dead[order.hash] = audit.unfillableState
            } else {
                standings.append((order.hash, OrderStanding(audit)))
            }
        }
        try await drop(dead)
        intake.book.update { [standings] in $0.note(standings) }
        return dead.count
    }

    /// Orders not yet audited at this block: the suspects, then those after the cursor.
    private func nextOrders(of book: OrderIndex, at block: BlockHash) -> [any SignedOrder] {
        let limit = intake.configuration.auditChunk
        var chosen: Set<OrderHash> = []
        var orders: [any SignedOrder] = []
        func choose(_ entry: OrderEntry) {
            guard audited[entry.hash] != block, chosen.insert(entry.hash).inserted else { return }
            orders.append(entry.order)
        }
        for hash in suspects.drain() where orders.count < limit {
            if let entry = book.entry(hash) { choose(entry) }
        }
        let all = book.all
        let start = all.firstIndex { $0.sequence > cursor } ?? all.startIndex
        for part in [all[start...], all[..<start]] {
            for entry in part {
                guard orders.count < limit else { return orders }
                choose(entry)
                cursor = entry.sequence
            }
        }
        return orders
    }

    private func drop(_ orders: [OrderHash: UnfillableState]) async throws {
        guard !orders.isEmpty else { return }
        for hash in orders.keys { audited[hash] = nil }
        try await intake.drop(orders)
    }
}

extension OrderAudit {
    /// Why nothing of the order can be filled.
    fileprivate var unfillableState: UnfillableState {
        switch state.status {
        case .open, .rejected: .unfunded
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
