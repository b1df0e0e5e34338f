extension PastSchema {
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
