import GRDB

@testable import DexStore

/// The steps by which older versions of `dex` made a journal, as released: never edit one.
enum PastSchema {
    static let steps = [
        ("v1", version1),
        ("v2", version2),
        ("v3", version3),
        ("v4", version4),
        ("v5", version5),
        ("v6", version6),
        ("v7", version7),
        ("v8", version8),
        ("v9-market", market),
        ("v10-alerts", alerts),
        ("v11-guards", guards),
        ("v12-held", held),
        ("v13-activity", activity),
        ("v14-tags", tags),
        ("v15-guard-terms", guardTerms),
        ("v16-rollup-fees", rollupFees),
        ("v17-guard-firings", guardFirings),
        ("v18-arrivals", arrivals),
        ("v19-watch-trades", watchTrades),
        ("v20-pool-trades", poolTrades),
        ("v21-agent-plans", agentPlans),
        ("v22-events", events),
        ("v23-trade-ranges", tradeRanges),
        // It changed rows alone.
        ("v24-order-plans", ""),
    ]

    /// Makes the journal of an older version.
    static func make(_ version: String, in queue: DatabaseQueue) throws {
        var migrator = DatabaseMigrator()
        for (name, sql) in steps {
            migrator.registerMigration(name) { try $0.execute(sql: sql) }
        }
        try migrator.migrate(queue, upTo: version)
        try queue.write { database in
            try database.execute(
                sql: "PRAGMA application_id = \(JournalSchema.applicationID)"
            )
        }
    }

    static let version1 = """
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

    static let version2 = """
        ALTER TABLE orders ADD COLUMN doubt INTEGER NOT NULL DEFAULT 0 CHECK (doubt IN (0, 1));
        """

    static let version3 = """
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

    static let version4 = """
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
}
