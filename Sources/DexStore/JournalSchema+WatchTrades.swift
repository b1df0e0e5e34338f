extension JournalSchema {
    /// Adds trades to the events of `dex watch`: what one transaction took and what it brought.
    ///
    /// SQLite cannot change a constraint, so the table of events is rebuilt.
    static let watchTrades = """
        CREATE TABLE watch_events_v19 (
            id INTEGER PRIMARY KEY,
            watch INTEGER NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
            key TEXT NOT NULL CHECK (length(key) = 66),
            kind TEXT NOT NULL CHECK (kind IN ('fill', 'cancel', 'received', 'sent', 'wrapped',
                'unwrapped', 'trade', 'expiring', 'expired', 'unfunded', 'funded', 'alert')),
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
            CHECK (token IS NOT NULL OR kind IN ('received', 'sent', 'trade', 'alert')),
            -- What a contract pays in ether has no transaction that anybody told.
            CHECK ((kind IN ('fill', 'cancel', 'received', 'sent', 'wrapped', 'unwrapped', 'trade'))
                = (transaction_hash IS NOT NULL) OR token IS NULL),
            CHECK ((kind IN ('received', 'sent', 'wrapped', 'unwrapped', 'trade', 'alert'))
                = (order_hash IS NULL)),
            CHECK (kind = 'trade'
                OR (transaction_hash IS NULL OR token IS NULL) = (log_index IS NULL)),
            -- What a trade brought is a token: a log tells it, also where the coin paid for it.
            CHECK (kind <> 'trade' OR (transaction_hash IS NOT NULL AND log_index IS NOT NULL
                AND other_token IS NOT NULL)),
            CHECK ((other_token IS NULL) = (other_amount IS NULL)),
            -- Turn 0 is new, the odd ones are undone, the even ones are there again.
            CHECK (standing = (turn + 1) % 2),
            CHECK (turn = 0 OR kind IN ('fill', 'cancel', 'received', 'sent', 'wrapped',
                'unwrapped', 'trade'))
        ) STRICT;

        INSERT INTO watch_events_v19
            (id, watch, key, kind, order_hash, transaction_hash, token, amount, other_token,
                other_amount, counterparty, expiry, standing, turn, block, block_hash, log_index,
                time, alert, alert_text, alert_value)
            SELECT id, watch, key, kind, order_hash, transaction_hash, token, amount, other_token,
                other_amount, counterparty, expiry, standing, turn, block, block_hash, log_index,
                time, alert, alert_text, alert_value
            FROM watch_events;

        DROP TABLE watch_events;
        ALTER TABLE watch_events_v19 RENAME TO watch_events;

        CREATE INDEX watch_events_by_block ON watch_events (watch, block);
        """
}
