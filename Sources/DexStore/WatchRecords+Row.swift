import Ethereum
import GRDB

extension WatchTarget: EncodableRecord {
    func encode(to row: inout PersistenceContainer) throws {
        row["chain_id"] = try integer(chainID, "the chain id")
        row["exchange"] = exchange
        row["account"] = account
    }
}

/// A row of `watches`, of a target; its blocks are in `watch_blocks`.
extension WatchCursor: FetchableRecord, EncodableRecord, TableRecord {
    static var databaseTableName: String { "watches" }

    init(row: Row) throws {
        self.init(
            first: try row.value("first"),
            next: try row.value("next"),
            since: try row.value("since"),
            recent: [],
            version: try row.value("version")
        )
    }

    func encode(to row: inout PersistenceContainer) throws {
        row["first"] = try integer(first, "the block number")
        row["next"] = try integer(next, "the block number")
        row["since"] = try integer(since, "the time")
        row["version"] = try integer(version, "the version")
    }
}

extension WatchedBlock: FetchableRecord {
    init(row: Row) throws {
        self = try row.block("number", hash: "hash")
    }
}

extension WatchEvent: FetchableRecord {
    init(row: Row) throws {
        let alert: FiredAlert? =
            if let id: Int64 = try row.value("alert") {
                FiredAlert(
                    id: id,
                    text: try row.value("alert_text"),
                    value: try row.value("alert_value")
                )
            } else {
                nil
            }
        self.init(
            key: try row.value("key"),
            kind: try row.value("kind"),
            orderHash: try row.value("order_hash"),
            transaction: try row.value("transaction_hash"),
            token: try row.value("token"),
            amount: try row.value("amount"),
            otherToken: try row.value("other_token"),
            otherAmount: try row.value("other_amount"),
            counterparty: try row.value("counterparty"),
            expiry: try row.value("expiry"),
            alert: alert,
            place: Place(
                block: try row.block(),
                logIndex: try row.value("log_index"),
                time: try row.value("time")
            )
        )
    }
}

/// A row of `watch_events`, of a watched account.
extension NotedEvent: FetchableRecord, EncodableRecord, TableRecord {
    static var databaseTableName: String { "watch_events" }

    init(row: Row) throws {
        self.init(event: try WatchEvent(row: row), turn: try row.value("turn"))
    }

    func encode(to row: inout PersistenceContainer) throws {
        row["key"] = event.key
        row["kind"] = event.kind
        row["order_hash"] = event.orderHash
        row["transaction_hash"] = event.transaction
        row["token"] = event.token
        row["amount"] = event.amount
        row["other_token"] = event.otherToken
        row["other_amount"] = event.otherAmount
        row["counterparty"] = event.counterparty
        row["expiry"] = event.expiry
        row["standing"] = isStanding
        row["turn"] = try integer(turn, "the turn")
        try row.set(event.place.block)
        row["log_index"] = try event.place.logIndex.map { try integer($0, "the log index") }
        row["time"] = try integer(event.place.time, "the time")
        row["alert"] = event.alert?.id
        row["alert_text"] = event.alert?.text
        row["alert_value"] = event.alert?.value
    }
}

extension WatchMessage: FetchableRecord {
    init(row: Row) throws {
        self.init(
            row: try row.value("row"),
            event: try WatchEvent(row: row),
            turn: try row.value("turn"),
            noted: try row.value("noted"),
            attempts: try row.value("attempts"),
            nextTry: try row.value("next_try")
        )
    }
}
