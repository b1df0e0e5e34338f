import Glibc
import Synchronization

/// Which intents or guards a running process holds, by their numbers.
///
/// Each is a system lock on one byte of a file beside the journal. The lock ends with its process,
/// even if that is killed, so an abandoned intent is known at once.
final class NumberLocks: Sendable {
    /// The numbers are needed because a process does not see its own locks.
    private typealias State = (descriptor: Int32?, own: Set<Int64>)

    private let path: String
    /// Several processes may hold the same number.
    private let isShared: Bool
    private let state = Mutex<State>((nil, []))

    /// Locks of an open file, not of a process: two journals in one process see each other's locks
    /// as two processes do.
    ///
    /// Source: fcntl(2), "Open file description locks".
    private static let (set, get): (Int32, Int32) = (37, 36)

    /// - Parameter path: that of the file with the locks, which exists while one was ever held.
    init(path: String, isShared: Bool = false) {
        self.path = path
        self.isShared = isShared
    }

    deinit {
        if let descriptor = state.withLock(\.descriptor) { close(descriptor) }
    }

    /// Holds a number until `release`, or until this journal or its process ends.
    ///
    /// - Throws: `JournalError.notWritable`; then an intent must not become visible.
    func hold(_ number: Int64) throws(JournalError) {
        let failure = state.withLock { state -> Int32? in
            guard let descriptor = descriptor(&state, making: true) else { return errno }
            var range = Self.range(number, isShared ? F_RDLCK : F_WRLCK)
            guard fcntl(descriptor, Self.set, &range) == 0 else { return errno }
            state.own.insert(number)
            return nil
        }
        if let failure {
            throw .notWritable(path: path, reason: String(cString: strerror(failure)))
        }
    }

    func release(_ number: Int64) {
        state.withLock { state in
            guard state.own.remove(number) != nil, let descriptor = state.descriptor else { return }
            var range = Self.range(number, F_UNLCK)
            _ = fcntl(descriptor, Self.set, &range)
        }
    }

    /// This journal holds it.
    func isOwn(_ number: Int64) -> Bool {
        state.withLock { $0.own.contains(number) }
    }

    /// Holds these numbers and no others.
    ///
    /// - Throws: `JournalError.notWritable`.
    func hold(only numbers: Set<Int64>) throws(JournalError) {
        let own = state.withLock(\.own)
        for number in own.subtracting(numbers) { release(number) }
        for number in numbers.subtracting(own) { try hold(number) }
    }

    /// A running process holds it, or that is unknown.
    func isHeld(_ number: Int64) -> Bool {
        state.withLock { state in
            if state.own.contains(number) { return true }
            guard let descriptor = descriptor(&state, making: false) else {
                // A process that holds a lock has made the file, perhaps behind a link that now
                // leads nowhere.
                var status = stat()
                return errno != ENOENT || lstat(path, &status) == 0
            }
            var range = Self.range(number, F_WRLCK)
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

    private static func range(_ number: Int64, _ kind: Int32) -> flock {
        var range = flock()
        range.l_type = Int16(truncatingIfNeeded: kind)
        range.l_whence = Int16(truncatingIfNeeded: SEEK_SET)
        range.l_start = off_t(number)
        range.l_len = 1
        return range
    }
}
