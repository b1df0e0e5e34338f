import Synchronization

/// Comes true once, at the n-th time that it is asked.
package final class Once: Sendable {
    private let asked = Mutex((count: 0, isDone: false))

    package init() {}

    /// True at the n-th call, and never again.
    package func count(upTo number: Int) -> Bool {
        asked.withLock { asked in
            asked.count += 1
            guard asked.count == number else { return false }
            asked.isDone = true
            return true
        }
    }

    package var isDone: Bool { asked.withLock { $0.isDone } }
}
