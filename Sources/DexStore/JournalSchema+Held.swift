extension JournalSchema {
    /// Adds transactions that are signed and not to be sent, with the files that have them.
    ///
    /// SQLite cannot change a constraint, so the table is rebuilt; its row numbers are never
    /// reused.
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
}
