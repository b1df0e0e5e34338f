import Synchronization

/// Whether a command may have signed or sent something.
final class SigningMark: Sendable {
    private let isPassed = Mutex(false)

    /// From here on something may be signed or sent.
    func pass() {
        isPassed.withLock { $0 = true }
    }

    var wasPassed: Bool { isPassed.withLock { $0 } }
}
