import DexCore
import Synchronization

/// Journal writes that wait until the user has seen a command's outcome.
final class ReportedWrites: Sendable {
    private let writes = Mutex<[ReportedWrite]>([])

    func add(_ write: ReportedWrite) {
        writes.withLock { $0.append(write) }
    }

    /// Warnings of those that the journal would not take now, which are given up.
    ///
    /// A result that is one object is printed before they are written, and has its warnings in it.
    func obstacles() -> [String] {
        writes.withLock { writes in
            var warnings: [String] = []
            writes.removeAll { write in
                guard let error = write.obstacle() else { return false }
                warnings.append(Self.warning(error))
                return true
            }
            return warnings
        }
    }

    /// Writes all, in their order, and warns of those that the journal does not take.
    func write(_ console: Console) {
        let all = writes.withLock { writes in
            defer { writes = [] }
            return writes
        }
        for error in all.compactMap({ $0.write() }) { console.alert(Self.warning(error)) }
    }

    private static func warning(_ error: DexError) -> String {
        "The outcome could not be written to the journal: \(error.message) The next command checks it "
            + "again."
    }
}
