import Ethereum
import Synchronization

/// The transactions that a command has broadcast so far, in order.
final class SentLog: Sendable {
    private let transactions = Mutex<[SentTransaction]>([])

    var all: [SentTransaction] { transactions.withLock { $0 } }

    /// Removes a transaction that no node accepted.
    func forget(_ hash: TransactionHash) {
        transactions.withLock { $0.removeAll { $0.hash == hash } }
    }

    func note(_ transaction: SentTransaction) {
        transactions.withLock { all in
            if let index = all.firstIndex(where: { $0.hash == transaction.hash }) {
                all[index] = transaction
            } else {
                all.append(transaction)
            }
        }
    }
}
