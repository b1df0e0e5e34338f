import Synchronization

/// Where everything that is signed is written down before the key is asked.
package protocol AuditLog: Sendable {
    /// The lines since a time, the oldest first, and of the older ones all that may still count:
    /// of orders that have not expired, and of allowances. Others may be among them.
    ///
    /// - Throws: `SigningError` where the log cannot be read.
    func lines(since: UInt64) throws(SigningError) -> [AuditLine]

    /// Appends the line that a decision makes of the lines since a time; no other process gets
    /// between the two. The line is durable when this returns.
    ///
    /// - Parameter since: nil where the decision asks for no lines.
    /// - Throws: `SigningError` where the log cannot be read or written.
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
            // Other lines that are older are never requested.
            if let since {
                lines.removeAll { $0.time <= since && !$0.mayOutlive(since) }
            }
            lines.append(decide(lines))
        }
    }
}
