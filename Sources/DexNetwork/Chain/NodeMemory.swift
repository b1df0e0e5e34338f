import Synchronization

/// What a client has learnt about its nodes, kept from one read to the next.
final class NodeMemory: Sendable {
    private struct State: Sendable {
        var preferred = 0
        var batchLimits: [Int: Int] = [:]
    }

    private let state = Mutex(State())

    /// The nodes in the order in which to try them, the one that answered last first.
    ///
    /// So reads that follow one another are answered by one view of the chain.
    func order(of count: Int) -> [Int] {
        let first = state.withLock { $0.preferred }
        return (0..<count).map { ($0 + first) % max(1, count) }
    }

    func prefer(_ node: Int) {
        state.withLock { $0.preferred = node }
    }

    /// The most calls that a node took in a batch, as far as it is known to have a limit.
    func batchLimit(of node: Int) -> Int? {
        state.withLock { $0.batchLimits[node] }
    }

    func lowerBatchLimit(of node: Int, to limit: Int) {
        state.withLock { state in
            state.batchLimits[node] = max(1, min(limit, state.batchLimits[node] ?? limit))
        }
    }
}
