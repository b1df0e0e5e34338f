extension PastSchema {
    static let events = """
        CREATE TABLE event_subjects (
            id INTEGER PRIMARY KEY,
            chain_id INTEGER NOT NULL CHECK (chain_id >= 0),
            name TEXT NOT NULL CHECK (name <> ''),
            -- The logs or records that are kept of it.
            events INTEGER NOT NULL CHECK (events >= 0),
            UNIQUE (chain_id, name)
        ) STRICT;

        CREATE TABLE event_ranges (
            subject INTEGER NOT NULL REFERENCES event_subjects (id) ON DELETE CASCADE,
            first INTEGER NOT NULL CHECK (first >= 0),
            last INTEGER NOT NULL CHECK (last >= first),
            last_hash TEXT NOT NULL CHECK (length(last_hash) = 66),
            anchor INTEGER NOT NULL CHECK (anchor >= 0),
            anchor_hash TEXT NOT NULL CHECK (length(anchor_hash) = 66),
            PRIMARY KEY (subject, first)
        ) STRICT, WITHOUT ROWID;

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

        INSERT INTO event_subjects (chain_id, name, events)
            SELECT chain_id, 'activity ' || account, (SELECT COUNT(*) FROM activity a
                WHERE a.chain_id = r.chain_id AND a.account = r.account)
            FROM activity_ranges r GROUP BY chain_id, account;
        INSERT INTO event_ranges (subject, first, last, last_hash, anchor, anchor_hash)
            SELECT s.id, r.first, r.last, r.last_hash, r.anchor, r.anchor_hash
            FROM activity_ranges r JOIN event_subjects s
                ON s.chain_id = r.chain_id AND s.name = 'activity ' || r.account;

        DROP TABLE market_fills;
        DROP TABLE market_ranges;
        DROP TABLE pool_trades;
        DROP TABLE activity_ranges;
        """

    static let tradeRanges = """
        INSERT INTO event_subjects (chain_id, name, events)
            SELECT chain_id, 'trades ' || exchange || ' ' || account, 0 FROM scans;
        INSERT INTO event_ranges (subject, first, last, last_hash, anchor, anchor_hash)
            SELECT s.id, c.first, c.last,
                '0x0000000000000000000000000000000000000000000000000000000000000000', c.last,
                '0x0000000000000000000000000000000000000000000000000000000000000000'
            FROM scans c JOIN event_subjects s ON s.chain_id = c.chain_id
                AND s.name = 'trades ' || c.exchange || ' ' || c.account;
        DROP TABLE scans;
        """
}
