import Ethereum
import GRDB

/// The tables of the journal, and the steps that bring older ones to their newest form.
enum JournalSchema {
    /// `dexj` in ASCII, SQLite's application id of our files.
    static let applicationID: Int64 = 0x6465_786A

    /// Statuses in which a transaction holds its nonce.
    static let live =
        "'reserved', 'signed', 'held', 'sent', 'dropped', 'reorganized', 'mined', 'reverted'"

    /// Statuses of a signed transaction that may still be mined: a node may keep what it refuses.
    static let unsettled = "'signed', 'held', 'sent', 'dropped', 'reorganized', 'refused'"

    /// The condition on a row `t` of transactions whose end the chain has not shown.
    ///
    /// A replaced one is among them until the journal has the mined transaction with its nonce: a
    /// node may have been wrong about it. Takes the chain id.
    static let open = """
        (t.status IN (\(unsettled)) OR t.status = 'replaced' AND (t.sender, t.nonce) NOT IN (
            SELECT sender, nonce FROM transactions
            WHERE chain_id = ? AND status IN ('mined', 'reverted')
        ))
        """

    /// Kinds of events that are in a block, so a reorganization can remove them.
    static let inBlocks = "'fill', 'cancel', 'received', 'sent', 'wrapped', 'unwrapped', 'trade'"

    // MARK: Steps

    /// The steps in the order in which they were released, each with the tables that it made or
    /// changed.
    ///
    /// A step brings its tables to the newest form, and leaves those that have it. A new one changes
    /// `newest` and is added here; a name is never changed, since journals have it.
    private static let steps = [
        ("v1", tables.map(\.name)),
        ("v2", ["orders"]),
        ("v3", ["transactions"]),
        // Its third table went with step 23.
        ("v4", ["trade_transactions", "trades"]),
        (
            "v5",
            ["watches", "watch_blocks", "watch_events", "watch_messages", "watch_deliveries"]
        ),
        ("v6", ["order_intents"]),
        ("v7", ["watch_events"]),
        ("v8", ["trades"]),
        // Its tables, and that of step 20, went with step 22.
        ("v9-market", []),
        ("v10-alerts", ["alerts", "watch_events"]),
        ("v11-guards", ["guards"]),
        ("v12-held", ["transactions", "signed_files"]),
        ("v13-activity", ["activity", "activity_gaps"]),
        ("v14-tags", ["intents"]),
        ("v15-guard-terms", ["guards"]),
        ("v16-rollup-fees", ["receipts", "trade_transactions"]),
        ("v17-guard-firings", ["guard_firings"]),
        ("v18-arrivals", ["trades"]),
        ("v19-watch-trades", ["watch_events"]),
        ("v20-pool-trades", []),
        ("v21-agent-plans", ["agent_plans"]),
        ("v22-events", ["event_subjects", "event_ranges", "events"]),
        ("v23-trade-ranges", []),
        ("v24-order-plans", []),
    ]

    /// The tables of `newest`, each with the statements that make it and its indexes.
    private static let tables = newest.split(separator: "\n\n").compactMap { section in
        section.split(separator: "CREATE TABLE ").last?.split(separator: " ").first.map { name in
            (name: name.filter { $0 != "\"" }, sql: String(section))
        }
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (step, names) in steps {
            migrator.registerMigration(step) { database in
                for name in names { try renew(name, in: database) }
                switch step {
                case "v22-events": try retireCopies(in: database)
                case "v23-trade-ranges": try retireScans(in: database)
                case "v24-order-plans": try noteOrderPlans(in: database)
                default: break
                }
            }
        }
        return migrator
    }

