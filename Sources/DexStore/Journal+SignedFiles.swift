package import Ethereum
import GRDB

/// Transactions that are signed and not sent: a file has each, and so does the journal.
extension Journal {
    /// The text of a signed file; nil if the transaction was not signed for one.
    package func signedFile(of hash: TransactionHash) throws(JournalError) -> String? {
        try read { database in
            try String.fetchOne(
                database,
                sql: "SELECT body FROM signed_files WHERE hash = ?",
                arguments: [hash]
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
        let made = JournalTransaction(
            intent: intent,
            chainID: chainID,
            sender: signed.sender,
            nonce: signed.transaction.nonce,
            purpose: purpose,
            hash: signed.hash,
            raw: signed.raw,
            stage: .held,
            created: now,
            block: nil,
            reorgedFromBlock: nil,
            successor: nil,
            predecessor: nil
        )
        try write { database in
            try Self.forgetDead(made.hash, in: database)
            let known = try Self.fetch("t.hash = ?", [made.hash], in: database)
            guard known.isEmpty else { return }
            let slot: StatementArguments = [
                try integer(made.chainID, "the chain id"), made.sender,
                try integer(made.nonce, "the nonce"),
            ]
            guard try Self.holder(slot, in: database) == nil else {
                throw JournalError.nonceHeld(nonce: made.nonce)
            }
            try made.insert(database)
            try Self.keep(file, of: made.hash, in: database)
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
            arguments: [hash, file]
        )
    }
}
