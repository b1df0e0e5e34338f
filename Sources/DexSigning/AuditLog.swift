import Synchronization

/// Where everything that is signed is written down before the key is asked.
package protocol AuditLog: Sendable {
    /// The lines since a time, the oldest first; older ones may be among them.
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
            // Nobody asks for what is older, and an agent may live for months.
            if let since { lines.removeAll { $0.time <= since } }
            lines.append(decide(lines))
        }
    }
}
