import Dispatch

/// The thread of one connection, outside of Swift's task pool: libpq's calls may block it.
final class PostgresThread: SerialExecutor {
    /// A serial queue of its own gets a thread of its own while it has work.
    private let queue = DispatchQueue(label: "dex.postgres")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }
}
