import Ethereum
import FoundationEssentials
import GRDB

/// The SQLite file of a chain.
///
/// Each block is one SQLite transaction, so a crash leaves the chain before or after it.
final class ChainStore: Sendable {
    /// "dexc", SQLite's application id of a sandbox chain.
    static let applicationID: Int32 = 0x6465_7863
    static let format = 2

    let file: ChainFile
    /// A fork's zeros hide what its live chain has.
    private let keepsZeros: Bool
    private let queue: DatabaseQueue

    /// Opens or creates the file.
    ///
    /// - Throws: `SandboxError.notAChain` for any other file.
    init(
        path: String,
        isCopy: Bool = false,
        keepsZeros: Bool = false
    ) throws(SandboxError) {
        let file = ChainFile(path, isCopy: isCopy)
        self.file = file
        self.keepsZeros = keepsZeros
        do {
            var configuration = Configuration()
            configuration.journalMode = .wal
            configuration.busyMode = .timeout(5)
            // With a write-ahead log a power cut may lose the newest blocks, but breaks nothing.
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.write { database in
                try Self.prepare(database, file)
                if keepsZeros { try Self.preparePast(database) }
            }
        } catch {
            throw Self.wrapped(error, file)
        }
    }

    private static func prepare(_ database: Database, _ file: ChainFile) throws {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let tables = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") ?? 0
        if application == applicationID {
            guard version <= format else {
                throw SandboxError.newerFormat(file, version: version)
            }
            if version == format { return }
            guard version == 0 else { throw SandboxError.olderFormat(file) }
        }
        guard tables == 0, application == 0 || application == applicationID else {
            throw SandboxError.notAChain(file, reason: "it is a database of something else")
        }
        try database.execute(
            sql: """
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(format);
                CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
                CREATE TABLE slots (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
                CREATE TABLE codes (hash BLOB PRIMARY KEY, code BLOB NOT NULL);
                CREATE TABLE blocks (
                    number INTEGER PRIMARY KEY, header BLOB NOT NULL, undo BLOB
                );
                CREATE TABLE transactions (
                    block INTEGER NOT NULL, position INTEGER NOT NULL, sender BLOB NOT NULL,
                    raw BLOB NOT NULL, outcome BLOB NOT NULL, PRIMARY KEY (block, position)
                ) WITHOUT ROWID;
                CREATE TABLE pool (
                    arrival INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE,
                    sender BLOB NOT NULL, raw BLOB NOT NULL
                );
                """
        )
    }

    // MARK: Writing

    /// Writes the first block and its state.
    func begin(digest: Bytes32, chain: StoredChain) throws(SandboxError) {
        try write { database in
            try Self.put(database, meta: "genesis", digest.bytes)
            try put(database, changes: chain.slots)
            try Self.put(database, codes: chain.codes)
            for block in chain.blocks {
                try database.execute(
                    sql: "INSERT INTO blocks (number, header) VALUES (?, ?)",
                    arguments: [Int64(block.header.number), Data(block.header.rlp.encoded)]
                )
                try Self.put(database, meta: "head", block.hash.word.bytes)
            }
        }
    }

    /// Writes where a fork begins.
    func begin(fork: Fork, digest: Bytes32) throws(SandboxError) {
        try write { database in
            try database.execute(
                sql: """
                    CREATE TABLE fetched (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
                    CREATE TABLE hashes (number INTEGER PRIMARY KEY, hash BLOB NOT NULL);
                    """
            )
            try Self.put(database, meta: "genesis", digest.bytes)
            try Self.put(database, meta: "head", fork.point.block.hash.word.bytes)
        }
    }

