package import Ethereum
import GRDB

/// The records of `dex watch`: its position, events and deliveries.
extension Journal {
    /// A target's position on the chain; nil if it was never watched.
    package func watchCursor(_ subject: WatchTarget) throws(JournalError) -> WatchCursor? {
        try read { database in
            guard var cursor = try WatchCursor.of(subject).fetchOne(database) else { return nil }
            cursor.recent = try WatchedBlock.fetchAll(
                database,
                sql: "SELECT number, hash FROM watch_blocks WHERE watch = ? ORDER BY number",
                arguments: [try Self.watch(subject, in: database)]
            )
            return cursor
        }
    }

    /// The events with these keys, the standing ones of transactions in blocks from `block` on, and
    /// those of orders' funds.
    package func notedEvents(
        _ subject: WatchTarget,
        keys: Set<Bytes32>,
        from block: UInt64
    ) throws(JournalError) -> [NotedEvent] {
        let first = try integer(block, "the block number")
        return try read { database in
            guard let watch = try Self.watch(subject, in: database) else { return [] }
            let events = NotedEvent.filter(Column("watch") == watch).order(Column("id"))
            var found = try events.filter(
                sql: """
                    (standing = 1 AND kind IN (\(JournalSchema.inBlocks)) AND block >= ?)
                        OR kind IN ('unfunded', 'funded')
                    """,
                arguments: [first]
            ).fetchAll(database)
            var known = Set(found.map(\.event.key))
            // One by one over the index: SQLite limits the variables of a statement.
            for key in keys.sorted() where known.insert(key).inserted {
                found += try events.filter(Column("key") == key).fetchAll(database)
            }
            return found
        }
    }

    /// Records the changes of one reading, with a message for each sink, in one transaction.
    ///
    /// - Returns: false, without any change, if another reading was recorded since the cursor was
    ///   read.
    package func record(_ step: WatchStep) throws(JournalError) -> Bool {
        try write { database in
            let known = try WatchCursor.of(step.subject).fetchOne(database)
            guard known?.version ?? 0 == step.cursor.version else { return false }
            let watch = try Self.save(step, in: database)
            for change in step.changes {
                try Self.apply(change, step, watch: watch, in: database)
            }
            for change in step.alerts {
                guard let event = try Self.apply(change, in: database) else { continue }
                try Self.apply(.new(event), step, watch: watch, in: database)
            }
            return true
        }
    }

    /// The messages that a sink has not received yet, the oldest first.
    package func pendingMessages(
        _ subject: WatchTarget,
        sink: String,
        limit: Int
    ) throws(JournalError) -> [WatchMessage] {
        let whose = try Self.arguments(subject)
        return try read { database in
            try WatchMessage.fetchAll(
                database,
                sql: """
                    SELECT \(Self.message), d.attempts, d.next_try
                    FROM watch_deliveries d
                    JOIN watch_messages m ON m.id = d.message
                    JOIN watch_events e ON e.id = m.event
                    JOIN watches w ON w.id = e.watch
                    WHERE w.chain_id = ? AND w.exchange = ? AND w.account = ?
                        AND d.sink = ? AND d.state = 'pending'
                    ORDER BY m.id LIMIT ?
                    """,
                arguments: whose + [sink, limit]
            )
        }
    }

    /// The row of the last message about an account's events; 0 without one.
    package func lastMessage(_ subject: WatchTarget) throws(JournalError) -> Int64 {
        let whose = try Self.arguments(subject)
        return try read { database in
            try Int64.fetchOne(
                database,
                sql: "SELECT max(m.id) \(Self.ofSubject)",
                arguments: whose
            ) ?? 0
        }
    }

    /// The messages behind a row, the oldest first, whether a sink has them or not.
    package func messages(
        _ subject: WatchTarget,
        after row: Int64,
        limit: Int
    ) throws(JournalError) -> [WatchMessage] {
        let whose = try Self.arguments(subject)
        return try read { database in
            try WatchMessage.fetchAll(
                database,
                sql: """
                    SELECT \(Self.message), 0 AS attempts, 0 AS next_try \(Self.ofSubject)
                        AND m.id > ?
                    ORDER BY m.id LIMIT ?
                    """,
                arguments: whose + [row, limit]
            )
        }
    }

    private static let message = """
        e.key, e.kind, e.order_hash, e.transaction_hash, e.token, e.amount, e.other_token,
            e.other_amount, e.counterparty, e.expiry, e.alert, e.alert_text, e.alert_value,
            m.id AS row, m.turn, m.block, m.block_hash, m.log_index, m.time, m.noted
        """

