extension JournalSchema {
    /// The position of `dex watch` per account, its events, and their pending deliveries.
    ///
    /// A message and its deliveries are written in the transaction that moves `next` past their
    /// blocks.
    static let version5 = """
        CREATE TABLE watches (
            id INTEGER PRIMARY KEY,
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            exchange TEXT NOT NULL CHECK (length(exchange) = 42),
            account TEXT NOT NULL CHECK (length(account) = 42),
            first INTEGER NOT NULL CHECK (first >= 0),
            next INTEGER NOT NULL CHECK (next >= first),
            since INTEGER NOT NULL CHECK (since >= 0),
            version INTEGER NOT NULL CHECK (version >= 1),
            UNIQUE (chain_id, exchange, account)
        ) STRICT;

        CREATE TABLE watch_blocks (
            watch INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
            number INTEGER NOT NULL CHECK (number >= 0),
            hash TEXT NOT NULL CHECK (length(hash) = 66),
            PRIMARY KEY (watch, number)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE watch_events (
            id INTEGER PRIMARY KEY,
            watch INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
            key TEXT NOT NULL CHECK (length(key) = 66),
            kind TEXT NOT NULL CHECK (kind IN ('fill', 'cancel', 'received', 'sent', 'expiring',
                'expired', 'unfunded', 'funded')),
            order_hash TEXT CHECK (length(order_hash) = 66),
            transaction_hash TEXT CHECK (length(transaction_hash) = 66),
            token TEXT NOT NULL CHECK (length(token) = 42),
            amount TEXT NOT NULL,
            other_token TEXT CHECK (length(other_token) = 42),
            other_amount TEXT,
            counterparty TEXT CHECK (length(counterparty) = 42),
            expiry TEXT,
            standing INTEGER NOT NULL CHECK (standing IN (0, 1)),
            turn INTEGER NOT NULL CHECK (turn >= 0),
            block INTEGER NOT NULL CHECK (block >= 0),
            block_hash TEXT NOT NULL CHECK (length(block_hash) = 66),
            log_index INTEGER CHECK (log_index >= 0),
            time INTEGER NOT NULL CHECK (time >= 0),
            UNIQUE (watch, key),
            CHECK ((kind IN ('fill', 'cancel', 'received', 'sent'))
                = (transaction_hash IS NOT NULL)),
            CHECK ((kind IN ('received', 'sent')) = (order_hash IS NULL)),
            CHECK ((transaction_hash IS NULL) = (log_index IS NULL)),
            CHECK ((other_token IS NULL) = (other_amount IS NULL)),
            -- Turn 0 is new, the odd ones are undone, the even ones are there again.
            CHECK (standing = (turn + 1) % 2),
            CHECK (turn = 0 OR transaction_hash IS NOT NULL)
        ) STRICT;

        CREATE INDEX watch_events_by_block ON watch_events (watch, block);

        CREATE TABLE watch_messages (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            event INTEGER NOT NULL REFERENCES watch_events (id) ON DELETE CASCADE,
            turn INTEGER NOT NULL CHECK (turn >= 0),
            block INTEGER NOT NULL CHECK (block >= 0),
            block_hash TEXT NOT NULL CHECK (length(block_hash) = 66),
            log_index INTEGER CHECK (log_index >= 0),
            time INTEGER NOT NULL CHECK (time >= 0),
            noted INTEGER NOT NULL CHECK (noted >= 0),
            UNIQUE (event, turn)
        ) STRICT;

        CREATE TABLE watch_deliveries (
            message INTEGER NOT NULL REFERENCES watch_messages (id) ON DELETE CASCADE,
            sink TEXT NOT NULL CHECK (sink <> ''),
            state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
            attempts INTEGER NOT NULL CHECK (attempts >= 0),
            next_try INTEGER NOT NULL CHECK (next_try >= 0),
            PRIMARY KEY (message, sink)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX watch_pending ON watch_deliveries (sink, message) WHERE state = 'pending';
        """

    /// Kinds of events that are in a block, so a reorganization can remove them.
    static let inBlocks = "'fill', 'cancel', 'received', 'sent', 'wrapped', 'unwrapped', 'trade'"

    /// Adds payments in ether, and ether that was wrapped or unwrapped.
    ///
    /// A payment in ether has neither a token nor a log, and one by a contract has no known
    /// transaction. SQLite cannot change a constraint, so the table is rebuilt.
    static let version7 = """
        CREATE TABLE watch_events_v7 (
            id INTEGER PRIMARY KEY,
            watch INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
            key TEXT NOT NULL CHECK (length(key) = 66),
            kind TEXT NOT NULL CHECK (kind IN ('fill', 'cancel', 'received', 'sent', 'wrapped',
                'unwrapped', 'expiring', 'expired', 'unfunded', 'funded')),
            order_hash TEXT CHECK (length(order_hash) = 66),
            transaction_hash TEXT CHECK (length(transaction_hash) = 66),
            -- NULL is ether.
            token TEXT CHECK (length(token) = 42),
            amount TEXT NOT NULL,
            other_token TEXT CHECK (length(other_token) = 42),
            other_amount TEXT,
            counterparty TEXT CHECK (length(counterparty) = 42),
            expiry TEXT,
            standing INTEGER NOT NULL CHECK (standing IN (0, 1)),
            turn INTEGER NOT NULL CHECK (turn >= 0),
            block INTEGER NOT NULL CHECK (block >= 0),
            block_hash TEXT NOT NULL CHECK (length(block_hash) = 66),
            log_index INTEGER CHECK (log_index >= 0),
            time INTEGER NOT NULL CHECK (time >= 0),
            UNIQUE (watch, key),
            CHECK (token IS NOT NULL OR kind IN ('received', 'sent')),
            -- What a contract pays in ether has no transaction that anybody told.
            CHECK ((kind IN ('fill', 'cancel', 'received', 'sent', 'wrapped', 'unwrapped'))
                = (transaction_hash IS NOT NULL) OR token IS NULL),
            CHECK ((kind IN ('received', 'sent', 'wrapped', 'unwrapped')) = (order_hash IS NULL)),
            CHECK ((transaction_hash IS NULL OR token IS NULL) = (log_index IS NULL)),
            CHECK ((other_token IS NULL) = (other_amount IS NULL)),
            -- Turn 0 is new, the odd ones are undone, the even ones are there again.
            CHECK (standing = (turn + 1) % 2),
            CHECK (turn = 0 OR kind IN ('fill', 'cancel', 'received', 'sent', 'wrapped',
                'unwrapped'))
        ) STRICT;

        INSERT INTO watch_events_v7
            (id, watch, key, kind, order_hash, transaction_hash, token, amount, other_token,
                other_amount, counterparty, expiry, standing, turn, block, block_hash, log_index,
                time)
            SELECT id, watch, key, kind, order_hash, transaction_hash, token, amount, other_token,
                other_amount, counterparty, expiry, standing, turn, block, block_hash, log_index,
                time
            FROM watch_events;

        DROP TABLE watch_events;
        ALTER TABLE watch_events_v7 RENAME TO watch_events;

        CREATE INDEX watch_events_by_block ON watch_events (watch, block);
        """
}