    /// Writes what was fetched of a live chain.
    func keep(_ values: FetchedValues) throws(SandboxError) {
        try write { database in
            let insert = try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO fetched (key, value) VALUES (?, ?)"
            )
            for (key, value) in values.slots {
                try insert.execute(arguments: [Data(key.encoded), Data(value.bigEndianBytes)])
            }
            try Self.put(database, codes: values.codes)
            for (number, hash) in values.hashes {
                try database.cachedStatement(
                    sql: "INSERT OR REPLACE INTO hashes (number, hash) VALUES (?, ?)"
                ).execute(arguments: [Int64(number), Data(hash.word.bytes)])
            }
        }
    }

    /// Writes a block, its changes, and the transactions that leave the pool with it.
    func append(
        block: BlockRecord,
        transactions: [TransactionRecord],
        effects: BlockEffects,
        before: [StorageKey: UInt256],
        leavingPool: [TransactionHash]
    ) throws(SandboxError) {
        let number = Int64(block.header.number)
        try write { database in
            try database.cachedStatement(
                sql: "INSERT INTO blocks (number, header, undo) VALUES (?, ?, ?)"
            ).execute(arguments: [
                number, Data(block.header.rlp.encoded), Data(RecordCodec.rlp(before).encoded),
            ])
            if let oldest = WorldState.oldestUndo(newest: block.header.number) {
                try database.cachedStatement(
                    sql: "UPDATE blocks SET undo = NULL WHERE number = ?"
                ).execute(arguments: [Int64(oldest) - 1])
            }
            for record in transactions {
                try database.cachedStatement(
                    sql: """
                        INSERT INTO transactions (block, position, sender, raw, outcome)
                        VALUES (?, ?, ?, ?, ?)
                        """
                ).execute(arguments: [
                    number, Int64(record.index), Data(record.signed.sender.bytes),
                    Data(record.signed.raw), Data(RecordCodec.rlp(record.outcome).encoded),
                ])
            }
            try put(database, changes: effects.changes)
            try Self.put(database, codes: effects.codes)
            // The state above is that of this block; a file that lost it is detected by this.
            try Self.put(database, meta: "head", block.hash.word.bytes)
            for hash in leavingPool { try Self.drop(database, hash) }
        }
    }

    /// Deletes the blocks after one, and keeps the transactions that wait again.
    ///
    /// - Parameter changes: the values to restore.
    func rollBack(
        to block: BlockRecord,
        changes: [StorageKey: UInt256],
        waiting: [SignedTransaction]
    ) throws(SandboxError) {
        let number = Int64(block.header.number)
        try write { database in
            try database.execute(sql: "DELETE FROM blocks WHERE number > ?", arguments: [number])
            try database.execute(
                sql: "DELETE FROM transactions WHERE block > ?",
                arguments: [number]
            )
            try put(database, changes: changes)
            try Self.put(database, meta: "head", block.hash.word.bytes)
            for signed in waiting { try Self.wait(database, signed, hash: signed.hash) }
        }
    }

    /// Writes a waiting transaction, which may replace another.
    func keep(
        _ signed: SignedTransaction,
        hash: TransactionHash,
        replacing replaced: TransactionHash?
    ) throws(SandboxError) {
        try write { database in
            if let replaced { try Self.drop(database, replaced) }
            try Self.wait(database, signed, hash: hash)
        }
    }

    /// Deletes a waiting transaction.
    func forget(_ hash: TransactionHash) throws(SandboxError) {
        try write { database in try Self.drop(database, hash) }
    }

    private static func wait(
        _ database: Database,
        _ signed: SignedTransaction,
        hash: TransactionHash
    ) throws {
        try database.cachedStatement(
            sql: "INSERT INTO pool (hash, sender, raw) VALUES (?, ?, ?)"
        ).execute(arguments: [
            Data(hash.word.bytes), Data(signed.sender.bytes), Data(signed.raw),
        ])
    }

    /// Writes how far the chain's clock is ahead, in seconds.
    func save(timeOffset: UInt64) throws(SandboxError) {
        try write { database in
            try Self.put(database, meta: "timeOffset", UInt256(timeOffset).bigEndianBytes)
        }
    }

    private static func put(_ database: Database, meta key: String, _ value: [UInt8]) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
            arguments: [key, Data(value)]
        )
    }

    private func put(_ database: Database, changes: [StorageKey: UInt256]) throws {
        let insert = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO slots (key, value) VALUES (?, ?)"
        )
        let delete = try database.cachedStatement(sql: "DELETE FROM slots WHERE key = ?")
        for (key, value) in changes {
            if value == .zero, !keepsZeros {
                try delete.execute(arguments: [Data(key.encoded)])
            } else {
                try insert.execute(arguments: [Data(key.encoded), Data(value.bigEndianBytes)])
            }
        }
    }

    /// Code that a branch created and another one did not stays: it is known by its hash.
    private static func put(_ database: Database, codes: [Bytes32: [UInt8]]) throws {
        for (hash, code) in codes {
            try database.cachedStatement(
                sql: "INSERT OR IGNORE INTO codes (hash, code) VALUES (?, ?)"
            ).execute(arguments: [Data(hash.bytes), Data(code)])
        }
    }

    private static func drop(_ database: Database, _ hash: TransactionHash) throws {
        try database.cachedStatement(sql: "DELETE FROM pool WHERE hash = ?")
            .execute(arguments: [Data(hash.word.bytes)])
    }

    func write(_ body: (Database) throws -> Void) throws(SandboxError) {
        do {
            try queue.write(body)
        } catch {
            throw Self.wrapped(error, file)
        }
    }

    /// Reads within one SQLite transaction.
    func read<Value>(_ body: (Database) throws -> Value) throws(SandboxError) -> Value {
        do {
            return try queue.read(body)
        } catch {
            throw Self.wrapped(error, file)
        }
    }

    /// The file's parts show that it is damaged.
    func damaged(_ reason: String) -> SandboxError {
        .notAChain(file, reason: reason)
    }

    private static func wrapped(_ error: any Error, _ file: ChainFile) -> SandboxError {
        if let error = error as? SandboxError { return error }
        if let error = error as? DatabaseError {
            switch error.resultCode {
            case .SQLITE_NOTADB: return .notAChain(file, reason: "it is no SQLite database")
            case .SQLITE_CORRUPT: return .notAChain(file, reason: "the database is damaged")
            case .SQLITE_BUSY:
                return .storage(path: file.path, reason: "another process is using it")
            default:
                return .storage(path: file.path, reason: error.message ?? "\(error.resultCode)")
            }
        }
        return .storage(path: file.path, reason: "\(error)")
    }
}
