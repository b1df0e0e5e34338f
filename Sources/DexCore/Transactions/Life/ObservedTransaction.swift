import DexStore
import Ethereum

/// One of our transactions and a node's view of it.
struct ObservedTransaction {
    /// The journal's record.
    let transaction: JournalTransaction
    let life: TransactionLife
    let observation: TransactionObservation

    /// Its stage; a reorganized transaction that is back in a pool is pooled.
    var stage: TransactionStage {
        life.stage == .reorganized && observation.meaning() == .pooled ? .pooled : life.stage
    }

    /// It is in no block and holds its nonce.
    var isWaiting: Bool {
        !life.stage.isInBlock && life.stage != .replaced && life.stage != .refused
    }

    /// The refusal to sign anything beside it.
    func stillPending(_ gaps: NonceGaps) -> DexError {
        let gap = gaps[transaction.hash]
        return DexError(InFlightError.pending(transaction, wasMined: wasMined, gap: gap))
    }

    /// A reorganization removed its block.
    var wasMined: Bool {
        transaction.stage == .reorganized || transaction.isMinedByJournal
    }
}