    private static let ofSubject = """
        FROM watch_messages m
        JOIN watch_events e ON e.id = m.event
        JOIN watches w ON w.id = e.watch
        WHERE w.chain_id = ? AND w.exchange = ? AND w.account = ?
        """

    /// Records the outcome of a message at a sink and counts an attempt.
    package func settle(
        _ message: WatchMessage,
        sink: String,
        as state: WatchDeliveryState
    ) throws(JournalError) {
        let (word, next): (String, Int64) =
            switch state {
            case .delivered: ("delivered", 0)
            case .failed: ("failed", 0)
            case .pending(let time): ("pending", try integer(time, "the time"))
            }
        try change(
            """
            UPDATE watch_deliveries SET state = ?, next_try = ?, attempts = attempts + 1
            WHERE message = ? AND sink = ?
            """,
            [word, next, message.row, sink]
        )
    }

    // MARK: Rows

    private static func arguments(
        _ subject: WatchTarget
    ) throws(JournalError) -> StatementArguments {
        [try integer(subject.chainID, "the chain id"), subject.exchange, subject.account]
    }

    /// The row of a target; nil if it was never watched.
    private static func watch(_ subject: WatchTarget, in database: Database) throws -> Int64? {
        try WatchCursor.of(subject).select(Column("id"), as: Int64.self).fetchOne(database)
    }

    /// Saves the cursor and its blocks; returns its row number.
    private static func save(_ step: WatchStep, in database: Database) throws -> Int64 {
        var cursor = step.cursor
        cursor.version += 1
        let known = try Self.watch(step.subject, in: database)
        let row = Kept(cursor) { row in
            row["id"] = known
            try step.subject.encode(to: &row)
        }
        try row.save(database)
        let watch = known ?? database.lastInsertedRowID
        try database.execute(sql: "DELETE FROM watch_blocks WHERE watch = ?", arguments: [watch])
        for block in cursor.recent {
            try database.execute(
                sql: "INSERT INTO watch_blocks (watch, number, hash) VALUES (?, ?, ?)",
                arguments: [watch, try integer(block.number, "the block number"), block.hash]
            )
        }
        return watch
    }

    private static func apply(
        _ change: WatchStep.Change,
        _ step: WatchStep,
        watch: Int64,
        in database: Database
    ) throws {
        switch change {
        case .new(let event):
            try Kept(NotedEvent(event: event, turn: 0)) { $0["watch"] = watch }.insert(database)
            try tell(event, step, watch: watch, in: database)
        case .moved(let event):
            try update(event, growing: 0, watch: watch, in: database)
        case .undone(let event), .restored(let event):
            try update(event, growing: 1, watch: watch, in: database)
            try tell(event, step, watch: watch, in: database)
        }
    }

    private static func update(
        _ event: WatchEvent,
        growing turns: Int64,
        watch: Int64,
        in database: Database
    ) throws {
        let place = event.place
        try database.execute(
            sql: """
                UPDATE watch_events SET block = ?, block_hash = ?, log_index = ?, time = ?,
                    turn = turn + ?, standing = (turn + ? + 1) % 2
                WHERE watch = ? AND key = ?
                """,
            arguments: [
                try integer(place.block.number, "the block number"), place.block.hash,
                try place.logIndex.map { try integer($0, "the log index") },
                try integer(place.time, "the time"), turns, turns, watch, event.key,
            ]
        )
    }

    private static func tell(
        _ event: WatchEvent,
        _ step: WatchStep,
        watch: Int64,
        in database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO watch_messages (event, turn, block, block_hash, log_index, time, noted)
                SELECT id, turn, block, block_hash, log_index, time, ?
                FROM watch_events WHERE watch = ? AND key = ?
                """,
            arguments: [try integer(step.now, "the time"), watch, event.key]
        )
        let message = database.lastInsertedRowID
        var sinks = Set(step.sinks)
        if step.unreported.contains(event.key) {
            // What a sink was told is taken back from it, too.
            sinks.formIntersection(
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT d.sink FROM watch_deliveries d
                        JOIN watch_messages m ON m.id = d.message
                        JOIN watch_events e ON e.id = m.event
                        WHERE e.watch = ? AND e.key = ?
                        """,
                    arguments: [watch, event.key]
                )
            )
        }
        for sink in sinks.sorted() {
            try database.execute(
                sql: """
                    INSERT INTO watch_deliveries (message, sink, state, attempts, next_try)
                    VALUES (?, ?, 'pending', 0, 0)
                    """,
                arguments: [message, sink]
            )
        }
    }
}
