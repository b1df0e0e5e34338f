import Synchronization

/// Counts what is posted and what becomes of it.
final class IntakeCounters: Sendable {
    private let statistics = Mutex(IntakeStatistics())

    var current: IntakeStatistics {
        statistics.withLock { $0 }
    }

    /// Counts a settled post.
    ///
    /// - Parameters:
    ///   - orders: those that were posted together.
    ///   - duration: from its arrival to its answer.
    func settle(_ orders: Int, _ outcome: PendingPost.Outcome, in duration: Duration) {
        let (seconds, attoseconds) = duration.components
        statistics.withLock { statistics in
            statistics.times.add(seconds: Double(seconds) + Double(attoseconds) / 1e18)
            switch outcome {
            case .success(let added):
                statistics.count("added", added)
                statistics.count("known", orders - added)
            case .failure(let refused):
                statistics.count(refused.refusals.reasons.first?.name ?? "refused", orders)
            }
        }
    }
}

extension IntakeStatistics {
    fileprivate mutating func count(_ outcome: String, _ orders: Int) {
        guard orders > 0 else { return }
        posts[outcome, default: 0] &+= UInt64(orders)
    }
}
