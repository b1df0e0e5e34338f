import GRDB
import Glibc

/// Copies a relay's SQLite file while a relay writes to it.
package enum SQLiteBackup {
    package struct Report: Hashable, Sendable {
        /// Orders that have not ended.
        package let orders: Int
        package let bytes: Int
    }

    /// Writes the store as it is at one moment to a new file, checks it and puts it on disk.
    ///
    /// It reads beside the relay's commits and holds none of them up.
    ///
    /// - Parameters:
    ///   - path: the relay's file.
    ///   - target: must not exist.
    /// - Throws: `OrderStoreError.unusable`.
    package static func copy(_ path: String, to target: String) throws(OrderStoreError) -> Report {
        guard access(path, R_OK) == 0 else {
            throw .unusable(place: path, reason: String(cString: strerror(errno)))
        }
        guard access(target, F_OK) != 0 else {
            throw .unusable(place: target, reason: "the file exists already")
        }
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let source = try DatabaseQueue(path: path, configuration: configuration)
            // Outside a transaction; the statement is one.
            try source.writeWithoutTransaction { database in
                try database.execute(sql: "VACUUM INTO ?", arguments: [target])
            }
            let copy = try DatabaseQueue(path: target, configuration: configuration)
            let orders = try copy.read { database in
                let problems = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
                guard problems == ["ok"] else { throw Damaged(problem: problems.first ?? "") }
                return try Int.fetchOne(
                    database,
                    sql: "SELECT count(*) FROM orders WHERE NOT \(SQLiteOrderSchema.ended)"
                ) ?? 0
            }
            try copy.close()
            return Report(orders: orders, bytes: try sync(target))
        } catch {
            unlink(target)
            throw .unusable(place: path, reason: "\(error)")
        }
    }

    private struct Damaged: Error {
        let problem: String
    }

    /// - Returns: the bytes of the file.
    private static func sync(_ path: String) throws -> Int {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Damaged(problem: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0 else {
            throw Damaged(problem: String(cString: strerror(errno)))
        }
        return Int(status.st_size)
    }
}
