extension JournalSchema {
    /// What happened to accounts in the ranges of blocks that were read.
    ///
    /// A copy of the chain that can be read again, except for payments in ether, for which a node
    /// needs the state of old blocks: `activity_gaps` has the blocks without them.
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
}
