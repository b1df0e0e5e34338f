import Ethereum
import Synchronization
import ZeroEx

@testable import DexRelay

/// A store without a disk, for tests of what stands upon one; it can fail on request.
final class MemoryOrderStore: OrderStore {
    private struct State {
        var orders: [OrderHash: ListedOrder] = [:]
        var changes = RecentChanges(after: 0)
        var sequences: [MarketKey: UInt64] = [:]
        var position: WatchPosition?
        var lease: Lease?
        var epoch: UInt64 = 0
        var failure: OrderStoreError?
        var commits = 0
        var gate: Gate?
        var commitGate: Gate?
        var isClosed = false
    }

    final class Lease: WatchLease {
        let epoch: UInt64
        private let held = Mutex(true)

        init(epoch: UInt64) {
            self.epoch = epoch
        }

        var isHeld: Bool {
            get async { held.withLock { $0 } }
        }

        var isLost: Bool { held.withLock { !$0 } }

        func release() async { lose() }

        func lose() { held.withLock { $0 = false } }
    }

    private let state = Mutex(State())
    private let wakings = AsyncStream.makeStream(of: StoreWakeUp.self)

    /// Wakes the one reader of `wakeUps`.
    func wake(_ wakeUp: StoreWakeUp) { wakings.continuation.yield(wakeUp) }

    /// Holds answers of `load` that are read already.
    func holdLoads(at gate: Gate) {
        state.withLock { $0.gate = gate }
    }

    /// Holds the answer of the next commit, which is written already.
    func holdCommit(at gate: Gate) {
        state.withLock { $0.commitGate = gate }
    }

    func endWakeUps() { wakings.continuation.finish() }

    /// Fails every call until it is nil again.
    func fail(with failure: OrderStoreError?) {
        state.withLock { $0.failure = failure }
    }

    /// Takes the watcher's lease away, as a broken connection does.
    func breakLease() {
        state.withLock { $0.lease?.lose() }
    }

    var position: WatchPosition? { state.withLock { $0.position } }
    var commits: Int { state.withLock { $0.commits } }
    var states: [OrderHash: ListingState] {
        state.withLock { $0.orders.mapValues(\.state) }
    }

    func order(_ hash: OrderHash) -> ListedOrder? {
        state.withLock { $0.orders[hash] }
    }

    /// Sets what a watcher of another release or a crash has left.
    func set(position: WatchPosition?) {
        state.withLock { $0.position = position }
    }

    private func use<Value>(
        _ body: (inout sending State) throws(OrderStoreError) -> sending Value
    ) throws(OrderStoreError) -> Value {
        try state.withLock { state throws(OrderStoreError) in
            if let failure = state.failure { throw failure }
            if state.isClosed { throw .unavailable(reason: "the store is closed") }
            return try body(&state)
        }
    }

    func commit(
        _ batch: OrderBatch,
        now: UInt64
    ) async throws(OrderStoreError) -> [OrderChange] {
        let (changes, gate) = try use { state throws(OrderStoreError) in
            guard batch.epoch == nil || batch.epoch == state.epoch else { throw .superseded }
            var stored: [OrderHash: ListedOrder] = [:]
            for hash in batch.added.map(\.hash) + batch.updated.map(\.hash) {
                stored[hash] = state.orders[hash]
            }
            let plan = BatchPlan(
                batch,
                stored: stored,
                last: state.changes.last,
                now: now
            )
            state.orders.merge(plan.written) { $1 }
            state.orders.merge(plan.updated) { $1 }
            let changes = plan.numbered(from: state.sequences)
            for (market, count) in plan.counts {
                state.sequences[market, default: 0] += UInt64(count)
            }
            state.changes.append(changes, at: now)
            if let position = batch.position { state.position = position }
            state.commits += 1
            defer { state.commitGate = nil }
            return (changes, state.commitGate)
        }
        await gate?.pass()
        return changes
    }

    func changes(
        after number: UInt64,
        limit: Int
    ) async throws(OrderStoreError) -> [OrderChange]? {
        try use { $0.changes.after(number, limit: limit) }
    }

    func load(
        goneSince: UInt64,
        _ row: (ListedOrder) -> Void
    ) async throws(OrderStoreError) -> StoreHead {
        let (rows, head, gate) = try use { state in
            (
                state.orders.values.sorted(by: { $0.change < $1.change }),
                StoreHead(
                    number: state.changes.last,
                    sequences: state.sequences,
                    position: state.position
                ),
                state.gate
            )
        }
        await gate?.pass()
        let touched = head.position?.touched ?? []
        for order in rows
        where !order.state.isGone || order.since >= goneSince || touched.contains(order.hash) {
            row(order)
        }
        return head
    }

    func watched() async throws(OrderStoreError) -> WatchedState {
        try use { state in
            let touched = state.position?.touched ?? []
            return WatchedState(
                position: state.position,
                ended: touched.compactMap { state.orders[$0] }.filter(\.state.isGone)
            )
        }
    }

    func unshown(
        of maker: Address,
        _ version: ProtocolVersion
    ) async throws(OrderStoreError) -> [ListedOrder] {
        try use { state in
            state.orders.values
                .filter { $0.maker == maker && $0.version == version && $0.state != .shown }
                .sorted { ($0.since, $0.change) > ($1.since, $1.change) }
        }
    }

    func prune(before: UInt64) async throws(OrderStoreError) {
        try use { state in
            let touched = state.position?.touched ?? []
            state.orders = state.orders.filter { hash, order in
                !order.state.isGone || order.since >= before || touched.contains(hash)
            }
            state.changes.prune(before: before)
        }
    }

    func wakeUps() -> AsyncStream<StoreWakeUp> {
        wakings.stream
    }

    func takeWatch() async throws(OrderStoreError) -> (any WatchLease)? {
        try use { state -> Lease? in
            guard state.lease?.isLost ?? true else { return nil }
            state.epoch += 1
            let lease = Lease(epoch: state.epoch)
            state.lease = lease
            return lease
        }
    }

    var statistics: StoreStatistics { StoreStatistics() }

    func close() async throws(OrderStoreError) {
        state.withLock { $0.isClosed = true }
        endWakeUps()
    }

    /// Opens it again, as another process opens the file of one that has ended.
    func reopen() {
        state.withLock { state in
            state.isClosed = false
            state.changes = RecentChanges(after: state.changes.last)
        }
    }
}
