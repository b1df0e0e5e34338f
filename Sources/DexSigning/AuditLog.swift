import Synchronization

/// A log of signatures, written before the key is asked.
package protocol AuditLog: Sendable {
    /// The lines since a time, oldest first, and older ones that may still count.
    ///
    /// Older ones are unexpired orders, permits and allowances; others may be among them.
    ///
    /// - Throws: `SigningError` if the log cannot be read.
    func lines(since: UInt64) throws(SigningError) -> [AuditLine]

    /// Appends a line decided from the lines since a time; no other process writes in between.
    ///
    /// The line is durable when this returns.
    ///
    /// - Parameter since: nil if the decision needs no lines.
    /// - Throws: `SigningError` if the log cannot be read or written.
    func append(
        since: UInt64?,
        _ decide: ([AuditLine]) -> AuditLine
    ) throws(SigningError)
}

/// A log in memory, for as long as a process lives.
package final class MemoryAuditLog: AuditLog {
    private let content = Mutex<[AuditLine]>([])

    package init() {}

    package func lines(since: UInt64) throws(SigningError) -> [AuditLine] {
        content.withLock { $0 }
    }

    package func append(
        since: UInt64?,
        _ decide: ([AuditLine]) -> AuditLine
    ) throws(SigningError) {
        content.withLock { lines in
            // Other old lines are never requested.
            if let since {
                lines.removeAll { $0.time <= since && !$0.mayOutlive(since) }
            }
            lines.append(decide(lines))
        }
    }
}
