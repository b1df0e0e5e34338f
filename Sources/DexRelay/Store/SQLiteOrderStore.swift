import Ethereum
import FoundationEssentials
import GRDB
import PrivateFiles
import Synchronization
import ZeroEx

/// A relay's orders in one SQLite file, for one process.
///
/// Orders of all protocol versions are in one table. The schema enforces the lengths of hashes and
/// addresses and the ranges of numbers; a row that is no order is left out when it is read.
package final class SQLiteOrderStore: OrderStore {
    private let database: any DatabaseWriter
    let rows: SQLiteOrderRows
    let recent: Mutex<RecentChanges>
    private let state: Mutex<State>

    private struct State {
        /// Keeps a second process out; it ends when the store is closed.
        var lock: ExclusiveLock?
        var statistics = StoreStatistics()
        var wakeUps: [AsyncStream<StoreWakeUp>.Continuation] = []
        var isClosed = false
        /// Of the last lease; earlier processes have ended.
        var epoch: UInt64 = 0
    }

    /// At most so many ended orders are kept.
    package static let maximumEnded = 100_000
    /// At most so many of a maker's orders are listed.
    package static let maximumUnshown = 1_000

    /// Opens or creates the file; nil keeps everything in memory.
    ///
    /// - Throws: `OrderStoreError.unusable`, as when another process has the file open.
    package init(path: String?) throws(OrderStoreError) {
        let place = path ?? "memory"
        var lock: ExclusiveLock?
        do {
            var configuration = Configuration()
            configuration.label = "relay"
            configuration.busyMode = .timeout(5)
            if let path {
                lock = try ExclusiveLock(Self.lockFile(of: path))
                guard lock != nil else { throw OpenElsewhere() }
                configuration.maximumReaderCount = 2
                database = try DatabasePool(path: path, configuration: configuration)
            } else {
                database = try DatabaseQueue(configuration: configuration)
            }
            // 201 is a promise, even after a power loss. A pool sets NORMAL when it is opened.
            try database.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
            }
            try SQLiteOrderSchema.migrator.migrate(database)
            let (known, number) = try database.read { database in
                (
                    try SQLiteOrderRows(database),
                    try Int64.fetchOne(database, sql: "SELECT number FROM head") ?? 0
                )
            }
            rows = known
            recent = Mutex(RecentChanges(after: UInt64(clamping: number)))
        } catch is OpenElsewhere {
            throw .unusable(
                place: place,
                reason: "another process has it open; stop that one, or use PostgreSQL to run "
                    + "several instances"
            )
        } catch {
            throw .unusable(
                place: place,
                reason: "\(error). Check the folder's permissions, or remove the file: orders can "
                    + "be posted again"
            )
        }
        state = Mutex(State(lock: lock))
    }

    private struct OpenElsewhere: Error {}

    /// The file whose lock says that a process has the orders open.
    package static func lockFile(of path: String) -> String { "\(path)-lock" }

    // MARK: The rest of a store

    package var statistics: StoreStatistics {
        state.withLock { $0.statistics }
    }

    /// There is no other instance, so nothing is ever yielded.
    package func wakeUps() -> AsyncStream<StoreWakeUp> {
        let (stream, continuation) = AsyncStream.makeStream(of: StoreWakeUp.self)
        state.withLock { state in
            if state.isClosed { continuation.finish() } else { state.wakeUps.append(continuation) }
        }
        return stream
    }

    /// The lease, always: the file is open in this process alone.
    package func takeWatch() async throws(OrderStoreError) -> (any WatchLease)? {
        SQLiteWatchLease(
            epoch: state.withLock { state in
                state.epoch += 1
                return state.epoch
            }
        )
    }

    var epoch: UInt64 { state.withLock { $0.epoch } }

    package func close() async throws(OrderStoreError) {
        do {
            try database.close()
        } catch {
            throw .unavailable(reason: "\(error)")
        }
        state.withLock { state in
            state.isClosed = true
            state.lock = nil
            for continuation in state.wakeUps { continuation.finish() }
            state.wakeUps = []
        }
    }

    // MARK: Access

    func checkIsOpen() throws(OrderStoreError) {
        guard !state.withLock({ $0.isClosed }) else {
            throw .unavailable(reason: "the store is closed")
        }
    }

    /// Runs a transaction to its end, even if the caller's task is cancelled meanwhile.
    ///
    /// - Parameter committed: called with the result of a transaction that is on disk, before the
    ///   next one begins.
    func write<Result: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Result,
        committed: @escaping @Sendable (Result) -> Void = { _ in }
    ) async throws(OrderStoreError) -> Result {
        let start = ContinuousClock.now
        let result = await withCheckedContinuation { continuation in
            database.asyncWrite(work) { _, result in
                if case .success(let value) = result { committed(value) }
                continuation.resume(returning: result)
            }
        }
        return try value(of: result, since: start, \.commits)
    }

    /// Reads at one moment, beside a transaction that writes.
    func read<Result: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Result
    ) async throws(OrderStoreError) -> Result {
        let start = ContinuousClock.now
        let result = await withCheckedContinuation { continuation in
            // What is in memory has one connection, and its `asyncRead` traps once it is closed.
            if let pool = database as? DatabasePool {
                pool.asyncRead { database in
                    let result = Swift.Result { try work(database.get()) }
                    continuation.resume(returning: result)
                }
            } else {
                database.asyncWrite(work) { _, result in continuation.resume(returning: result) }
            }
        }
        return try value(of: result, since: start, \.reads)
    }

    private func value<Success>(
        of result: Result<Success, any Error>,
        since start: ContinuousClock.Instant,
        _ histogram: WritableKeyPath<StoreStatistics, Histogram>
    ) throws(OrderStoreError) -> Success {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        switch result {
        case .success(let value):
            state.withLock {
                $0.statistics[keyPath: histogram].add(seconds: seconds)
                $0.statistics.isReachable = true
            }
            return value
        case .failure(let error as OrderStoreError): throw error
        case .failure(let error):
            state.withLock {
                $0.statistics.failures += 1
                $0.statistics.isReachable = false
            }
            // What was written before a failed sync may be there after a power loss.
            if let error = error as? DatabaseError, error.resultCode == .SQLITE_IOERR {
                throw .unknown(reason: "\(error)")
            }
            throw .unavailable(reason: "\(error)")
        }
    }
}

/// The right to watch the chain of a process that has the file for itself.
private actor SQLiteWatchLease: WatchLease {
    let epoch: UInt64
    private(set) var isHeld = true

    init(epoch: UInt64) {
        self.epoch = epoch
    }

    func release() {
        isHeld = false
    }
}
