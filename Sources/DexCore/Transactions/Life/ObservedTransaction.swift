import DexStore
import Ethereum

/// A transaction of ours and what a node shows of it.
struct ObservedTransaction {
    /// As the journal has it.
    let transaction: JournalTransaction
    let life: TransactionLife
    let observation: TransactionObservation

    /// Where it stands; what a reorganization put back into a pool is pooled.
    var stage: TransactionStage {
        life.stage == .reorganized && observation.meaning() == .pooled ? .pooled : life.stage
    }

    /// It is in no block and holds its nonce.
    var isWaiting: Bool {
        !life.stage.isInBlock && life.stage != .replaced && life.stage != .refused
    }

    /// A reorganization took it out of its block.
    var wasMined: Bool {
        transaction.stage == .reorganized || transaction.isMinedByJournal
    }
}
