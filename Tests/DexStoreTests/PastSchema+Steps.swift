extension PastSchema {
    static let version6 = """
        CREATE TABLE order_intents (
            intent INTEGER NOT NULL REFERENCES intents (id),
            hash TEXT NOT NULL REFERENCES orders (hash),
            PRIMARY KEY (intent, hash)
        ) STRICT, WITHOUT ROWID;
        """

    static let version8 = """
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

    static let market = """
        CREATE TABLE market_fills (
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            exchange TEXT NOT NULL CHECK (length(exchange) = 42),
            block INTEGER NOT NULL CHECK (block >= 0),
            log_index INTEGER NOT NULL CHECK (log_index >= 0),
            time INTEGER NOT NULL CHECK (time >= 0),
            transaction_hash TEXT NOT NULL CHECK (length(transaction_hash) = 66),
            order_hash TEXT NOT NULL CHECK (length(order_hash) = 66),
            maker TEXT NOT NULL CHECK (length(maker) = 42),
            taker TEXT NOT NULL CHECK (length(taker) = 42),
            maker_token TEXT NOT NULL CHECK (length(maker_token) = 42),
            taker_token TEXT NOT NULL CHECK (length(taker_token) = 42),
            maker_amount TEXT NOT NULL,
            taker_amount TEXT NOT NULL,
            PRIMARY KEY (chain_id, exchange, block, log_index)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX market_fills_by_tokens
            ON market_fills (chain_id, exchange, maker_token, taker_token, block);

        -- Disjoint, and never adjacent: those that touch are merged.
        CREATE TABLE market_ranges (
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            exchange TEXT NOT NULL CHECK (length(exchange) = 42),
            first INTEGER NOT NULL CHECK (first >= 0),
            last INTEGER NOT NULL CHECK (last >= first),
            last_hash TEXT NOT NULL CHECK (length(last_hash) = 66),
            PRIMARY KEY (chain_id, exchange, first)
        ) STRICT, WITHOUT ROWID;
        """

    static let guards = """
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
        ) STRICT;

        CREATE INDEX guards_by_exchange ON guards (chain_id, exchange);
        """

    static let held = """
        CREATE TABLE transactions_v12 (
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

        INSERT INTO transactions_v12
            (id, intent, chain_id, sender, nonce, purpose, status, lease, hash, raw, created,
                changed, taken_from, successor)
            SELECT id, intent, chain_id, sender, nonce, purpose, status, lease, hash, raw, created,
                changed, taken_from, successor
            FROM transactions;

        DELETE FROM sqlite_sequence WHERE name = 'transactions_v12';
        INSERT INTO sqlite_sequence (name, seq)
            SELECT 'transactions_v12', seq FROM sqlite_sequence WHERE name = 'transactions';

        DROP TABLE transactions;
        ALTER TABLE transactions_v12 RENAME TO transactions;

        CREATE UNIQUE INDEX live_nonces ON transactions (chain_id, sender, nonce)
            WHERE successor IS NULL AND status IN ('reserved', 'signed', 'held', 'sent', 'dropped',
                'reorganized', 'mined', 'reverted');

        -- What was handed over signed, as its file has it.
        CREATE TABLE signed_files (
            hash TEXT NOT NULL PRIMARY KEY REFERENCES transactions (hash) ON DELETE CASCADE,
            body TEXT NOT NULL CHECK (body <> '')
        ) STRICT, WITHOUT ROWID;
        """

    static let activity = """
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

        -- Disjoint, and never adjacent: those that touch are merged.
        CREATE TABLE activity_ranges (
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            account TEXT NOT NULL CHECK (length(account) = 42),
            first INTEGER NOT NULL CHECK (first >= 0),
            last INTEGER NOT NULL CHECK (last >= first),
            last_hash TEXT NOT NULL CHECK (length(last_hash) = 66),
            anchor INTEGER NOT NULL CHECK (anchor >= 0),
            anchor_hash TEXT NOT NULL CHECK (length(anchor_hash) = 66),
            PRIMARY KEY (chain_id, account, first)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE activity_gaps (
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            account TEXT NOT NULL CHECK (length(account) = 42),
            first INTEGER NOT NULL CHECK (first >= 0),
            last INTEGER NOT NULL CHECK (last >= first),
            reason TEXT,
            PRIMARY KEY (chain_id, account, first)
        ) STRICT, WITHOUT ROWID;
        """

    static let tags = """
        ALTER TABLE intents ADD COLUMN tag TEXT CHECK (length(tag) BETWEEN 1 AND 64);
        """

    static let guardTerms = """
        ALTER TABLE guards ADD COLUMN base_decimals INTEGER
            CHECK (base_decimals BETWEEN 0 AND 255);
        ALTER TABLE guards ADD COLUMN quote_decimals INTEGER
            CHECK (quote_decimals BETWEEN 0 AND 255);
        ALTER TABLE guards ADD COLUMN amount_units TEXT;
        ALTER TABLE guards ADD COLUMN price_quote TEXT;
        ALTER TABLE guards ADD COLUMN price_base TEXT;
        ALTER TABLE guards ADD COLUMN limit_quote TEXT;
        ALTER TABLE guards ADD COLUMN limit_base TEXT;
        ALTER TABLE guards ADD COLUMN nonce TEXT CHECK (length(nonce) = 66);
        ALTER TABLE guards ADD COLUMN signature TEXT CHECK (length(signature) = 132);

        CREATE UNIQUE INDEX guards_by_nonce ON guards (nonce);
        """

    static let rollupFees = """
        ALTER TABLE receipts ADD COLUMN rollup_fee TEXT;
        ALTER TABLE trade_transactions ADD COLUMN rollup_fee TEXT;
        """

    static let guardFirings = """
        CREATE TABLE guard_firings (
            nonce TEXT PRIMARY KEY CHECK (length(nonce) = 66),
            intent INTEGER NOT NULL
        ) STRICT;

        INSERT INTO guard_firings (nonce, intent)
            SELECT nonce, intent FROM guards WHERE nonce IS NOT NULL AND intent IS NOT NULL;
        """

    static let arrivals = """
        ALTER TABLE trades ADD COLUMN taker_arrived TEXT
            CHECK (taker_arrived IS NULL OR kind = 'fill');
        ALTER TABLE trades ADD COLUMN maker_arrived TEXT
            CHECK (maker_arrived IS NULL OR kind = 'fill');
        """

    static let poolTrades = """
        CREATE TABLE pool_trades (
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            pool BLOB NOT NULL CHECK (length(pool) = 20),
            block INTEGER NOT NULL CHECK (block >= 0),
            log_index INTEGER NOT NULL CHECK (log_index >= 0),
            time INTEGER NOT NULL CHECK (time >= 0),
            transaction_hash BLOB NOT NULL CHECK (length(transaction_hash) = 32),
            recipient BLOB NOT NULL CHECK (length(recipient) = 20),
            -- Token 0 was sold to the pool, else token 1.
            sells_token0 INTEGER NOT NULL CHECK (sells_token0 IN (0, 1)),
            -- Base units, big-endian without leading zeros.
            sold BLOB NOT NULL CHECK (length(sold) <= 32),
            bought BLOB NOT NULL CHECK (length(bought) <= 32),
            -- The pool after it: the square root of its price, or its two reserves.
            sqrt_price BLOB CHECK (length(sqrt_price) <= 20),
            reserve0 BLOB CHECK (length(reserve0) <= 14),
            reserve1 BLOB CHECK (length(reserve1) <= 14),
            PRIMARY KEY (chain_id, pool, block, log_index),
            CHECK ((reserve0 IS NULL) = (reserve1 IS NULL)),
            CHECK (sqrt_price IS NULL OR reserve0 IS NULL)
        ) STRICT, WITHOUT ROWID;
        """

    static let agentPlans = """
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
