import GRDB
import GRDBSQLite
import Synchronization

/// The records that must survive a crash.
///
/// These are intents, their plans, every transaction's signed bytes, receipts, our own orders, and
/// the position and deliveries of `dex watch`. The file is SQLite in WAL mode, opened at first use.
/// Every method returns only after its change is synchronised to the disk. A journal never gets a
/// secret.
package final class Journal: Sendable {
    package let path: String
    private let queue = Mutex<DatabaseQueue?>(nil)
    /// The intents that a running process holds.
    let holds: NumberLocks
    /// The guards whose price a running process watches.
    let watched: NumberLocks

    /// A journal at a path; the first call opens or creates the file.
    package init(path: String) {
        self.path = path
        holds = NumberLocks(path: "\(path)-held")
        watched = NumberLocks(path: "\(path)-watched", isShared: true)
    }

    /// A journal in memory, for copies of the chain that end with their process.
    package convenience init() { self.init(path: Self.memory) }

    /// SQLite's name of a database without a file.
    private static let memory = ":memory:"

    /// Changes are tried and taken back (`rehearse`).
    @TaskLocal private static var isRehearsal = false

    /// Tries a step: its changes reach the file as far as a write needs, and are taken back.
    ///
    /// - Throws: `JournalError` as the step itself would: a full disk, a lock, a damaged file.
    package func rehearse(_ step: ReportedStep, now: UInt64) throws(JournalError) {
        let result = Self.$isRehearsal.withValue(true) {
            Result { () throws(JournalError) in try record(step, now: now) }
        }
        try result.get()
    }

    /// Runs one transaction that holds the write lock from its start; durable when this returns.
    ///
    /// What it reads cannot change before it writes.
    func write<Value: Sendable>(
        _ body: (Database) throws -> Value
    ) throws(JournalError) -> Value {
        let queue = try opened()
        do {
            return try queue.writeWithoutTransaction { database in
                var value: Value?
                try database.inTransaction(.immediate) {
                    value = try body(database)
                    guard Self.isRehearsal else { return .commit }
                    // A full disk shows only when pages are written to the log.
                    let code = sqlite3_db_cacheflush(database.sqliteConnection)
                    guard code == SQLITE_OK else {
                        throw DatabaseError(resultCode: ResultCode(rawValue: code))
                    }
                    return .rollback
                }
                guard let value else { throw JournalError.busy(path: path) }
                return value
            }
        } catch {
            throw translated(error)
        }
    }

    /// Runs queries on one snapshot.
    func read<Value: Sendable>(
        _ body: (Database) throws -> Value
    ) throws(JournalError) -> Value {
        let queue = try opened()
        do {
            return try queue.read(body)
        } catch {
            throw translated(error)
        }
    }

    /// Executes one statement in a transaction of its own.
    func change(_ sql: String, _ arguments: StatementArguments) throws(JournalError) {
        try write { try $0.execute(sql: sql, arguments: arguments) }
    }

    private func opened() throws(JournalError) -> DatabaseQueue {
        let result: Result<DatabaseQueue, JournalError> = queue.withLock { queue in
            if let queue { return .success(queue) }
            do {
                if path != Self.memory { try Self.prepareFile(path) }
                let made = try DatabaseQueue(path: path, configuration: configuration)
                try migrate(made)
                queue = made
                return .success(made)
            } catch {
                return .failure(translated(error))
            }
        }
        return try result.get()
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "dex.journal"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        // Not self: the queue would keep its journal, and both would stay open forever. The locks end
        // with their journal, not with its file.
        configuration.prepareDatabase { [path, weak holds, weak watched] database in
            try Self.claim(database, path: path)
            try Self.writeAhead(database)
            try database.execute(sql: "PRAGMA synchronous = FULL")
            database.add(function: Self.lookup("is_held", in: holds))
            database.add(function: Self.lookup("is_watched", in: watched))
        }
        return configuration
    }

    /// An SQL function: a running process holds the number.
    private static func lookup(_ name: String, in locks: NumberLocks?) -> DatabaseFunction {
        DatabaseFunction(name, argumentCount: 1) { [weak locks] values in
            Int64.fromDatabaseValue(values[0]).map { locks?.isHeld($0) ?? true }
        }
    }

    /// Marks an empty file as ours; a foreign one is rejected before any change.
    private static func claim(_ database: Database, path: String) throws {
        let owner = "PRAGMA application_id"
        if try Int64.fetchOne(database, sql: owner) == JournalSchema.applicationID { return }
        try database.inTransaction(.immediate) {
            let tables = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master")
            switch try Int64.fetchOne(database, sql: owner) {
            case JournalSchema.applicationID: return .commit
            case 0 where tables == 0:
                try database.execute(sql: "\(owner) = \(JournalSchema.applicationID)")
                return .commit
            default: throw JournalError.foreign(path: path)
            }
        }
    }

    /// Changes the file to WAL if needed.
    ///
    /// SQLite does not wait for another process that makes the same change. An exclusive
    /// transaction waits for it, then the change is tried again; often enough for several
    /// processes.
    private static func writeAhead(_ database: Database) throws {
        for _ in 0..<50 {
            do {
                return try database.execute(sql: "PRAGMA journal_mode = WAL")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                try database.inTransaction(.exclusive) { .commit }
            }
        }
        try database.execute(sql: "PRAGMA journal_mode = WAL")
    }

    private func migrate(_ queue: DatabaseQueue) throws {
        // Another process may take a step between our check and our attempt, which then fails. The
        // attempt is repeated from there, often enough for the steps of several processes.
        for _ in 0..<50 {
            do {
                return try migrateOnce(queue)
            } catch let error as DatabaseError
                where [.SQLITE_CONSTRAINT, .SQLITE_ERROR].contains(error.resultCode)
            {
                continue
            }
        }
        try migrateOnce(queue)
    }

    private func migrateOnce(_ queue: DatabaseQueue) throws {
        let migrator = JournalSchema.migrator
        let isNewer = try queue.read { try migrator.hasBeenSuperseded($0) }
        guard !isNewer else { throw JournalError.newer(path: path) }
        try JournalSchema.make(in: queue)
        try migrator.migrate(queue)
    }

    private func translated(_ error: any Error) -> JournalError {
        switch error {
        case let error as JournalError: return error
        case let error as DatabaseError:
            let reason = error.message ?? error.resultCode.description
            switch error.resultCode {
            case .SQLITE_NOTADB, .SQLITE_CORRUPT: return .corrupt(path: path)
            case .SQLITE_FULL: return .full(path: path)
            case .SQLITE_BUSY, .SQLITE_LOCKED: return .busy(path: path)
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
                return .notWritable(path: path, reason: reason)
            default: return .failed(path: path, reason: reason)
            }
        case let error as RowDecodingError:
            // Without the row, which may be long.
            let reason = error.description.split(separator: ", row: ").first ?? ""
            return .failed(path: path, reason: String(reason.prefix(200)))
        default: return .failed(path: path, reason: "\(error)")
        }
    }
}
