import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Which intents a process is at work on that still lives.
///
/// Each is a lock of the system on one byte of a file beside the journal. It ends with its process,
/// however that ends, so that what a killed command left is known for that at once.
final class IntentLocks: Sendable {
    private struct State {
        var descriptor: Int32?
        /// A process does not see the locks of its own.
        var own: Set<Int64> = []
    }

    private let path: String
    private let state = Mutex(State())

    /// Locks of an open file, not of a process, so that two journals in one process see each
    /// other's as two processes do. Source: fcntl(2), "Open file description locks".
    #if canImport(Darwin)
        private static let (set, get): (Int32, Int32) = (90, 92)
    #else
        private static let (set, get): (Int32, Int32) = (37, 36)
    #endif

    /// - Parameter journal: the path of the journal's file.
    init(journal: String) {
        path = "\(journal)-held"
    }

    deinit {
        if let descriptor = state.withLock(\.descriptor) { close(descriptor) }
    }

    /// Is at work on an intent until `release`, or until this journal or its process ends.
    ///
    /// - Throws: `JournalError.notWritable`; nobody may then see the intent.
    func hold(_ intent: Int64) throws(JournalError) {
        let failure = state.withLock { state -> Int32? in
            guard let descriptor = descriptor(&state, making: true) else { return errno }
            var range = Self.range(intent, F_WRLCK)
            guard fcntl(descriptor, Self.set, &range) == 0 else { return errno }
            state.own.insert(intent)
            return nil
        }
        if let failure {
            throw .notWritable(path: path, reason: String(cString: strerror(failure)))
        }
    }

    /// Is at work on it no longer.
    func release(_ intent: Int64) {
        state.withLock { state in
            guard state.own.remove(intent) != nil, let descriptor = state.descriptor else { return }
            var range = Self.range(intent, F_UNLCK)
            _ = fcntl(descriptor, Self.set, &range)
        }
    }

    /// Somebody who lives is at work on it, or that cannot be told.
    func isHeld(_ intent: Int64) -> Bool {
        state.withLock { state in
            if state.own.contains(intent) { return true }
            guard let descriptor = descriptor(&state, making: false) else {
                // Whoever holds something has made the file.
                return errno != ENOENT
            }
            var range = Self.range(intent, F_WRLCK)
            guard fcntl(descriptor, Self.get, &range) == 0 else { return true }
            return range.l_type != Int16(truncatingIfNeeded: F_UNLCK)
        }
    }

    private func descriptor(_ state: inout State, making: Bool) -> Int32? {
        if let descriptor = state.descriptor { return descriptor }
        let descriptor = open(path, O_RDWR | O_CLOEXEC | (making ? O_CREAT : 0), 0o600)
        guard descriptor >= 0 else { return nil }
        state.descriptor = descriptor
        return descriptor
    }

    private static func range(_ intent: Int64, _ kind: Int32) -> flock {
        var range = flock()
        range.l_type = Int16(truncatingIfNeeded: kind)
        range.l_whence = Int16(truncatingIfNeeded: SEEK_SET)
        range.l_start = off_t(intent)
        range.l_len = 1
        return range
    }
}
