extension JournalSchema {
    /// Adds guards, each with the intent under which it fired.
    ///
    /// The intent is written in the transaction that opens it, before anything is signed: a guard
    /// with an intent never fires again by itself.
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
}

extension JournalSchema {
    /// Adds the terms of guards in base units, and the signature by which the account's key
    /// confirmed them; both are NULL in rows of earlier versions, which never fire.
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
}

extension JournalSchema {
    /// Adds which guards fired, by the number that their key signed.
    ///
    /// A row stays when its guard is removed or its intent is taken away: terms that fired once
    /// never fire again, whatever row has them.
    static let guardFirings = """
        CREATE TABLE guard_firings (
            nonce TEXT PRIMARY KEY CHECK (length(nonce) = 66),
            intent INTEGER NOT NULL
        ) STRICT;

        INSERT INTO guard_firings (nonce, intent)
            SELECT nonce, intent FROM guards WHERE nonce IS NOT NULL AND intent IS NOT NULL;
        """
}
