import Ethereum
import FoundationEssentials
import GRDB
import ZeroEx

/// The tables of the relay's file and their migrations.
enum SQLiteOrderSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("orders") { database in
            try database.execute(
                sql: """
                    CREATE TABLE orders (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
                        maker BLOB NOT NULL CHECK (length(maker) = 20),
                        body TEXT NOT NULL
                            CHECK (length(body) <= 16384 AND json_type(body) = 'object'),
                        received_at INTEGER NOT NULL CHECK (received_at >= 0)
                    ) STRICT
                    """
            )
        }
        // Existing rows belong to the only version of that time.
        migrator.registerMigration("protocols") { database in
            try database.execute(
                sql: """
                    ALTER TABLE orders ADD COLUMN protocol TEXT NOT NULL DEFAULT 'v1'
                        CHECK (length(protocol) BETWEEN 1 AND 16);
                    CREATE TABLE unfillable (
                        hash BLOB PRIMARY KEY NOT NULL CHECK (length(hash) = 32),
                        protocol TEXT NOT NULL CHECK (length(protocol) BETWEEN 1 AND 16),
                        maker BLOB NOT NULL CHECK (length(maker) = 20),
                        body TEXT NOT NULL
                            CHECK (length(body) <= 16384 AND json_type(body) = 'object'),
                        state TEXT NOT NULL
                            CHECK (state IN ('expired', 'filled', 'cancelled', 'unfunded')),
                        since INTEGER NOT NULL CHECK (since >= 0)
                    ) STRICT;
                    CREATE INDEX unfillable_of_maker ON unfillable (protocol, maker, since);
                    CREATE INDEX unfillable_since ON unfillable (since);
                    """
            )
        }
        migrator.registerMigration("changes") { database in
            try database.execute(
                sql: """
                    ALTER TABLE orders RENAME TO old_orders;
                    \(tables)
                    """
            )
            try moveOldOrders(database)
            try database.execute(sql: "DROP TABLE old_orders; DROP TABLE unfillable")
        }
        migrator.registerMigration("hidden before the end") { database in
            for table in ["orders", "changes"] {
                try database.execute(
                    sql: """
                        ALTER TABLE \(table) ADD COLUMN was_hidden INTEGER NOT NULL DEFAULT 0
                            CHECK (was_hidden IN (0, 1))
                        """
                )
            }
            // Older files name the state before the last change only.
            try database.execute(
                sql: """
                    UPDATE orders SET was_hidden = 1
                    WHERE \(ended) AND change IN (
                        SELECT number FROM changes WHERE previous = 'hidden'
                    )
                    """
            )
        }
        // What a post writes, and what SQLite checks of it, is as little as possible.
        migrator.registerMigration("quick posts") { database in
            try database.execute(
                sql: """
                    ALTER TABLE orders RENAME TO old_orders;
                    \(quickOrders)
                    INSERT INTO orders
                        SELECT id, hash, protocol, maker, maker_token, taker_token, body,
                            received_at, state, fillable, is_partly_filled, since, change,
                            was_hidden, NULL, NULL
                        FROM old_orders;
                    DROP TABLE old_orders;
                    \(indexes)
                    """
            )
        }
        // The one process that has the file keeps its changes in memory.
        migrator.registerMigration("changes in memory") { database in
            try database.execute(
                sql: """
                    DROP TABLE changes;
                    ALTER TABLE head DROP COLUMN pruned;
                    ALTER TABLE orders DROP COLUMN pair_sequence;
                    ALTER TABLE orders DROP COLUMN committed_at;
                    """
            )
        }
        return migrator
    }

    /// The states of orders that have ended, as in the condition of the index `orders_ended`.
    ///
    /// SQLite would make a table of a list of them, for every row that is written.
    static let ended = """
        (state = 'filled' OR state = 'cancelled' OR state = 'expired' OR state = 'removed')
        """

    /// Orders by the number of their first change.
    ///
    /// A post writes one row, at the table's end. There is no index of hashes, whose pages lie
    /// anywhere in the file: the process has the file for itself and keeps them in memory.
    private static let quickOrders = """
        CREATE TABLE orders (
            id INTEGER PRIMARY KEY,
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            protocol TEXT NOT NULL,
            maker BLOB NOT NULL CHECK (length(maker) = 20),
            maker_token BLOB NOT NULL CHECK (length(maker_token) = 20),
            taker_token BLOB NOT NULL CHECK (length(taker_token) = 20),
            body TEXT NOT NULL,
            received_at INTEGER NOT NULL CHECK (received_at >= 0),
            state TEXT NOT NULL,
            fillable BLOB NOT NULL CHECK (length(fillable) = 32),
            is_partly_filled INTEGER NOT NULL CHECK (is_partly_filled BETWEEN 0 AND 1),
            since INTEGER NOT NULL CHECK (since >= 0),
            change INTEGER NOT NULL CHECK (change >= 1),
            was_hidden INTEGER NOT NULL CHECK (was_hidden BETWEEN 0 AND 1),
            pair_sequence INTEGER CHECK (pair_sequence IS NULL OR pair_sequence >= 1 AND change = id),
            committed_at INTEGER CHECK (committed_at >= 0)
        ) STRICT;
        """

    private static let indexes = """
        CREATE INDEX orders_of_maker ON orders (protocol, maker, since) WHERE state <> 'shown';
        CREATE INDEX orders_ended ON orders (since) WHERE \(ended);
        """

    private static let tables = """
        CREATE TABLE orders (
            id INTEGER PRIMARY KEY,
            hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
            protocol TEXT NOT NULL CHECK (length(protocol) BETWEEN 1 AND 16),
            maker BLOB NOT NULL CHECK (length(maker) = 20),
            maker_token BLOB NOT NULL CHECK (length(maker_token) = 20),
            taker_token BLOB NOT NULL CHECK (length(taker_token) = 20),
            body TEXT NOT NULL CHECK (length(body) <= 16384 AND json_type(body) = 'object'),
            received_at INTEGER NOT NULL CHECK (received_at >= 0),
            state TEXT NOT NULL CHECK (state IN (
                'shown', 'dormant', 'hidden', 'filled', 'cancelled', 'expired', 'removed'
            )),
            fillable BLOB NOT NULL CHECK (length(fillable) = 32),
            is_partly_filled INTEGER NOT NULL CHECK (is_partly_filled IN (0, 1)),
            since INTEGER NOT NULL CHECK (since >= 0),
            change INTEGER NOT NULL CHECK (change >= 1)
        ) STRICT;
        CREATE INDEX orders_of_maker ON orders (protocol, maker, since) WHERE state <> 'shown';
        CREATE INDEX orders_ended ON orders (since)
            WHERE state IN ('filled', 'cancelled', 'expired', 'removed');
        CREATE TABLE changes (
            number INTEGER PRIMARY KEY CHECK (number >= 1),
            order_id INTEGER NOT NULL,
            pair_sequence INTEGER NOT NULL CHECK (pair_sequence >= 1),
            state TEXT NOT NULL CHECK (state IN (
                'shown', 'dormant', 'hidden', 'filled', 'cancelled', 'expired', 'removed'
            )),
            fillable BLOB NOT NULL CHECK (length(fillable) = 32),
            is_partly_filled INTEGER NOT NULL CHECK (is_partly_filled IN (0, 1)),
            since INTEGER NOT NULL CHECK (since >= 0),
            previous TEXT CHECK (previous IN (
                'shown', 'dormant', 'hidden', 'filled', 'cancelled', 'expired', 'removed'
            )),
            committed_at INTEGER NOT NULL CHECK (committed_at >= 0)
        ) STRICT;
        CREATE TABLE sequences (
            protocol TEXT NOT NULL CHECK (length(protocol) BETWEEN 1 AND 16),
            token_a BLOB NOT NULL CHECK (length(token_a) = 20),
            token_b BLOB NOT NULL CHECK (length(token_b) = 20 AND token_a <= token_b),
            sequence INTEGER NOT NULL CHECK (sequence >= 1),
            PRIMARY KEY (protocol, token_a, token_b)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE head (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            number INTEGER NOT NULL CHECK (number >= 0),
            pruned INTEGER NOT NULL CHECK (pruned >= 0 AND pruned <= number)
        ) STRICT;
        CREATE TABLE position (
            ordinal INTEGER PRIMARY KEY CHECK (ordinal >= 0),
            number INTEGER NOT NULL CHECK (number >= 0),
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            time INTEGER NOT NULL CHECK (time >= 0),
            touched BLOB NOT NULL CHECK (length(touched) % 32 = 0)
        ) STRICT;
        """

    /// Takes over the orders of an older file.
    ///
    /// What is left of them was not stored, so they are shown as not read; the watcher reads them.
    private static func moveOldOrders(_ database: Database) throws {
        let insert = try database.makeStatement(
            sql: """
                INSERT INTO orders (
                    hash, protocol, maker, maker_token, taker_token, body, received_at, state,
                    fillable, is_partly_filled, since, change
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, zeroblob(32), 0, ?, ?)
                """
        )
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT hash, protocol, maker, body, received_at, 'shown' AS state,
                    received_at AS since, sequence, 0 AS kind
                FROM old_orders
                UNION ALL
                SELECT hash, protocol, maker, body, since,
                    CASE state WHEN 'unfunded' THEN 'dormant' ELSE state END, since, 0, 1
                FROM unfillable
                WHERE hash NOT IN (SELECT hash FROM old_orders)
                ORDER BY kind, sequence, since, hash
                """
        )
        var number: Int64 = 0
        while let row = try rows.next() {
            let body: String = row["body"]
            // An order without tokens was never shown.
            guard let tokens = try tokens(of: body, database) else { continue }
            number += 1
            let hash: Data = row["hash"]
            let version: String = row["protocol"]
            let maker: Data = row["maker"]
            let receivedAt: Int64 = row["received_at"]
            let state: String = row["state"]
            let since: Int64 = row["since"]
            try insert.execute(arguments: [
                hash, version, maker, Data(tokens.makerToken.bytes), Data(tokens.takerToken.bytes),
                body, receivedAt, state, since, number,
            ])
        }
        try database.execute(
            sql: "INSERT INTO head (id, number, pruned) VALUES (1, ?, ?)",
            arguments: [number, number]
        )
    }

    private static func tokens(of body: String, _ database: Database) throws -> PairDirection? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT coalesce(body ->> '$.makerTokenAddress', body ->> '$.makerToken'),
                    coalesce(body ->> '$.takerTokenAddress', body ->> '$.takerToken')
                FROM (SELECT ? AS body)
                """,
            arguments: [body]
        )
        guard let row,
            let maker = String.fromDatabaseValue(row[0]), let makerToken = Address(ifHex: maker),
            let taker = String.fromDatabaseValue(row[1]), let takerToken = Address(ifHex: taker)
        else { return nil }
        return PairDirection(makerToken: makerToken, takerToken: takerToken)
    }
}
