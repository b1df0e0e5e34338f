import CPostgres

/// Ends the waiting of a connection from another thread, for good.
final class PostgresAlarm: Sendable {
    /// What the connection's thread waits for beside its socket.
    let readingEnd: CInt
    private let writingEnd: CInt

    /// An alarm; it fails if the process has no file descriptors left.
    init() throws(PostgresFailure) {
        var ends: [CInt] = [-1, -1]
        guard dex_pq_make_pipe(&ends) else {
            throw .unreachable("the process has no file descriptors left")
        }
        readingEnd = ends[0]
        writingEnd = ends[1]
    }

    func ring() {
        dex_pq_wake(writingEnd)
    }

    deinit {
        dex_pq_close(readingEnd)
        dex_pq_close(writingEnd)
    }
}
