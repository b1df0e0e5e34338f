import GRDB

/// The tables of the journal and their migrations.
enum JournalSchema {
    /// `dexj` in ASCII, SQLite's application id of our files.
    static let applicationID: Int64 = 0x6465_786A

    /// The migrations, in the order in which they run; never edit a released one.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { database in
            try database.execute(sql: version1)
        }
        migrator.registerMigration("v2") { database in
            try database.execute(sql: version2)
        }
        migrator.registerMigration("v3") { database in
            try database.execute(sql: version3)
        }
        migrator.registerMigration("v4") { database in
            try database.execute(sql: version4)
        }
        migrator.registerMigration("v5") { database in
            try database.execute(sql: version5)
        }
        migrator.registerMigration("v6") { database in
            try database.execute(sql: version6)
        }
        migrator.registerMigration("v7") { database in
            try database.execute(sql: version7)
        }
        migrator.registerMigration("v8") { database in
            try database.execute(sql: version8)
        }
        migrator.registerMigration("v9-market") { database in
            try database.execute(sql: market)
        }
        migrator.registerMigration("v10-alerts") { database in
            try database.execute(sql: alerts)
        }
        migrator.registerMigration("v11-guards") { database in
            try database.execute(sql: guards)
        }
        migrator.registerMigration("v12-held") { database in
            try database.execute(sql: held)
        }
        migrator.registerMigration("v13-activity") { database in
            try database.execute(sql: activity)
        }
        migrator.registerMigration("v14-tags") { database in
            try database.execute(sql: tags)
        }
        migrator.registerMigration("v15-guard-terms") { database in
            try database.execute(sql: guardTerms)
        }
        migrator.registerMigration("v16-rollup-fees") { database in
            try database.execute(sql: rollupFees)
        }
        migrator.registerMigration("v17-guard-firings") { database in
            try database.execute(sql: guardFirings)
        }
        migrator.registerMigration("v18-arrivals") { database in
            try database.execute(sql: arrivals)
        }
        migrator.registerMigration("v19-watch-trades") { database in
            try database.execute(sql: watchTrades)
        }
        migrator.registerMigration("v20-pool-trades") { database in
            try database.execute(sql: poolTrades)
        }
        migrator.registerMigration("v21-agent-plans") { database in
            try database.execute(sql: agentPlans)
        }
        return migrator
    }

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

    private static let version1 = """
        CREATE TABLE intents (
            id INTEGER PRIMARY KEY,
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            account TEXT NOT NULL CHECK (length(account) = 42),
            command TEXT NOT NULL CHECK (command <> ''),
            created INTEGER NOT NULL CHECK (created >= 0),
            closed INTEGER,
            exit INTEGER,
            CHECK ((closed IS NULL) = (exit IS NULL))
        ) STRICT;

        CREATE TABLE plans (
            intent INTEGER NOT NULL REFERENCES intents (id),
            sequence INTEGER NOT NULL CHECK (sequence >= 1),
            body TEXT NOT NULL,
            created INTEGER NOT NULL CHECK (created >= 0),
            PRIMARY KEY (intent, sequence)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE transactions (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            intent INTEGER NOT NULL REFERENCES intents (id),
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            sender TEXT NOT NULL CHECK (length(sender) = 42),
            nonce INTEGER NOT NULL CHECK (nonce >= 0),
            purpose TEXT NOT NULL CHECK (purpose <> ''),
            status TEXT NOT NULL CHECK (status IN ('reserved', 'signed', 'sent', 'dropped',
                'mined', 'reverted', 'replaced', 'refused', 'forgotten')),
            lease INTEGER NOT NULL CHECK (lease >= 0),
            hash TEXT UNIQUE CHECK (length(hash) = 66),
            raw BLOB CHECK (length(raw) > 0),
            created INTEGER NOT NULL CHECK (created >= 0),
            changed INTEGER NOT NULL CHECK (changed >= 0),
            CHECK ((status = 'reserved') = (raw IS NULL)),
            CHECK ((raw IS NULL) = (hash IS NULL))
        ) STRICT;

        CREATE UNIQUE INDEX live_nonces ON transactions (chain_id, sender, nonce)
            WHERE status IN ('reserved', 'signed', 'sent', 'dropped', 'mined', 'reverted');

        CREATE TABLE receipts (
            hash TEXT NOT NULL PRIMARY KEY REFERENCES transactions (hash),
            block INTEGER NOT NULL CHECK (block >= 0),
            block_hash TEXT NOT NULL CHECK (length(block_hash) = 66),
            succeeded INTEGER NOT NULL CHECK (succeeded IN (0, 1)),
            gas_used INTEGER NOT NULL CHECK (gas_used >= 0),
            gas_price TEXT
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE fills (
            hash TEXT NOT NULL REFERENCES receipts (hash) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            order_hash TEXT NOT NULL CHECK (length(order_hash) = 66),
            maker TEXT NOT NULL CHECK (length(maker) = 42),
            maker_token TEXT NOT NULL CHECK (length(maker_token) = 42),
            taker_token TEXT NOT NULL CHECK (length(taker_token) = 42),
            maker_amount TEXT NOT NULL,
            taker_amount TEXT NOT NULL,
            maker_fee TEXT NOT NULL,
            taker_fee TEXT NOT NULL,
            PRIMARY KEY (hash, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE orders (
            hash TEXT NOT NULL PRIMARY KEY CHECK (length(hash) = 66),
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            exchange TEXT NOT NULL CHECK (length(exchange) = 42),
            maker TEXT NOT NULL CHECK (length(maker) = 42),
            wire TEXT NOT NULL CHECK (wire <> ''),
            created INTEGER NOT NULL CHECK (created >= 0),
            relay TEXT
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX orders_by_maker ON orders (chain_id, exchange, maker);
        """

    /// Adds doubt to orders; existing ones count as settled.
    private static let version2 = """
        ALTER TABLE orders ADD COLUMN doubt INTEGER NOT NULL DEFAULT 0 CHECK (doubt IN (0, 1));
        """

    /// Adds blocks lost to a reorganization, and the links between replaced transactions.
    ///
    /// SQLite cannot change a constraint, so the table is rebuilt; its row numbers are never
    /// reused.
    private static let version3 = """
        CREATE TABLE transactions_v3 (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            intent INTEGER NOT NULL REFERENCES intents (id),
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            sender TEXT NOT NULL CHECK (length(sender) = 42),
            nonce INTEGER NOT NULL CHECK (nonce >= 0),
            purpose TEXT NOT NULL CHECK (purpose <> ''),
            status TEXT NOT NULL CHECK (status IN ('reserved', 'signed', 'sent', 'dropped',
                'reorganized', 'mined', 'reverted', 'replaced', 'refused', 'forgotten')),
            lease INTEGER NOT NULL CHECK (lease >= 0),
            hash TEXT UNIQUE CHECK (length(hash) = 66),
            raw BLOB CHECK (length(raw) > 0),
            created INTEGER NOT NULL CHECK (created >= 0),
            changed INTEGER NOT NULL CHECK (changed >= 0),
            taken_from INTEGER CHECK (taken_from >= 0),
            successor TEXT UNIQUE
                REFERENCES transactions (hash) DEFERRABLE INITIALLY DEFERRED,
            CHECK ((status = 'reserved') = (raw IS NULL)),
            CHECK ((raw IS NULL) = (hash IS NULL)),
            CHECK (status <> 'reorganized' OR taken_from IS NOT NULL),
            CHECK (successor IS NULL OR (hash IS NOT NULL AND successor <> hash))
        ) STRICT;

        INSERT INTO transactions_v3
            (id, intent, chain_id, sender, nonce, purpose, status, lease, hash, raw, created,
                changed)
            SELECT id, intent, chain_id, sender, nonce, purpose, status, lease, hash, raw, created,
                changed
            FROM transactions;

        DELETE FROM sqlite_sequence WHERE name = 'transactions_v3';
        INSERT INTO sqlite_sequence (name, seq)
            SELECT 'transactions_v3', seq FROM sqlite_sequence WHERE name = 'transactions';

        DROP TABLE transactions;
        ALTER TABLE transactions_v3 RENAME TO transactions;

        -- What was replaced leaves its nonce to its successor.
        CREATE UNIQUE INDEX live_nonces ON transactions (chain_id, sender, nonce)
            WHERE successor IS NULL AND status IN ('reserved', 'signed', 'sent', 'dropped',
                'reorganized', 'mined', 'reverted');
        """

    /// Adds fills and cancels from the exchange's logs, in transactions of any sender.
    ///
    /// Trades of our own orders are in transactions of others. `fills` is no longer written.
    private static let version4 = """
        CREATE TABLE trade_transactions (
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            hash TEXT NOT NULL CHECK (length(hash) = 66),
            sender TEXT NOT NULL CHECK (length(sender) = 42),
            block INTEGER NOT NULL CHECK (block >= 0),
            block_hash TEXT NOT NULL CHECK (length(block_hash) = 66),
            time INTEGER CHECK (time >= 0),
            gas_used INTEGER NOT NULL CHECK (gas_used >= 0),
            gas_price TEXT,
            PRIMARY KEY (chain_id, hash)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE trades (
            chain_id INTEGER NOT NULL,
            transaction_hash TEXT NOT NULL,
            log_index INTEGER NOT NULL CHECK (log_index >= 0),
            exchange TEXT NOT NULL CHECK (length(exchange) = 42),
            kind TEXT NOT NULL CHECK (kind IN ('fill', 'cancel')),
            order_hash TEXT NOT NULL CHECK (length(order_hash) = 66),
            maker TEXT NOT NULL CHECK (length(maker) = 42),
            taker TEXT CHECK (length(taker) = 42),
            fee_recipient TEXT CHECK (length(fee_recipient) = 42),
            maker_token TEXT NOT NULL CHECK (length(maker_token) = 42),
            taker_token TEXT NOT NULL CHECK (length(taker_token) = 42),
            maker_amount TEXT NOT NULL,
            taker_amount TEXT NOT NULL,
            maker_fee TEXT,
            taker_fee TEXT,
            PRIMARY KEY (chain_id, transaction_hash, log_index),
            FOREIGN KEY (chain_id, transaction_hash)
                REFERENCES trade_transactions (chain_id, hash) ON DELETE CASCADE,
            CHECK ((kind = 'fill') = (taker IS NOT NULL)),
            CHECK ((taker IS NULL) = (fee_recipient IS NULL)),
            CHECK ((taker IS NULL) = (maker_fee IS NULL)),
            CHECK ((taker IS NULL) = (taker_fee IS NULL))
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX trades_by_order ON trades (order_hash);
        CREATE INDEX trades_by_maker ON trades (chain_id, exchange, maker);
        CREATE INDEX trades_by_taker ON trades (chain_id, exchange, taker);

        CREATE TABLE scans (
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            exchange TEXT NOT NULL CHECK (length(exchange) = 42),
            account TEXT NOT NULL CHECK (length(account) = 42),
            first INTEGER NOT NULL CHECK (first >= 0),
            last INTEGER NOT NULL CHECK (last >= first),
            PRIMARY KEY (chain_id, exchange, account)
        ) STRICT, WITHOUT ROWID;
        """

    /// Links orders to their intents: after a kill it is known what the command signed.
    ///
    /// An order that is signed once may be posted by several intents.
    private static let version6 = """
        CREATE TABLE order_intents (
            intent INTEGER NOT NULL REFERENCES intents (id),
            hash TEXT NOT NULL REFERENCES orders (hash),
            PRIMARY KEY (intent, hash)
        ) STRICT, WITHOUT ROWID;
        """

    /// One log may cancel many orders, so a trade is a log and an order.
    private static let version8 = """
        CREATE TABLE trades_v8 (
            chain_id INTEGER NOT NULL,
            transaction_hash TEXT NOT NULL,
            log_index INTEGER NOT NULL CHECK (log_index >= 0),
            exchange TEXT NOT NULL CHECK (length(exchange) = 42),
            kind TEXT NOT NULL CHECK (kind IN ('fill', 'cancel')),
            order_hash TEXT NOT NULL CHECK (length(order_hash) = 66),
            maker TEXT NOT NULL CHECK (length(maker) = 42),
            taker TEXT CHECK (length(taker) = 42),
            fee_recipient TEXT CHECK (length(fee_recipient) = 42),
            maker_token TEXT NOT NULL CHECK (length(maker_token) = 42),
            taker_token TEXT NOT NULL CHECK (length(taker_token) = 42),
            maker_amount TEXT NOT NULL,
            taker_amount TEXT NOT NULL,
            maker_fee TEXT,
            taker_fee TEXT,
            PRIMARY KEY (chain_id, transaction_hash, log_index, order_hash),
            FOREIGN KEY (chain_id, transaction_hash)
                REFERENCES trade_transactions (chain_id, hash) ON DELETE CASCADE,
            CHECK ((kind = 'fill') = (taker IS NOT NULL)),
            CHECK ((taker IS NULL) = (fee_recipient IS NULL)),
            CHECK ((taker IS NULL) = (maker_fee IS NULL)),
            CHECK ((taker IS NULL) = (taker_fee IS NULL))
        ) STRICT, WITHOUT ROWID;

        INSERT INTO trades_v8 (chain_id, transaction_hash, log_index, exchange, kind, order_hash,
                maker, taker, fee_recipient, maker_token, taker_token, maker_amount, taker_amount,
                maker_fee, taker_fee)
            SELECT chain_id, transaction_hash, log_index, exchange, kind, order_hash, maker, taker,
                fee_recipient, maker_token, taker_token, maker_amount, taker_amount, maker_fee,
                taker_fee
            FROM trades;
        DROP TABLE trades;
        ALTER TABLE trades_v8 RENAME TO trades;

        CREATE INDEX trades_by_order ON trades (order_hash);
        CREATE INDEX trades_by_maker ON trades (chain_id, exchange, maker);
        CREATE INDEX trades_by_taker ON trades (chain_id, exchange, taker);
        """
}
