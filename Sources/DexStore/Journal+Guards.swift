package import Ethereum
import GRDB

/// The guards of the user, which fire at most once.
extension Journal {
    /// Records a new guard; returns it with its number.
    package func add(_ guardOrder: JournalGuard) throws(JournalError) -> JournalGuard {
        try write { try guardOrder.inserted($0) }
    }

    /// The guards of an exchange, the oldest first.
    package func guards(
        chainID: UInt64,
        exchange: Address
    ) throws(JournalError) -> [JournalGuard] {
        let chain = try integer(chainID, "the chain id")
        return try read { database in
            try JournalGuard.fetchAll(
                database,
                sql: """
                    SELECT g.*, COALESCE(g.intent, f.intent) AS fired, i.exit,
                        is_held(COALESCE(g.intent, f.intent)) AS is_held,
                        is_watched(g.id) AS is_watched
                    FROM guards g
                    LEFT JOIN guard_firings f ON f.nonce = g.nonce
                    LEFT JOIN intents i ON i.id = COALESCE(g.intent, f.intent)
                    WHERE g.chain_id = ? AND g.exchange = ? ORDER BY g.id
                    """,
                arguments: [chain, exchange]
            )
        }
    }

    /// Says to other processes that this one watches the prices of these guards and no others,
    /// until it is closed or this process ends.
    package func watch(_ guards: Set<Int64>) throws(JournalError) {
        try watched.hold(only: guards)
    }

    /// Removes a guard.
    package func removeGuard(_ id: Int64) throws(JournalError) {
        try change("DELETE FROM guards WHERE id = ?", [id])
    }

    /// Lets a guard wait again that this journal fires, or whose firing ended, if nothing but
    /// approvals was signed.
    ///
    /// - Returns: false, without any change, if more was signed, if it did not fire, or if another
    ///   process fires it or ended while it did.
    package func rearmGuard(_ id: Int64) throws(JournalError) -> Bool {
        try write { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT i.id, i.closed FROM guards g JOIN intents i ON i.id = g.intent
                    WHERE g.id = ?
                    """,
                arguments: [id]
            )
            guard let row else { return false }
            let (intent, closed): (Int64, Int64?) = try (row.value("id"), row.value("closed"))
            // A closed one is held by nobody any more.
            guard closed != nil || holds.isOwn(intent) else { return false }
            try database.execute(
                sql: """
                    UPDATE guards SET intent = NULL
                    WHERE id = ? AND intent IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM transactions
                        WHERE transactions.intent = guards.intent AND raw IS NOT NULL
                            AND purpose NOT IN ('approve', 'reset-allowance')
                    ) AND NOT EXISTS (
                        SELECT 1 FROM order_intents WHERE order_intents.intent = guards.intent
                    )
                    """,
                arguments: [id]
            )
            guard database.changesCount == 1 else { return false }
            try database.execute(
                sql: """
                    DELETE FROM guard_firings
                    WHERE intent = ? AND nonce = (SELECT nonce FROM guards WHERE id = ?)
                    """,
                arguments: [intent, id]
            )
            return true
        }
    }

    /// Takes a waiting guard for an intent, in the transaction that opens it.
    ///
    /// The number that its key signed is taken too: no other row with it ever fires.
    ///
    /// - Throws: `JournalError.guardNotWaiting`; then the intent is not opened.
    static func fire(_ id: Int64, intent: Int64, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE guards SET intent = ? WHERE id = ? AND intent IS NULL
                    AND (nonce IS NULL OR nonce NOT IN (SELECT nonce FROM guard_firings))
                """,
            arguments: [intent, id]
        )
        guard database.changesCount == 1 else { throw JournalError.guardNotWaiting(id) }
        try database.execute(
            sql: """
                INSERT INTO guard_firings (nonce, intent)
                SELECT nonce, intent FROM guards WHERE id = ? AND nonce IS NOT NULL
                """,
            arguments: [id]
        )
    }
}
