package import Ethereum
import FoundationEssentials
import GRDB
package import ZeroEx

/// The relay's orders on disk, which survive a restart.
///
/// Orders of all protocol versions are in one table, each with its version's name. The schema
/// enforces the relay's rules: the length of hashes and addresses, no duplicate orders, and a body
/// that is a JSON object.
package struct RelayStore: Sendable {
    let database: DatabaseQueue

    /// A row: an order's hash, its wire form and its arrival time.
    package struct Record: Hashable, Sendable {
        package let sequence: UInt64
        package let hash: OrderHash
        package let body: [UInt8]
    }

    package struct NewRecord: Sendable {
        package let hash: OrderHash
        package let maker: Address
        package let body: [UInt8]
        /// Seconds since 1970, at most 2^63 - 1.
        package let receivedAt: UInt64
    }

    /// Opens or creates the file; nil keeps everything in memory.
    package init(path: String?) throws(RelayStoreError) {
        do {
            var configuration = Configuration()
            configuration.label = "relay"
            configuration.busyMode = .timeout(5)
            if let path {
                configuration.prepareDatabase { database in
                    try database.execute(sql: "PRAGMA journal_mode = WAL")
                    // 201 is a promise, even after a power loss.
                    try database.execute(sql: "PRAGMA synchronous = FULL")
                }
                database = try DatabaseQueue(path: path, configuration: configuration)
            } else {
                database = try DatabaseQueue(configuration: configuration)
            }
            try RelaySchema.migrator.migrate(database)
        } catch {
            throw RelayStoreError(path: path, reason: "\(error)")
        }
    }

    /// Every order of a protocol version, the oldest arrival first.
    package func all(_ version: ProtocolVersion) async throws -> [Record] {
        try await database.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT sequence, hash, body FROM orders WHERE protocol = ? ORDER BY sequence",
                arguments: [version.rawValue]
            )
            var records: [Record] = []
            while let row = try rows.next() {
                let hash: [UInt8] = try row.withUnsafeData(atIndex: 1) {
                    $0.map { Array($0) } ?? []
                }
                guard let word = Bytes32(bytes: hash) else { continue }
                let body: [UInt8] = try row.withUnsafeData(atIndex: 2) {
                    $0.map { Array($0) } ?? []
                }
                let sequence: Int64 = row[0]
                records.append(
                    Record(
                        sequence: UInt64(clamping: sequence),
                        hash: OrderHash(word),
                        body: body
                    )
                )
            }
            return records
        }
    }

    /// Writes orders of a protocol version in one transaction.
    ///
    /// It returns the new ones with their sequence. An order kept as unfillable no longer is.
    package func insert(
        _ records: [NewRecord],
        of version: ProtocolVersion
    ) async throws -> [(OrderHash, sequence: UInt64)] {
        try await database.write { database in
            let statement = try database.makeStatement(
                sql: """
                    INSERT INTO orders (protocol, hash, maker, body, received_at)
                    VALUES (?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING
                    """
            )
            let revival = try database.makeStatement(
                sql: "DELETE FROM unfillable WHERE hash = ?"
            )
            var inserted: [(OrderHash, sequence: UInt64)] = []
            for record in records {
                try statement.execute(arguments: [
                    version.rawValue, Data(record.hash.word.bytes), Data(record.maker.bytes),
                    String(decoding: record.body, as: UTF8.self),
                    Int64(clamping: record.receivedAt),
                ])
                guard database.changesCount == 1 else { continue }
                let sequence = UInt64(clamping: database.lastInsertedRowID)
                try revival.execute(arguments: [Data(record.hash.word.bytes)])
                inserted.append((record.hash, sequence: sequence))
            }
            return inserted
        }
    }

    /// Deletes orders in one transaction.
    package func delete(_ hashes: some Collection<OrderHash> & Sendable) async throws {
        try await database.write { database in
            let statement = try database.makeStatement(sql: "DELETE FROM orders WHERE hash = ?")
            for hash in hashes {
                try statement.execute(arguments: [Data(hash.word.bytes)])
            }
        }
    }

    /// Writes pending data and closes the file.
    package func close() throws {
        try database.close()
    }
}

/// The relay's file cannot be used.
package struct RelayStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String?
    package let reason: String

    package var description: String {
        "The relay's orders in \(path ?? "memory") cannot be opened: \(reason). Check the "
            + "folder's permissions, or remove the file: orders can be posted again."
    }
}
