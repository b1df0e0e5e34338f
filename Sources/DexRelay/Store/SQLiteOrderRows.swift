import Ethereum
import FoundationEssentials
import GRDB
import Synchronization
import ZeroEx

/// The rows of a file's orders by their hashes, in memory.
///
/// An index of the file would write a page of it for nearly every posted order. The process has the
/// file for itself, so nothing else adds or deletes orders.
final class SQLiteOrderRows: Sendable {
    private let rows: Mutex<[OrderHash: Int64]>

    /// Reads them; of rows with one hash, which no program of ours writes, the first one counts.
    ///
    /// - Throws: `DatabaseError`.
    init(_ database: Database) throws {
        var found: [OrderHash: Int64] = [:]
        found.reserveCapacity(
            try Int.fetchOne(database, sql: "SELECT count(*) FROM orders") ?? 0
        )
        let orders = try Row.fetchCursor(database, sql: "SELECT id, hash FROM orders ORDER BY id")
        while let order = try orders.next() {
            guard let hash = try order.hash(1), found[hash] == nil else { continue }
            found[hash] = order[0]
        }
        rows = Mutex(found)
    }

    /// The row of an order; nil if the file does not have it.
    subscript(hash: OrderHash) -> Int64? {
        rows.withLock { $0[hash] }
    }

    /// Takes over what a transaction added, once it is committed.
    func add(_ added: [OrderHash: Int64]) {
        guard !added.isEmpty else { return }
        rows.withLock { $0.merge(added) { first, _ in first } }
    }

    /// Forgets what a transaction deleted, once it is committed.
    func remove(_ hashes: [OrderHash]) {
        rows.withLock { rows in
            for hash in hashes { rows[hash] = nil }
        }
    }
}

extension Row {
    /// The bytes of a column; empty for NULL.
    func bytes(_ index: Int) throws -> [UInt8] {
        try withUnsafeData(atIndex: index) { $0.map { Array($0) } ?? [] }
    }

    /// The order hash of a column; nil if it has not 32 bytes.
    func hash(_ index: Int) throws -> OrderHash? {
        try withUnsafeData(atIndex: index) { $0.flatMap { Bytes32(bytes: $0) } }.map(OrderHash.init)
    }
}
