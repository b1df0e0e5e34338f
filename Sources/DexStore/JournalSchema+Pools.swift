extension JournalSchema {
    /// All trades with a pool in the ranges of blocks that were read, whoever traded; the ranges
    /// are in `market_ranges`, under the pool's address.
    ///
    /// A copy of the chain that can be read again, and small: a busy pool has 20,000 in a day.
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
}
