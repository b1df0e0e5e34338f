package import Ethereum
import GRDB

/// The alerts of the user, which `dex watch` checks.
extension Journal {
    /// Records a new alert; returns it with its number.
    package func add(_ alert: JournalAlert) throws(JournalError) -> JournalAlert {
        try write { try alert.inserted($0) }
    }

    /// The alerts of an exchange, the oldest first.
    package func alerts(
        chainID: UInt64,
        exchange: Address
    ) throws(JournalError) -> [JournalAlert] {
        let place = ExchangePlace(chainID: chainID, exchange: exchange)
        return try read { try JournalAlert.of(place).order(Column("id")).fetchAll($0) }
    }

    /// Removes an alert of an exchange; nil if there is none of this number.
    package func removeAlert(
        _ id: Int64,
        chainID: UInt64,
        exchange: Address
    ) throws(JournalError) -> JournalAlert? {
        let place = ExchangePlace(chainID: chainID, exchange: exchange)
        return try write { database in
            let found = try JournalAlert.of(place).filter(Column("id") == id).fetchOne(database)
            if let found { try Self.remove(found, in: database) }
            return found
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
