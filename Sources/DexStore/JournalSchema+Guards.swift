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
