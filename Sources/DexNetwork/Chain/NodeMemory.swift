import Synchronization

/// A client's experience with its nodes, shared by all its reads.
final class NodeMemory: Sendable {
    private struct State: Sendable {
        var preferred = 0
        var batchLimits: [Int: Int] = [:]
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
