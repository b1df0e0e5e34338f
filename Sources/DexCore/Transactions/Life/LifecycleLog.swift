import DexStore
import Ethereum

/// Writes the stages of transactions to the journal.
///
/// What the next command needs is written at once, a final stage after the user has seen it.
struct LifecycleLog {
    let session: Session
    let journal: Journal

    /// Records our own act.
    ///
    /// - Throws: `DexError`, exit 3, if the journal cannot be written.
    func note(_ act: TransactionLife.Act, _ hash: TransactionHash) throws(DexError) {
        try journaled(try journal.note(act, hash, now: session.environment.now()))
    }

    /// Writes what the next command also learns from a node; a failure warns and changes nothing.
    func attempt<Value>(_ write: @autoclosure () throws(DexError) -> Value) {
        do throws(DexError) {
            _ = try write()
        } catch {
            session.environment.warn(
                "What became of a transaction could not be written to the journal: \(error.message) "
                    + "The next command asks the node again."
            )
        }
    }

    /// Records what a node shows, except a final stage.
    ///
    /// - Returns: the stage that replaced the journal's; nil if that suffices.
    /// - Throws: `DexError`, exit 3, if the journal cannot be written.
    @discardableResult
    func update(
        _ transaction: JournalTransaction,
        _ life: TransactionLife
    ) throws(DexError) -> TransactionStage? {
        guard let stage = life.unreported(over: transaction) else { return nil }
        try mark(transaction.hash, stage)
        return stage
    }

    /// Records what a node shows, except a final stage; also a return to a pool.
    ///
    /// - Returns: the stage that replaced the journal's; nil if that suffices.
    /// - Throws: `DexError`, exit 3, if the journal cannot be written.
    @discardableResult
    func update(_ observed: ObservedTransaction) throws(DexError) -> TransactionStage? {
        let written = try update(observed.transaction, observed.life)
        guard observed.stage == .pooled, observed.life.stage == .reorganized else { return written }
        try mark(observed.transaction.hash, .pooled)
        return .pooled
    }

    /// Records a final stage that needs no report.
    ///
    /// - Throws: `DexError`, exit 3, if the journal cannot be written.
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

    /// It is in a block of sufficient depth.
    func report(_ receipt: TransactionReceipt) {
        let trades = journal.trades(in: receipt, of: session)
        session.onceReported(.included(receipt, trades), in: journal)
    }

    /// It ended in no block, or no node has it.
    func report(_ hash: TransactionHash, _ stage: TransactionStage) {
        session.onceReported(.ended(hash, stage), in: journal)
    }
}
