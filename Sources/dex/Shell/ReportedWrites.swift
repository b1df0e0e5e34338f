import DexCore
import Synchronization

/// Journal writes that wait until the user has seen a command's outcome.
final class ReportedWrites: Sendable {
    private let writes = Mutex<[ReportedWrite]>([])

    func add(_ write: ReportedWrite) {
        writes.withLock { $0.append(write) }
    }

    func write() {
        let all = writes.withLock { writes in
            defer { writes = [] }
            return writes
        }
        for write in all { write.write() }
    }
}
