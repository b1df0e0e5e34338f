import Synchronization

/// Counts what is posted and what becomes of it.
final class IntakeCounters: Sendable {
    private let statistics = Mutex(IntakeStatistics())

    var current: IntakeStatistics {
        statistics.withLock { $0 }
    }

    func count(_ outcome: String, _ orders: Int = 1) {
        guard orders > 0 else { return }
        statistics.withLock { $0.posts[outcome, default: 0] &+= UInt64(orders) }
    }

    /// - Parameter duration: from the arrival of a post to its answer.
    func time(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        statistics.withLock {
            $0.times.add(seconds: Double(seconds) + Double(attoseconds) / 1e18)
        }
    }
}
