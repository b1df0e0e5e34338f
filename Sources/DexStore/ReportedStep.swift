package import Ethereum
package import ZeroEx

/// A journal entry that is written only after the user has seen the outcome.
///
/// If a command is killed before that, the next one finds the unsettled entry and stops at it.
package enum ReportedStep: Hashable, Sendable {
    /// A transaction is in a block of sufficient depth, with its trades; nil if its logs cannot be
    /// read.
    case included(TransactionReceipt, MinedTrades?)
    /// A transaction ended in no block, or no node has it.
    case ended(TransactionHash, TransactionStage)
    /// Nothing was signed with a nonce, and nothing can be signed with it any longer.
    case released(NonceReservation)
    /// A command ended, with its exit code.
    case closed(intent: Int64, exit: Int32)
    /// Relays have an order, their names set apart by spaces; others may not have it yet.
    case posted(OrderHash, relay: String, isInDoubt: Bool = false)
    /// An order is on no relay.
    case notPosted(OrderHash)
}

extension Journal {
    /// Writes one step.
    ///
    /// - Parameter now: the time of the step, in seconds since 1970.
    package func record(_ step: ReportedStep, now: UInt64) throws(JournalError) {
        switch step {
        case .included(let receipt, let trades): try record(receipt, trades: trades)
        case .ended(let hash, let stage): try mark(hash, as: stage, now: now)
        case .released(let reservation): try release(reservation)
        case .closed(let intent, let exit): try close(intent: intent, exit: exit, at: now)
        case .posted(let hash, let relay, let isInDoubt):
            try markPosted(hash, relay: relay, isInDoubt: isInDoubt)
        case .notPosted(let hash): try clearDoubt(of: hash)
        }
    }
}
