import Synchronization

/// What a look from another thread came to.
final class Looked: Sendable {
    private let state = Mutex<(count: Int, error: String?)>((0, nil))

    /// How often it was looked, this time included.
    var count: Int { state.withLock { $0.count } }
    /// The first look that failed.
    var error: String? { state.withLock { $0.error } }

    /// Looks, and keeps what is thrown.
    func note(_ look: () throws -> Void) {
        state.withLock { $0.count += 1 }
        do {
            try look()
        } catch {
            state.withLock { $0.error = $0.error ?? "\(error)" }
        }
    }
}
