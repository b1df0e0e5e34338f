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
        let block: Int64? = row["block"]
        let reorgedFromBlock: Int64? = row["taken_from"]
        let successor: String? = row["successor"]
        let predecessor: String? = row["predecessor"]
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
            block: block.map { UInt64(clamping: $0) },
            reorgedFromBlock: reorgedFromBlock.map { UInt64(clamping: $0) },
            successor: try successor.map { try TransactionHash(hex: $0) },
            predecessor: try predecessor.map { try TransactionHash(hex: $0) }
        )
    }
}
