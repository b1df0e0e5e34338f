package import Ethereum
import GRDB

/// The alerts of the user, which `dex watch` checks.
extension Journal {
    /// Records a new alert; returns it with its number.
    package func add(_ alert: JournalAlert) throws(JournalError) -> JournalAlert {
        let chainID = try integer(alert.chainID, "the chain id")
        let created = try integer(alert.created, "the time")
        let whose: StatementArguments = [
            chainID, alert.exchange.lowercaseHex, alert.account?.lowercaseHex,
        ]
        return try write { database in
            try database.execute(
                sql: """
                    INSERT INTO alerts (chain_id, exchange, account, kind, base, quote, comparison,
                        threshold, text, once, created, armed, turn)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 0)
                    """,
                arguments: whose + alert.condition.columns + [alert.text, alert.isOnce, created]
            )
            var alert = alert
            alert.id = database.lastInsertedRowID
            return alert
        }
    }

    /// The alerts of an exchange, the oldest first.
    package func alerts(
        chainID: UInt64,
        exchange: Address
    ) throws(JournalError) -> [JournalAlert] {
        let chain = try integer(chainID, "the chain id")
        return try read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM alerts WHERE chain_id = ? AND exchange = ? ORDER BY id",
                arguments: [chain, exchange.lowercaseHex]
            ).map { try JournalAlert(row: $0) }
        }
    }

    /// Removes an alert of an exchange; nil if there is none of this number.
    package func removeAlert(
        _ id: Int64,
        chainID: UInt64,
        exchange: Address
    ) throws(JournalError) -> JournalAlert? {
        let whose: StatementArguments = [
            id, try integer(chainID, "the chain id"), exchange.lowercaseHex,
        ]
        return try write { database in
            let row = try Row.fetchOne(
                database,
                sql: "SELECT * FROM alerts WHERE id = ? AND chain_id = ? AND exchange = ?",
                arguments: whose
            )
            guard let row else { return nil }
            try database.execute(sql: "DELETE FROM alerts WHERE id = ?", arguments: [id])
            return try JournalAlert(row: row)
        }
    }

    /// Applies a change if the alert is still as it was read.
    ///
    /// - Returns: the event to report; nil if there is none, or another process was faster.
    static func apply(_ change: AlertChange, in database: Database) throws -> WatchEvent? {
        switch change {
        case .fired(let alert, let event):
            try database.execute(
                sql: """
                    UPDATE alerts SET armed = 0, turn = turn + 1
                    WHERE id = ? AND armed = 1 AND turn = ?
                    """,
                arguments: [alert.id, try integer(alert.turn, "the turn")]
            )
            guard database.changesCount == 1 else { return nil }
            if alert.isOnce { try remove(alert, in: database) }
            return event
        case .rearmed(let alert):
            try database.execute(
                sql: "UPDATE alerts SET armed = 1 WHERE id = ? AND turn = ?",
                arguments: [alert.id, try integer(alert.turn, "the turn")]
            )
        case .ended(let alert): try remove(alert, in: database)
        }
        return nil
    }

    private static func remove(_ alert: JournalAlert, in database: Database) throws {
        try database.execute(sql: "DELETE FROM alerts WHERE id = ?", arguments: [alert.id])
    }
}
