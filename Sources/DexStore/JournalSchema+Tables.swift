extension JournalSchema {
    /// Every table with its indexes in the newest form, in the order in which a new journal makes
    /// them; a blank line stands between two.
    ///
    /// Its text is what SQLite keeps of older journals, too: a column that was added later stands
    /// behind the last one, and a table that was once made anew has quotes around its name.
    static let newest = """
        -- What was confirmed, signed and posted.
        CREATE TABLE intents (
            id INTEGER PRIMARY KEY,
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            account TEXT NOT NULL CHECK (length(account) = 42),
            command TEXT NOT NULL CHECK (command <> ''),
            created INTEGER NOT NULL CHECK (created >= 0),
            closed INTEGER,
            exit INTEGER, tag TEXT CHECK (length(tag) BETWEEN 1 AND 64),
            CHECK ((closed IS NULL) = (exit IS NULL))
        ) STRICT;

        CREATE TABLE plans (
            intent INTEGER NOT NULL REFERENCES intents (id),
            sequence INTEGER NOT NULL CHECK (sequence >= 1),
            body TEXT NOT NULL,
            created INTEGER NOT NULL CHECK (created >= 0),
            PRIMARY KEY (intent, sequence)
        ) STRICT, WITHOUT ROWID;

        -- One row holds a nonce: what was replaced leaves it to its successor.
        CREATE TABLE "transactions" (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            intent INTEGER NOT NULL REFERENCES intents (id),
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            sender TEXT NOT NULL CHECK (length(sender) = 42),
            nonce INTEGER NOT NULL CHECK (nonce >= 0),
            purpose TEXT NOT NULL CHECK (purpose <> ''),
            status TEXT NOT NULL CHECK (status IN ('reserved', 'signed', 'held', 'sent', 'dropped',
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
        CREATE UNIQUE INDEX live_nonces ON transactions (chain_id, sender, nonce)
            WHERE successor IS NULL AND status IN ('reserved', 'signed', 'held', 'sent', 'dropped',
                'reorganized', 'mined', 'reverted');

        -- What was handed over signed, as its file has it.
        CREATE TABLE signed_files (
            hash TEXT NOT NULL PRIMARY KEY REFERENCES transactions (hash) ON DELETE CASCADE,
            body TEXT NOT NULL CHECK (body <> '')
        ) STRICT, WITHOUT ROWID;

        -- rollup_fee, here and below: what a rollup took beside the gas, NULL for nothing.
        CREATE TABLE receipts (
            hash TEXT NOT NULL PRIMARY KEY REFERENCES transactions (hash),
            block INTEGER NOT NULL CHECK (block >= 0),
            block_hash TEXT NOT NULL CHECK (length(block_hash) = 66),
            succeeded INTEGER NOT NULL CHECK (succeeded IN (0, 1)),
            gas_used INTEGER NOT NULL CHECK (gas_used >= 0),
            gas_price TEXT
        , rollup_fee TEXT) STRICT, WITHOUT ROWID;

        -- Written by the first version only; trades has all of later ones.
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
        , doubt INTEGER NOT NULL DEFAULT 0 CHECK (doubt IN (0, 1))) STRICT, WITHOUT ROWID;
        CREATE INDEX orders_by_maker ON orders (chain_id, exchange, maker);

        -- After a kill it is known what a command signed; several may post one order.
        CREATE TABLE order_intents (
            intent INTEGER NOT NULL REFERENCES intents (id),
            hash TEXT NOT NULL REFERENCES orders (hash),
            PRIMARY KEY (intent, hash)
        ) STRICT, WITHOUT ROWID;

        -- Fills and cancels of the account's orders, in transactions of any sender.
        CREATE TABLE trade_transactions (
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            hash TEXT NOT NULL CHECK (length(hash) = 66),
            sender TEXT NOT NULL CHECK (length(sender) = 42),
            block INTEGER NOT NULL CHECK (block >= 0),
            block_hash TEXT NOT NULL CHECK (length(block_hash) = 66),
            time INTEGER CHECK (time >= 0),
            gas_used INTEGER NOT NULL CHECK (gas_used >= 0),
            gas_price TEXT, rollup_fee TEXT,
            PRIMARY KEY (chain_id, hash)
        ) STRICT, WITHOUT ROWID;

        -- A log and an order, since one log may cancel many orders. What of a fill arrived is
        -- base units, unknown where the balances do not show it, NULL where they were not read
        -- yet.
        CREATE TABLE "trades" (
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
            taker_fee TEXT, taker_arrived TEXT
            CHECK (taker_arrived IS NULL OR kind = 'fill'), maker_arrived TEXT
            CHECK (maker_arrived IS NULL OR kind = 'fill'),
            PRIMARY KEY (chain_id, transaction_hash, log_index, order_hash),
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

        -- The position of dex watch per account, its events, and their deliveries. A message and
        -- its deliveries are written in the transaction that moves next past their blocks.
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

        CREATE TABLE "watch_events" (
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

        -- Copies of the chain that can be read again, with the ranges of blocks that were read:
        -- disjoint and never adjacent, since those that touch are merged.
        -- Of one filter of logs, of one account's activity or of its trades on an exchange: its name is
        -- EventSubject.name.
        CREATE TABLE event_subjects (
            id INTEGER PRIMARY KEY,
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            name TEXT NOT NULL CHECK (name <> ''),
            -- The logs or records that are kept of it.
            events INTEGER NOT NULL CHECK (events >= 0),
            UNIQUE (chain_id, name)
        ) STRICT;

        -- What is above the anchor is forgotten where the chain has another last block.
        CREATE TABLE event_ranges (
            subject INTEGER NOT NULL REFERENCES event_subjects (id) ON DELETE CASCADE,
            first INTEGER NOT NULL CHECK (first >= 0),
            last INTEGER NOT NULL CHECK (last >= first),
            last_hash TEXT NOT NULL CHECK (length(last_hash) = 66),
            anchor INTEGER NOT NULL CHECK (anchor >= 0),
            anchor_hash TEXT NOT NULL CHECK (length(anchor_hash) = 66),
            PRIMARY KEY (subject, first)
        ) STRICT, WITHOUT ROWID;

        -- Logs, small: a busy pool has 20,000 trades in a day.
        CREATE TABLE events (
            subject INTEGER NOT NULL REFERENCES event_subjects (id) ON DELETE CASCADE,
            block INTEGER NOT NULL CHECK (block >= 0),
            log_index INTEGER NOT NULL CHECK (log_index >= 0),
            block_hash BLOB NOT NULL CHECK (length(block_hash) = 32),
            -- The block's, exact to the minute; NULL where nobody asked.
            time INTEGER CHECK (time >= 0),
            transaction_hash BLOB NOT NULL CHECK (length(transaction_hash) = 32),
            contract BLOB NOT NULL CHECK (length(contract) = 20),
            -- Words without what they begin with (EventRecords.swift).
            topics BLOB NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (subject, block, log_index)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE activity (
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            account TEXT NOT NULL CHECK (length(account) = 42),
            block INTEGER NOT NULL CHECK (block >= 0),
            -- The index of a log; below zero without one.
            position INTEGER NOT NULL,
            block_hash TEXT NOT NULL CHECK (length(block_hash) = 66),
            time INTEGER NOT NULL CHECK (time >= 0),
            kind TEXT NOT NULL CHECK (kind <> ''),
            transaction_hash TEXT CHECK (length(transaction_hash) = 66),
            own INTEGER NOT NULL CHECK (own IN (0, 1)),
            succeeded INTEGER NOT NULL CHECK (succeeded IN (0, 1)),
            token TEXT CHECK (length(token) = 42),
            amount TEXT,
            other_token TEXT CHECK (length(other_token) = 42),
            other_amount TEXT,
            counterparty TEXT CHECK (length(counterparty) = 42),
            order_hash TEXT CHECK (length(order_hash) = 66),
            function TEXT,
            gas TEXT,
            PRIMARY KEY (chain_id, account, block, position)
        ) STRICT, WITHOUT ROWID;

        -- Blocks without payments in ether, for which a node needs the state of old blocks.
        CREATE TABLE activity_gaps (
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            account TEXT NOT NULL CHECK (length(account) = 42),
            first INTEGER NOT NULL CHECK (first >= 0),
            last INTEGER NOT NULL CHECK (last >= first),
            reason TEXT,
            PRIMARY KEY (chain_id, account, first)
        ) STRICT, WITHOUT ROWID;

        -- The intent of a guard or plan is written in the transaction that opens it, before
        -- anything is signed.
        -- A guard with an intent never fires again by itself; one without a nonce never fires.
        CREATE TABLE guards (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            exchange TEXT NOT NULL CHECK (length(exchange) = 42),
            account TEXT NOT NULL CHECK (length(account) = 42),
            side TEXT NOT NULL CHECK (side IN ('buy', 'sell')),
            base TEXT NOT NULL CHECK (length(base) = 42),
            quote TEXT NOT NULL CHECK (length(quote) = 42),
            pair TEXT NOT NULL CHECK (pair <> ''),
            amount TEXT NOT NULL CHECK (amount <> ''),
            trigger TEXT NOT NULL CHECK (trigger IN ('below', 'above')),
            price TEXT NOT NULL CHECK (price <> ''),
            slippage INTEGER NOT NULL CHECK (slippage >= 0),
            limit_price TEXT NOT NULL CHECK (limit_price <> ''),
            created INTEGER NOT NULL CHECK (created >= 0),
            -- NULL while it waits.
            intent INTEGER UNIQUE REFERENCES intents (id)
        , base_decimals INTEGER
            CHECK (base_decimals BETWEEN 0 AND 255), quote_decimals INTEGER
            CHECK (quote_decimals BETWEEN 0 AND 255), amount_units TEXT, price_quote TEXT, \
        price_base TEXT, limit_quote TEXT, limit_base TEXT, \
        nonce TEXT CHECK (length(nonce) = 66), \
        signature TEXT CHECK (length(signature) = 132)) STRICT;
        CREATE INDEX guards_by_exchange ON guards (chain_id, exchange);
        CREATE UNIQUE INDEX guards_by_nonce ON guards (nonce);

        -- By the number that its key signed: terms that fired once never fire again, whatever row
        -- has them, so a row stays when its guard is removed.
        CREATE TABLE guard_firings (
            nonce TEXT PRIMARY KEY CHECK (length(nonce) = 66),
            intent INTEGER NOT NULL
        ) STRICT;
        INSERT INTO guard_firings (nonce, intent)
            SELECT nonce, intent FROM guards WHERE nonce IS NOT NULL AND intent IS NOT NULL;

        -- Plans of dex mcp; the intent is never taken away again.
        CREATE TABLE agent_plans (
            id TEXT PRIMARY KEY CHECK (length(id) = 16),
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            network TEXT NOT NULL CHECK (network <> ''),
            account TEXT NOT NULL CHECK (length(account) = 42),
            created INTEGER NOT NULL CHECK (created >= 0),
            expires INTEGER NOT NULL CHECK (expires >= created),
            client TEXT,
            request TEXT NOT NULL,
            bounds TEXT NOT NULL,
            shown TEXT NOT NULL,
            why TEXT,
            waits INTEGER CHECK (waits >= 0),
            declined INTEGER CHECK (declined >= 0),
            intent INTEGER UNIQUE REFERENCES intents (id),
            ended INTEGER CHECK (ended >= 0),
            outcome TEXT,
            CHECK ((ended IS NULL) = (outcome IS NULL)),
            CHECK (declined IS NULL OR (intent IS NULL AND ended IS NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX agent_plans_by_account ON agent_plans (chain_id, account);
        """
}
