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
                reservations: try Row.fetchAll(
                    database,
                    sql: """
                        SELECT id, intent, sender, nonce, purpose, lease, created FROM transactions
                        WHERE chain_id = ? AND status = 'reserved' ORDER BY sender, nonce
                        """,
                    arguments: [chain]
                ).map { try JournalReservation(row: $0, isHeld: holds.isHeld($0["intent"])) },
                intents: try Row.fetchAll(
                    database,
                    sql: """
                        SELECT id, account, command, created, (
                            SELECT group_concat(purpose) FROM (
                                SELECT purpose, id FROM transactions
                                WHERE intent = intents.id AND raw IS NOT NULL
                                UNION ALL SELECT 'order', 0 FROM order_intents WHERE intent = intents.id
                                ORDER BY 2
                            )
                        ) AS signed FROM intents
                        WHERE chain_id = ? AND closed IS NULL ORDER BY id
                        """,
                    arguments: [chain]
                ).map { try JournalOpenIntent(row: $0, isHeld: holds.isHeld($0["id"])) },
                orders: try Row.fetchAll(
                    database,
                    sql: "SELECT * FROM orders WHERE chain_id = ? AND doubt = 1 ORDER BY created",
                    arguments: [chain]
                ).map { try JournalOrder(row: $0) }
            )
        }
    }
}

extension JournalReservation {
    fileprivate init(row: Row, isHeld: Bool) throws {
        self.init(
            id: row["id"],
            intent: row["intent"],
            sender: try Address(lenient: row["sender"]),
            nonce: UInt64(clamping: row["nonce"] as Int64),
            purpose: row["purpose"],
            lease: UInt64(clamping: row["lease"] as Int64),
            created: UInt64(clamping: row["created"] as Int64),
            isHeld: isHeld
        )
    }
}

extension JournalOpenIntent {
    fileprivate init(row: Row, isHeld: Bool) throws {
        self.init(
            id: row["id"],
            account: try Address(lenient: row["account"]),
            command: row["command"],
            created: UInt64(clamping: row["created"] as Int64),
            signed: (row["signed"] as String?)?.split(separator: ",").map(String.init) ?? [],
            isHeld: isHeld
        )
    }
}
