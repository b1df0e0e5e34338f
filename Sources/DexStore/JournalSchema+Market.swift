extension JournalSchema {
    /// All fills of an exchange in the ranges of blocks that were read, whoever traded.
    ///
    /// A copy of the chain that can be read again: the account's own trades are in `trades`.
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
}
