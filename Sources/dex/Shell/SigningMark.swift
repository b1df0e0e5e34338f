import Synchronization

/// Whether a command came so far that something may have been signed or sent.
final class SigningMark: Sendable {
    private let isPassed = Mutex(false)

    /// From here on something may leave.
    func pass() {
        isPassed.withLock { $0 = true }
    }

    var wasPassed: Bool { isPassed.withLock { $0 } }
}
