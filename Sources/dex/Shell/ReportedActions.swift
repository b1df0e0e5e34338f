import Synchronization

/// What is noted in the journal once the user was told how a command ended.
final class ReportedActions: Sendable {
    private let notes = Mutex<[@Sendable () -> Void]>([])

    func add(_ note: @escaping @Sendable () -> Void) {
        notes.withLock { $0.append(note) }
    }

    /// Notes all, in their order.
    func note() {
        let all = notes.withLock { notes in
            defer { notes = [] }
            return notes
        }
        for note in all { note() }
    }
}
