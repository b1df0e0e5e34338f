import Ethereum
import Synchronization

/// What a command learned of nodes that must agree, shared by all its reads.
package final class QuorumMemory: Sendable {
    private struct State: Sendable {
        var postponed: [Int] = []
        var receiptsOfSome: [TransactionHash: String] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// The nodes in the order to ask them: those that failed last come last.
    func order(of count: Int) -> [Int] {
        let postponed = state.withLock { $0.postponed }
        let failed = Set(postponed)
        return (0..<count).filter { !failed.contains($0) } + postponed.filter { $0 < count }
    }

    /// A node gave no usable answer: the others are asked first from now on.
    func postpone(_ node: Int) {
        state.withLock { state in
            state.postponed.removeAll { $0 == node }
            state.postponed.append(node)
        }
    }

    /// Takes which transactions have a receipt at some of the nodes only; nil: at all or at none.
    func note(_ receipts: [TransactionHash: String?]) {
        state.withLock { state in
            for (hash, words) in receipts { state.receiptsOfSome[hash] = words }
        }
    }

    /// Which of the nodes has a transaction's receipt, as a sentence; nil unless only some have it.
    func receiptOfSome(_ hash: TransactionHash) -> String? {
        state.withLock { $0.receiptsOfSome[hash] }
    }
}