    /// Takes over which blocks of an account's activity were read, and drops each feature's own
    /// copies of trades, which lack most of their logs: they are read again.
    private static func retireCopies(in database: Database) throws {
        if try database.tableExists("activity_ranges") {
            try database.execute(
                sql: """
                    INSERT INTO event_subjects (chain_id, name, events)
                        SELECT chain_id, 'activity ' || account, (SELECT COUNT(*) FROM activity a
                            WHERE a.chain_id = r.chain_id AND a.account = r.account)
                        FROM activity_ranges r GROUP BY chain_id, account;
                    INSERT INTO event_ranges (subject, first, last, last_hash, anchor, anchor_hash)
                        SELECT s.id, r.first, r.last, r.last_hash, r.anchor, r.anchor_hash
                        FROM activity_ranges r JOIN event_subjects s
                            ON s.chain_id = r.chain_id AND s.name = 'activity ' || r.account;
                    """
            )
        }
        for name in ["market_fills", "market_ranges", "pool_trades", "activity_ranges"] {
            try database.execute(sql: "DROP TABLE IF EXISTS \(name)")
        }
    }

    /// Takes over which blocks were read for an account's trades; the hash of their last block was
    /// not kept.
    private static func retireScans(in database: Database) throws {
        guard try database.tableExists("scans") else { return }
        try database.execute(
            sql: """
                INSERT INTO event_subjects (chain_id, name, events)
                    SELECT chain_id, 'trades ' || exchange || ' ' || account, 0 FROM scans;
                INSERT INTO event_ranges (subject, first, last, last_hash, anchor, anchor_hash)
                    SELECT s.id, c.first, c.last, '\(KeptRange.unknown.hex)', c.last,
                        '\(KeptRange.unknown.hex)'
                    FROM scans c JOIN event_subjects s ON s.chain_id = c.chain_id
                        AND s.name = 'trades ' || c.exchange || ' ' || c.account;
                DROP TABLE scans;
                """
        )
    }

    /// Notes of interrupted replacements that they were to end in an order, which only their command
    /// said before.
    private static func noteOrderPlans(in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO plans (intent, sequence, body, created)
                    SELECT id, 1, ?, created FROM intents i
                    WHERE closed IS NULL AND command = 'replace'
                        AND NOT EXISTS (SELECT 1 FROM plans p WHERE p.intent = i.id)
                """,
            arguments: [JournalIntent.orderPlan]
        )
    }

    /// Makes all of a new journal in one transaction, as if every step had run.
    static func make(in queue: DatabaseQueue) throws {
        guard try queue.read(migrator.appliedMigrations).isEmpty else { return }
        try queue.inDatabase { database in
            try database.inTransaction(.immediate) {
                // Another process may have begun since.
                guard try migrator.appliedMigrations(database).isEmpty else { return .rollback }
                try database.execute(
                    sql: """
                        CREATE TABLE IF NOT EXISTS
                            grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)
                        """
                )
                for table in tables { try renew(table.name, in: database) }
                for (step, _) in steps {
                    try database.execute(
                        sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)",
                        arguments: [step]
                    )
                }
                return .commit
            }
        }
    }

    /// Makes a table, or makes it anew in its newest form with the rows that it has.
    ///
    /// SQLite cannot change a constraint. References of other tables are checked after the step.
    private static func renew(_ name: String, in database: Database) throws {
        let known = try String.fetchOne(
            database,
            sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?",
            arguments: [name]
        )
        for table in tables where table.name == name {
            guard let known else { return try database.execute(sql: table.sql) }
            if table.sql.contains(known + ";") { return }
            let columns = try database.columns(in: name).map(\.name).joined(separator: ", ")
            // Numbers of rows are never used again.
            let last = try Int64.fetchOne(
                database,
                sql: "SELECT seq FROM sqlite_sequence WHERE name = ?",
                arguments: [name]
            )
            try database.execute(
                sql: """
                    CREATE TABLE past AS SELECT * FROM \(name);
                    DROP TABLE \(name);
                    \(table.sql)
                    INSERT INTO \(name) (\(columns)) SELECT \(columns) FROM past;
                    DROP TABLE past;
                    DELETE FROM sqlite_sequence WHERE name = '\(name)';
                    """
            )
            guard let last else { continue }
            try database.execute(
                sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
                arguments: [name, last]
            )
        }
    }
}
