package import DexStore
package import Ethereum

/// The journal's transactions that are signed and not sent.
package struct HeldTransactions: Sendable {
    let session: Session
    let journal: Journal

    package init(session: Session, journal: Journal) {
        self.session = session
        self.journal = journal
    }

    /// The file of one of them, and its text as it was signed.
    ///
    /// - Throws: `DexError`: exit 2, `unknown-transaction`; exit 6, `not-held`, for one that is
    ///   sent, replaced or was never held back; exit 3 if the journal cannot be read.
    package func file(
        of hash: TransactionHash
    ) throws(DexError) -> (file: SignedFile, text: String) {
        guard let transaction = try journaled(try journal.transaction(hash)),
            transaction.chainID == session.network.chainID
        else {
            throw SignedFileError.unknown(hash, network: session.network.name)
        }
        guard transaction.stage == .held, transaction.successor == nil,
            let text = try journaled(try journal.signedFile(of: hash))
        else { throw SignedFileError.notHeld(hash, transaction.stage) }
        let file = try SignedFile(Array(text.utf8))
        _ = try file.verified(session.recoverer)
        return (file, text)
    }
}
