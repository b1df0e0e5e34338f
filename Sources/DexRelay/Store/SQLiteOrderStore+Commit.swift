import Ethereum
import FoundationEssentials
import GRDB
import ZeroEx

/// Writing orders and their changes.
extension SQLiteOrderStore {
    package func commit(
        _ batch: OrderBatch,
        now: UInt64
    ) async throws(OrderStoreError) -> [OrderChange] {
        try await write { [rows] database in
            var commit = try SQLiteCommit(database, rows, now: now)
            for order in batch.added { try commit.add(order) }
            for update in batch.updated { try commit.update(update) }
            if let position = batch.position { try commit.move(to: position) }
            return (changes: try commit.finish(), added: commit.added)
        } committed: { [rows] in
            rows.add($0.added)
        }.changes
    }

    package func prune(before: UInt64) async throws(OrderStoreError) {
        _ = try await write { database in
            let before = Int64(clamping: before)
            let touched = try Self.position(database)?.touched ?? []
            let arguments: StatementArguments = [
                "[\(touched.map { "\"\(Hex.encode($0.word.bytes))\"" }.joined(separator: ","))]",
                before, Self.mostEnded,
            ]
            let last = try Int64.fetchOne(
                database,
                sql: """
                    SELECT max(change) FROM orders
                    WHERE \(Self.prunable)
                    """,
                arguments: arguments
            )
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
            let kept = try Int64.fetchOne(database, sql: Self.firstSince, arguments: [before])
            let head = try Int64.fetchOne(database, sql: "SELECT number FROM head") ?? 0
            // No change may outlive its order.
            let pruned = max(last ?? 0, (kept ?? head + 1) - 1)
            try database.execute(sql: "DELETE FROM changes WHERE number <= ?", arguments: [pruned])
            try database.execute(
                sql: "UPDATE head SET pruned = max(pruned, ?)",
                arguments: [pruned]
            )
            return deleted
        } committed: { [rows] in
            rows.remove($0)
        }
    }

    /// The first change that was committed since a time, in seconds since 1970.
    private static let firstSince = """
        SELECT min(number) FROM (
            SELECT * FROM (
                SELECT number FROM changes WHERE committed_at >= ?1 ORDER BY number LIMIT 1
            )
            UNION ALL
            SELECT * FROM (
                SELECT id FROM orders
                WHERE id > coalesce((SELECT pruned FROM head), 0) AND committed_at >= ?1
                ORDER BY id LIMIT 1
            )
        )
        """

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
