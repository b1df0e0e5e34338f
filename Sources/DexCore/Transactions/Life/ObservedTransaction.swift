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

    /// It was over before, and nothing contradicts that: no pool and no block has it.
    var isStillOver: Bool {
        switch (transaction.stage, stage) {
        case (_, .refused), (.replaced, .replaced), (.replaced, .dropped): true
        default: false
        }
    }

    /// It is in no block and holds its nonce.
    var isWaiting: Bool {
        !life.stage.isInBlock && life.stage != .replaced && !isStillOver
    }

    /// The refusal to sign anything beside it.
    func stillPending(_ gaps: NonceGaps) -> DexError {
        if life.isInDoubt { return InFlightError.undecided(transaction) }
        let gap = gaps[transaction.hash]
        return InFlightError.pending(transaction, wasMined: wasMined, gap: gap)
    }

    /// A reorganization removed its block.
    var wasMined: Bool {
        transaction.stage == .reorganized || transaction.isMinedByJournal
    }
}
