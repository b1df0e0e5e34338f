extension JournalSchema {
    /// Adds alerts, and their reports to the events of `dex watch`.
    ///
    /// SQLite cannot change a constraint, so the table of events is rebuilt.
    static let alerts = """
        CREATE TABLE alerts (
            -- Never given to another alert: the ids of messages are made of it.
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            exchange TEXT NOT NULL CHECK (length(exchange) = 42),
            -- NULL for a condition of a book.
            account TEXT CHECK (length(account) = 42),
            kind TEXT NOT NULL CHECK (kind IN ('mid', 'bid', 'ask', 'spread', 'balance', 'fill',
                'unfunded', 'expiring')),
            -- The token of a balance, where NULL is ether.
            base TEXT CHECK (length(base) = 42),
            quote TEXT CHECK (length(quote) = 42),
            comparison TEXT CHECK (comparison IN ('<', '<=', '>', '>=')),
            -- Human units; hundredths of a percent for a spread.
            threshold TEXT,
            text TEXT NOT NULL CHECK (text <> ''),
            once INTEGER NOT NULL CHECK (once IN (0, 1)),
            created INTEGER NOT NULL CHECK (created >= 0),
            armed INTEGER NOT NULL CHECK (armed IN (0, 1)),
            turn INTEGER NOT NULL CHECK (turn >= 0),
            CHECK ((kind IN ('mid', 'bid', 'ask', 'spread')) = (account IS NULL)),
            CHECK ((kind IN ('fill', 'unfunded', 'expiring')) = (comparison IS NULL)),
            CHECK ((comparison IS NULL) = (threshold IS NULL)),
            CHECK (quote IS NULL OR base IS NOT NULL),
            CHECK (kind NOT IN ('mid', 'bid', 'ask', 'spread') OR quote IS NOT NULL)
        ) STRICT;

        CREATE INDEX alerts_by_exchange ON alerts (chain_id, exchange);

        CREATE TABLE watch_events_v10 (
            id INTEGER PRIMARY KEY,
            watch INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
            key TEXT NOT NULL CHECK (length(key) = 66),
            kind TEXT NOT NULL CHECK (kind IN ('fill', 'cancel', 'received', 'sent', 'wrapped',
                'unwrapped', 'expiring', 'expired', 'unfunded', 'funded', 'alert')),
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
            -- The alert, its condition and what was found.
            alert INTEGER CHECK (alert > 0),
            alert_text TEXT,
            alert_value TEXT,
            UNIQUE (watch, key),
            CHECK ((kind = 'alert') = (alert IS NOT NULL)),
            CHECK ((alert IS NULL) = (alert_text IS NULL)),
            CHECK ((alert IS NULL) = (alert_value IS NULL)),
            CHECK (token IS NOT NULL OR kind IN ('received', 'sent', 'alert')),
            -- What a contract pays in ether has no transaction that anybody told.
            CHECK ((kind IN ('fill', 'cancel', 'received', 'sent', 'wrapped', 'unwrapped'))
                = (transaction_hash IS NOT NULL) OR token IS NULL),
            CHECK ((kind IN ('received', 'sent', 'wrapped', 'unwrapped', 'alert'))
                = (order_hash IS NULL)),
            CHECK ((transaction_hash IS NULL OR token IS NULL) = (log_index IS NULL)),
            CHECK ((other_token IS NULL) = (other_amount IS NULL)),
            -- Turn 0 is new, the odd ones are undone, the even ones are there again.
            CHECK (standing = (turn + 1) % 2),
            CHECK (turn = 0 OR kind IN ('fill', 'cancel', 'received', 'sent', 'wrapped',
                'unwrapped'))
        ) STRICT;

        INSERT INTO watch_events_v10
            (id, watch, key, kind, order_hash, transaction_hash, token, amount, other_token,
                other_amount, counterparty, expiry, standing, turn, block, block_hash, log_index,
                time)
            SELECT id, watch, key, kind, order_hash, transaction_hash, token, amount, other_token,
                other_amount, counterparty, expiry, standing, turn, block, block_hash, log_index,
                time
            FROM watch_events;

        DROP TABLE watch_events;
        ALTER TABLE watch_events_v10 RENAME TO watch_events;

        CREATE INDEX watch_events_by_block ON watch_events (watch, block);
        """
}
