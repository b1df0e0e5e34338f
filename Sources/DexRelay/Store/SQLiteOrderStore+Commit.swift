import Ethereum
import FoundationEssentials
import GRDB
import Synchronization
import ZeroEx

/// Writing orders.
extension SQLiteOrderStore {
    package func commit(
        _ batch: OrderBatch,
        now: UInt64
    ) async throws(OrderStoreError) -> [OrderChange] {
        try await write { [self] database in
            guard batch.epoch == nil || batch.epoch == epoch else {
                throw OrderStoreError.superseded
            }
            return try SQLiteCommit(database, rows).write(batch, now: now)
        } committed: { [self] written in
            rows.add(written.added)
            recent.withLock { $0.append(written.changes, at: now) }
        }.changes
    }

    package func prune(before: UInt64) async throws(OrderStoreError) {
        _ = try await write { database in
            let touched = try Self.position(database)?.touched ?? []
            let arguments: StatementArguments = [
                "[\(touched.map { "\"\(Hex.encode($0.word.bytes))\"" }.joined(separator: ","))]",
                Int64(clamping: before), Self.maximumEnded,
            ]
            var deleted: [OrderHash] = []
            let orders = try Row.fetchCursor(
                database,
                sql: """
                    DELETE FROM orders
                    WHERE \(Self.prunable) RETURNING hash
                    """,
                arguments: arguments
            )
            while let order = try orders.next() {
                if let hash = try order.hash(0) { deleted.append(hash) }
            }
            return deleted
        } committed: { [self] deleted in
            rows.remove(deleted)
            recent.withLock { $0.prune(before: before) }
        }
    }

    /// Orders that no reorganization can bring back, and that ended long ago or are too many.
    private static let prunable = """
        \(SQLiteOrderSchema.ended)
            AND '0x' || lower(hex(hash)) NOT IN (SELECT value FROM json_each(?))
            AND (since < ? OR id IN (\(surplus)))
        """

    /// The ended orders beyond those that are kept, the oldest.
    private static let surplus = """
        SELECT id FROM orders WHERE \(SQLiteOrderSchema.ended)
        ORDER BY since DESC, id DESC LIMIT -1 OFFSET ?
        """
}
