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

/// The statements of one transaction that writes a batch.
private struct SQLiteCommit {
    private let database: Database
    private let now: UInt64
    private let hasHead: Bool
    private var number: UInt64
    private var sequences: [MarketKey: UInt64] = [:]
    private var changes: [OrderChange] = []

    init(_ database: Database, now: UInt64) throws {
        self.database = database
        self.now = now
        let head = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT number FROM head")
        )
        hasHead = head != nil
        number = UInt64(clamping: head ?? 0)
    }

    mutating func add(_ order: ListedOrder) throws {
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO orders (
                    hash, protocol, maker, maker_token, taker_token, body, received_at, state,
                    fillable, is_partly_filled, since, change, was_hidden
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING
                """
        )
        let hash = Data(order.hash.word.bytes)
        let change = Int64(clamping: number + 1)
        try insert.execute(arguments: [
            hash, order.version.rawValue, Data(order.maker.bytes),
            Data(order.direction.makerToken.bytes), Data(order.direction.takerToken.bytes),
            String(decoding: order.body, as: UTF8.self), Int64(clamping: order.receivedAt),
            order.state.rawValue, Data(order.standing.fillable.bigEndianBytes),
            order.standing.isPartlyFilled, Int64(clamping: order.since), change, order.wasHidden,
        ])
        if database.changesCount == 1 {
            try note(order, id: database.lastInsertedRowID, previous: nil)
        } else if let old = try stored(order.hash), old.order.state.isGone {
            try database.cachedStatement(
                sql: """
                    UPDATE orders SET body = ?, received_at = ?, state = ?, fillable = ?,
                        is_partly_filled = ?, since = ?, change = ?, was_hidden = ? WHERE id = ?
                    """
            ).execute(arguments: [
                String(decoding: order.body, as: UTF8.self), Int64(clamping: order.receivedAt),
                order.state.rawValue, Data(order.standing.fillable.bigEndianBytes),
                order.standing.isPartlyFilled, Int64(clamping: order.since), change,
                order.wasHidden,
                old.id,
            ])
            try note(order, id: old.id, previous: old.order.state)
        }
    }

    mutating func update(_ update: OrderBatch.Update) throws {
        guard let old = try stored(update.hash) else { return }
        var order = old.order
        let previous = order.state
        guard order.take(update, at: now) else { return }
        try database.cachedStatement(
            sql: """
                UPDATE orders SET state = ?, fillable = ?, is_partly_filled = ?, since = ?,
                    change = ?, was_hidden = ? WHERE id = ?
                """
        ).execute(arguments: [
            order.state.rawValue, Data(order.standing.fillable.bigEndianBytes),
            order.standing.isPartlyFilled, Int64(clamping: order.since),
            Int64(clamping: number + 1), order.wasHidden, old.id,
        ])
        try note(order, id: old.id, previous: previous)
    }

    func move(to position: WatchPosition) throws {
        try database.execute(sql: "DELETE FROM position")
        let insert = try database.cachedStatement(
            sql:
                "INSERT INTO position (ordinal, number, hash, time, touched) VALUES (?, ?, ?, ?, ?)"
        )
        for (ordinal, step) in position.steps.enumerated() {
            try insert.execute(arguments: [
                ordinal, Int64(clamping: step.number), Data(step.hash.word.bytes),
                Int64(clamping: step.time), Data(step.touched.flatMap(\.word.bytes)),
            ])
        }
    }

    /// Writes the last numbers.
    func finish() throws -> [OrderChange] {
        guard !changes.isEmpty else { return [] }
        try database.cachedStatement(
            sql: hasHead
                ? "UPDATE head SET number = ?"
                : "INSERT INTO head (id, number, pruned) VALUES (1, ?, 0)"
        ).execute(arguments: [Int64(clamping: number)])
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO sequences (protocol, token_a, token_b, sequence) VALUES (?, ?, ?, ?)
                ON CONFLICT (protocol, token_a, token_b) DO UPDATE SET sequence = excluded.sequence
                """
        )
        for (market, sequence) in sequences {
            try statement.execute(arguments: [
                market.version.rawValue, Data(market.pair.makerToken.bytes),
                Data(market.pair.takerToken.bytes), Int64(clamping: sequence),
            ])
        }
        return changes
    }

    private func stored(_ hash: OrderHash) throws -> (id: Int64, order: ListedOrder)? {
        let statement = try database.cachedStatement(
            sql: "SELECT \(SQLiteOrderStore.columns), id FROM orders WHERE hash = ?"
        )
        guard let row = try Row.fetchOne(statement, arguments: [Data(hash.word.bytes)]),
            let order = try ListedOrder(row)
        else { return nil }
        return (row[13], order)
    }

    /// Writes a change of a stored order.
    private mutating func note(_ order: ListedOrder, id: Int64, previous: ListingState?) throws {
        number += 1
        var order = order
        order.change = number
        let market = MarketKey(version: order.version, pair: order.direction)
        let sequence = try (sequences[market] ?? lastSequence(of: market)) + 1
        sequences[market] = sequence
        try database.cachedStatement(
            sql: """
                INSERT INTO changes (
                    number, order_id, pair_sequence, state, fillable, is_partly_filled, since,
                    previous, committed_at, was_hidden
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            Int64(clamping: number), id, Int64(clamping: sequence), order.state.rawValue,
            Data(order.standing.fillable.bigEndianBytes), order.standing.isPartlyFilled,
            Int64(clamping: order.since), previous?.rawValue, Int64(clamping: now), order.wasHidden,
        ])
        changes.append(
            OrderChange(number: number, pairSequence: sequence, order: order, previous: previous)
        )
    }

    private func lastSequence(of market: MarketKey) throws -> UInt64 {
        let statement = try database.cachedStatement(
            sql: """
                SELECT sequence FROM sequences
                WHERE protocol = ? AND token_a = ? AND token_b = ?
                """
        )
        let last = try Int64.fetchOne(
            statement,
            arguments: [
                market.version.rawValue, Data(market.pair.makerToken.bytes),
                Data(market.pair.takerToken.bytes),
            ]
        )
        return UInt64(clamping: last ?? 0)
    }
}
