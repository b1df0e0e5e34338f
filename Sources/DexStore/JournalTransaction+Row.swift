import Ethereum
import FoundationEssentials
import GRDB

/// A row of `transactions` with signed bytes; read together with the `block` of its receipt, its
/// `predecessor` and the `plan` of its intent.
extension JournalTransaction: FetchableRecord, PersistableRecord {
    static var databaseTableName: String { "transactions" }

    init(row: Row) throws {
        self.init(
            intent: try row.value("intent"),
            chainID: try row.value("chain_id"),
            sender: try row.value("sender"),
            nonce: try row.value("nonce"),
            purpose: try row.value("purpose"),
            hash: try row.value("hash"),
            raw: Array(try row.value("raw") as Data),
            stage: try row.value("status"),
            created: try row.value("created"),
            block: try row.value("block"),
            reorgedFromBlock: try row.value("taken_from"),
            successor: try row.value("successor"),
            predecessor: try row.value("predecessor"),
            isOfPlan: (try row.value("plan") as String?) != nil
        )
    }

    func encode(to row: inout PersistenceContainer) throws {
        row["intent"] = intent
        row["chain_id"] = try integer(chainID, "the chain id")
        row["sender"] = sender
        row["nonce"] = try integer(nonce, "the nonce")
        row["purpose"] = purpose
        row["status"] = stage
        row["lease"] = 0
        row["hash"] = hash
        row["raw"] = Data(raw)
        row["created"] = try integer(created, "the time")
        row["changed"] = try integer(created, "the time")
    }
}
