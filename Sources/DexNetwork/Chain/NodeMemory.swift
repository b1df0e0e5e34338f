import Synchronization

/// A client's experience with its nodes, shared by all its reads.
final class NodeMemory: Sendable {
    private struct State: Sendable {
        var preferred = 0
        var batchLimits: [Int: Int] = [:]
        var withoutPools: Set<Int> = []
    }

    private let state = Mutex(State())

    /// The nodes in the order to try them, the last one with an answer first.
    ///
    /// Consecutive reads therefore see one view of the chain.
    func order(of count: Int) -> [Int] {
        let first = state.withLock { $0.preferred }
        return (0..<count).map { ($0 + first) % max(1, count) }
    }

    func prefer(_ node: Int) {
        state.withLock { $0.preferred = node }
    }

    /// Prefers the node that answered in another one's place.
    ///
    /// A read that began before another node was preferred says nothing against that one.
    func prefer(_ node: Int, inPlaceOf first: Int?) {
        state.withLock { if $0.preferred == first { $0.preferred = node } }
    }

    /// Whether a node refused to count the transactions of its pool.
    func hasNoPool(_ node: Int) -> Bool {
        state.withLock { $0.withoutPools.contains(node) }
    }

    func noteNoPool(_ node: Int) {
        state.withLock { _ = $0.withoutPools.insert(node) }
    }

    /// The maximum calls in a batch that a node accepts; nil if no limit is known.
    func batchLimit(of node: Int) -> Int? {
        state.withLock { $0.batchLimits[node] }
    }

    func lowerBatchLimit(of node: Int, to limit: Int) {
        state.withLock { state in
            state.batchLimits[node] = max(1, min(limit, state.batchLimits[node] ?? limit))
        }
    }
}
