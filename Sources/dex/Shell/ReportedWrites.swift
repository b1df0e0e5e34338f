import DexCore
import Synchronization

/// Journal writes that wait until the user has seen a command's outcome.
final class ReportedWrites: Sendable {
    private let writes = Mutex<[ReportedWrite]>([])

    func add(_ write: ReportedWrite) {
        writes.withLock { $0.append(write) }
    }

    /// Writes all, in their order, and warns of those that the journal does not take.
    func write(_ console: Console) {
        let all = writes.withLock { writes in
            defer { writes = [] }
            return writes
        }
        for error in all.compactMap({ $0.write() }) {
            console.warn(
                "This outcome is not in the journal: \(error.message) The next command checks it again."
            )
        }
    }
}
