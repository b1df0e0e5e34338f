import Ethereum
import Synchronization
import ZeroEx

@testable import DexRelay

/// A store without a disk, for tests of what stands upon one; it can fail on request.
final class MemoryOrderStore: OrderStore {
    private struct State {
        var orders: [OrderHash: ListedOrder] = [:]
        var changes: [OrderChange] = []
        var sequences: [MarketKey: UInt64] = [:]
        var position: WatchPosition?
        var lease: Lease?
        var failure: OrderStoreError?
        var commits = 0
        var gate: Gate?
    }

    final class Lease: WatchLease {
        private let held = Mutex(true)

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

    private func check(_ failure: OrderStoreError?) throws(OrderStoreError) {
        if let failure { throw failure }
    }

    func commit(
        _ batch: OrderBatch,
        now: UInt64
    ) async throws(OrderStoreError) -> [OrderChange] {
        try check(state.withLock { $0.failure })
        return state.withLock { state in
            var made: [OrderChange] = []
            func write(_ order: ListedOrder, previous: ListingState?) {
                var order = order
                let key = MarketKey(version: order.version, pair: order.direction)
                let sequence = state.sequences[key, default: 0] + 1
                state.sequences[key] = sequence
                order.change = UInt64(state.changes.count + 1)
                state.orders[order.hash] = order
                let change = OrderChange(
                    number: order.change,
                    pairSequence: sequence,
                    order: order,
                    previous: previous
                )
                state.changes.append(change)
                made.append(change)
            }
            for order in batch.added {
                let known = state.orders[order.hash]
                if known == nil || known?.state.isGone == true {
                    write(order, previous: known?.state)
                }
            }
            for update in batch.updated {
                guard var order = state.orders[update.hash] else { continue }
                let previous = order.state
                if order.take(update, at: now) { write(order, previous: previous) }
            }
            if let position = batch.position { state.position = position }
            state.commits += 1
            return made
        }
    }

    func changes(
        after number: UInt64,
        limit: Int
    ) async throws(OrderStoreError) -> [OrderChange]? {
        try check(state.withLock { $0.failure })
        return state.withLock { Array($0.changes.dropFirst(Int(number)).prefix(limit)) }
    }

    func load(
        goneSince: UInt64,
        _ row: (ListedOrder) -> Void
    ) async throws(OrderStoreError) -> StoreHead {
        try check(state.withLock { $0.failure })
        let (rows, head, gate) = state.withLock { state in
            (
                state.orders.values.sorted(by: { $0.change < $1.change }),
                StoreHead(
                    number: UInt64(state.changes.count),
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

    func unshown(
        of maker: Address,
        _ version: ProtocolVersion
    ) async throws(OrderStoreError) -> [ListedOrder] {
        state.withLock { state in
            state.orders.values.filter {
                $0.maker == maker && $0.version == version && $0.state != .shown
            }
        }
    }

    func prune(before: UInt64) async throws(OrderStoreError) {}

    func wakeUps() -> AsyncStream<StoreWakeUp> {
        wakings.stream
    }

    func takeWatch() async throws(OrderStoreError) -> (any WatchLease)? {
        try check(state.withLock { $0.failure })
        return state.withLock { state -> Lease? in
            guard state.lease?.isLost ?? true else { return nil }
            let lease = Lease()
            state.lease = lease
            return lease
        }
    }

    var statistics: StoreStatistics { StoreStatistics() }

    func close() async throws(OrderStoreError) {}
}
