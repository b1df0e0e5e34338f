import Ethereum
import GRDB

extension Journal {
    /// Everything of a chain that is unfinished, or whose outcome was never reported.
    package func unfinished(chainID: UInt64) throws(JournalError) -> JournalUnfinished {
        let chain = try integer(chainID, "the chain id")
        // One snapshot for all reads: another process may be active.
        return try read { database in
            JournalUnfinished(
                transactions: try Self.fetch(
                    "t.chain_id = ? AND \(JournalSchema.open) ORDER BY t.sender, t.nonce, t.id",
                    [chain, chain],
                    in: database
                ),
                reservations: try JournalReservation.fetchAll(
                    database,
                    sql: """
                        SELECT *, is_held(intent) AS is_held FROM transactions
                        WHERE chain_id = ? AND status = 'reserved' ORDER BY sender, nonce
                        """,
                    arguments: [chain]
                ),
                intents: try JournalOpenIntent.fetchAll(
                    database,
                    sql: """
                        SELECT *, \(Self.signed(for: "intents.id")) AS signed, EXISTS (
                            SELECT 1 FROM plans WHERE intent = intents.id AND body = ?
                        ) AS places_order, is_held(id) AS is_held
                        FROM intents WHERE chain_id = ? AND closed IS NULL ORDER BY id
                        """,
                    arguments: [JournalIntent.orderPlan, chain]
                ),
                orders:
                    try JournalOrder
                    .filter(Column("chain_id") == chain && Column("doubt") == 1)
                    .order(Column("created")).fetchAll(database)
            )
        }
    }
}

/// A row of `transactions` without signed bytes.
extension JournalReservation: FetchableRecord {
    init(row: Row) throws {
        self.init(
            id: try row.value("id"),
            intent: try row.value("intent"),
            sender: try row.value("sender"),
            nonce: try row.value("nonce"),
            purpose: try row.value("purpose"),
            lease: try row.value("lease"),
            created: try row.value("created"),
            isHeld: try row.value("is_held")
        )
    }
}

/// A row of `intents`; read together with what was `signed` for it.
extension JournalOpenIntent: FetchableRecord {
    init(row: Row) throws {
        self.init(
            id: try row.value("id"),
            account: try row.value("account"),
            command: try row.value("command"),
            created: try row.value("created"),
            signed: try row.words("signed", by: ","),
            placesOrder: try row.value("places_order"),
            isHeld: try row.value("is_held")
        )
    }
}
