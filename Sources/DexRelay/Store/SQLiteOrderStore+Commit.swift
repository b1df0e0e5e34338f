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
        try await write { database in
            var commit = try SQLiteCommit(database, now: now)
            for order in batch.added { try commit.add(order) }
            for update in batch.updated { try commit.update(update) }
            if let position = batch.position { try commit.move(to: position) }
            return try commit.finish()
        }
    }

    package func prune(before: UInt64) async throws(OrderStoreError) {
        try await write { database in
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
            try database.execute(
                sql: """
                    DELETE FROM orders
                    WHERE \(Self.prunable)
                    """,
                arguments: arguments
            )
            let kept = try Int64.fetchOne(
                database,
                sql: "SELECT number FROM changes WHERE committed_at >= ? ORDER BY number LIMIT 1",
                arguments: [before]
            )
            let head = try Int64.fetchOne(database, sql: "SELECT number FROM head") ?? 0
            // No change may outlive its order.
            let pruned = max(last ?? 0, (kept ?? head + 1) - 1)
            try database.execute(sql: "DELETE FROM changes WHERE number <= ?", arguments: [pruned])
            try database.execute(
                sql: "UPDATE head SET pruned = max(pruned, ?)",
                arguments: [pruned]
            )
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
