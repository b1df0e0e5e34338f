import DexStore
import Ethereum

/// Writes what becomes of transactions into the journal: at once what the next command must count
/// with, and an end once the user has seen it.
struct LifecycleLog {
    let session: Session
    let journal: Journal

    // MARK: At once

    /// Notes what we did.
    ///
    /// - Throws: `DexError`, exit 3, where the journal cannot be written.
    func note(_ act: TransactionLife.Act, _ hash: TransactionHash) throws(DexError) {
        try journaled(try journal.note(act, hash, now: session.environment.now()))
    }

    /// Notes what a node shows, but for an end.
    ///
    /// - Returns: what the journal has now in place of what it had; nil where that will do.
    /// - Throws: `DexError`, exit 3, where the journal cannot be written.
    @discardableResult
    func update(
        _ transaction: JournalTransaction,
        _ life: TransactionLife
    ) throws(DexError) -> TransactionStage? {
        guard let stage = life.unreported(over: transaction) else { return nil }
        try mark(transaction.hash, stage)
        return stage
    }

    /// Notes what a node shows, but for an end; what is back in a pool too.
    ///
    /// - Returns: what the journal has now in place of what it had; nil where that will do.
    /// - Throws: `DexError`, exit 3, where the journal cannot be written.
    @discardableResult
    func update(_ observed: ObservedTransaction) throws(DexError) -> TransactionStage? {
        let written = try update(observed.transaction, observed.life)
        guard observed.stage == .pooled, observed.life.stage == .reorganized else { return written }
        try mark(observed.transaction.hash, .pooled)
        return .pooled
    }

    /// Notes an end of which nothing is reported.
    ///
    /// - Throws: `DexError`, exit 3, where the journal cannot be written.
    func settle(_ observed: ObservedTransaction) throws(DexError) {
        if let receipt = observed.observation.receipt, observed.life.stage.isInBlock {
            try journaled(try journal.record(receipt, of: session))
        } else {
            try mark(observed.transaction.hash, observed.life.stage)
        }
    }

    private func mark(_ hash: TransactionHash, _ stage: TransactionStage) throws(DexError) {
        try journaled(try journal.mark(hash, as: stage, now: session.environment.now()))
    }

    // MARK: Once it is reported

    /// It is in a block that is deep enough.
    func report(_ receipt: TransactionReceipt) {
        let trades = try? MinedTrades(receipt, of: session, time: nil)
        session.onceReported(.included(receipt, trades), in: journal)
    }

    /// It ended in no block, or no node has it.
    func report(_ hash: TransactionHash, _ stage: TransactionStage) {
        session.onceReported(.ended(hash, stage), in: journal)
    }
}
