import Ethereum
import FoundationEssentials
import GRDB

extension JournalTransaction {
    /// From a row of `transactions`, with the `block` of its receipt and its `predecessor`.
    init(row: Row) throws {
        let name: String = row["status"]
        guard let stage = TransactionStage(stored: name) else {
            throw JournalError.outOfRange("the status \(name)")
        }
        self.init(
            intent: row["intent"],
            chainID: UInt64(clamping: row["chain_id"] as Int64),
            sender: try Address(lenient: row["sender"]),
            nonce: UInt64(clamping: row["nonce"] as Int64),
            purpose: row["purpose"],
            hash: try TransactionHash(hex: row["hash"]),
            raw: try row.withUnsafeData(named: "raw") { $0.map { Array($0) } ?? [] },
            stage: stage,
            created: UInt64(clamping: row["created"] as Int64),
            block: (row["block"] as Int64?).map { UInt64(clamping: $0) },
            reorgedFromBlock: (row["taken_from"] as Int64?).map { UInt64(clamping: $0) },
            successor: try (row["successor"] as String?).map { try TransactionHash(hex: $0) },
            predecessor: try (row["predecessor"] as String?).map { try TransactionHash(hex: $0) }
        )
        isOfPlan = row["plan"] != nil
    }
}
