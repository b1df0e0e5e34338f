extension JournalSchema {
    /// Adds plans of `dex mcp`, each with the one intent that carries it out.
    ///
    /// The intent is written in the transaction that opens it, before anything is signed, and never
    /// taken away again.
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
