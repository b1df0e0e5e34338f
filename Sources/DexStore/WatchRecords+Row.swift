import Ethereum
import GRDB
import ZeroEx

extension WatchEvent {
    /// From a row with the columns of `watch_events`.
    init(row: Row) throws {
        let name: String = row["kind"]
        guard let kind = Kind(rawValue: name) else {
            throw JournalError.outOfRange("the event \(name)")
        }
        self.init(
            key: try Bytes32(hex: row["key"]),
            kind: kind,
            orderHash: try (row["order_hash"] as String?).map { try OrderHash(hex: $0) },
            transaction: try (row["transaction_hash"] as String?).map {
                try TransactionHash(hex: $0)
            },
            token: try (row["token"] as String?).map { try Address(lenient: $0) },
            amount: try UInt256(column: row["amount"]),
            otherToken: try (row["other_token"] as String?).map { try Address(lenient: $0) },
            otherAmount: try (row["other_amount"] as String?).map { try UInt256(column: $0) },
            counterparty: try (row["counterparty"] as String?).map { try Address(lenient: $0) },
            expiry: try (row["expiry"] as String?).map { try UInt256(column: $0) },
            alert: (row["alert"] as Int64?).map { id in
                FiredAlert(id: id, text: row["alert_text"], value: row["alert_value"])
            },
            place: Place(
                block: WatchedBlock(
                    number: UInt64(clamping: row["block"] as Int64),
                    hash: try BlockHash(hex: row["block_hash"])
                ),
                logIndex: (row["log_index"] as Int64?).map { UInt64(clamping: $0) },
                time: UInt64(clamping: row["time"] as Int64)
            )
        )
    }
}

extension NotedEvent {
    /// The events that meet a condition, in the order in which they were noted.
    static func fetch(
        _ database: Database,
        _ condition: String,
        _ arguments: StatementArguments
    ) throws -> [NotedEvent] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM watch_events WHERE \(condition) ORDER BY id",
            arguments: arguments
        ).map { row in
            NotedEvent(
                event: try WatchEvent(row: row),
                turn: UInt64(clamping: row["turn"] as Int64)
            )
        }
    }
}

extension WatchMessage {
    init(row: Row) throws {
        self.init(
            row: row["row"],
            event: try WatchEvent(row: row),
            turn: UInt64(clamping: row["turn"] as Int64),
            noted: UInt64(clamping: row["noted"] as Int64),
            attempts: UInt64(clamping: row["attempts"] as Int64),
            nextTry: UInt64(clamping: row["next_try"] as Int64)
        )
    }
}
