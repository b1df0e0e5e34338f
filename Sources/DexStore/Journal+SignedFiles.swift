package import Ethereum
import FoundationEssentials
import GRDB

/// Transactions that are signed and not sent: a file has each, and so does the journal.
extension Journal {
    /// The text of a signed file; nil if the transaction was not signed for one.
    package func signedFile(of hash: TransactionHash) throws(JournalError) -> String? {
        try read { database in
            try String.fetchOne(
                database,
                sql: "SELECT body FROM signed_files WHERE hash = ?",
                arguments: [hash.hex]
            )
        }
    }

    /// Records a transaction that another journal signed, before it is broadcast from here.
    ///
    /// Nothing changes if this journal has it already. One that was given up, or whose chain
    /// restarted, is recorded anew.
    ///
    /// - Throws: `JournalError.nonceHeld` if it has another one with that nonce, which is not
    ///   settled.
    package func record(
        handedOver signed: SignedTransaction,
        file: String,
        chainID: UInt64,
        intent: Int64,
        purpose: String,
        now: UInt64
    ) throws(JournalError) {
        let chain = try integer(chainID, "the chain id")
        let nonce = try integer(signed.transaction.nonce, "the nonce")
        let time = try integer(now, "the time")
        let (hash, sender) = (signed.hash, signed.sender.lowercaseHex)
        try write { database in
            try Self.forgetDead(hash, in: database)
            let known = try Self.fetch("t.hash = ?", [hash.hex], in: database)
            guard known.isEmpty else { return }
            guard try Self.holder([chain, sender, nonce], in: database) == nil else {
                throw JournalError.nonceHeld(nonce: signed.transaction.nonce)
            }
            try database.execute(
                sql: """
                    INSERT INTO transactions (intent, chain_id, sender, nonce, purpose, status,
                        lease, hash, raw, created, changed)
                    VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)
                    """,
                arguments: [
                    intent, chain, sender, nonce, purpose, TransactionStage.held.stored, hash.hex,
                    Data(signed.raw), time, time,
                ]
            )
            try Self.keep(file, of: hash, in: database)
        }
    }

    /// The stage of bytes that were just signed.
    static func signedStage(_ file: String?) -> TransactionStage { file == nil ? .signed : .held }

    static func keep(
        _ file: String?,
        of hash: TransactionHash,
        in database: Database
    ) throws {
        guard let file else { return }
        try database.execute(
            sql: "INSERT INTO signed_files (hash, body) VALUES (?, ?)",
            arguments: [hash.hex, file]
        )
    }
}
