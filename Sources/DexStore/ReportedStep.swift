package import Ethereum
package import ZeroEx

/// What the journal takes in once the user has seen how something ended, and never before.
///
/// A command that is killed in between has told nobody: the next one finds what it left unsettled,
/// and stops at it.
package enum ReportedStep: Hashable, Sendable {
    /// A transaction is in a block that is deep enough, with what it did on the exchange; nil where
    /// its logs cannot be read.
    case included(TransactionReceipt, MinedTrades?)
    /// A transaction ended in no block, or no node has it.
    case ended(TransactionHash, TransactionStage)
    /// Nothing was signed with a nonce, and nobody can sign with it any more.
    case released(NonceReservation)
    /// A command ended, with its exit code.
    case closed(intent: Int64, exit: Int32)
    /// A relay has an order.
    case posted(OrderHash, relay: String)
    /// An order stands on no relay.
    case notPosted(OrderHash)
}

extension Journal {
    /// Writes one step.
    ///
    /// - Parameter now: when it was taken, in seconds since 1970.
    package func record(_ step: ReportedStep, now: UInt64) throws(JournalError) {
        switch step {
        case .included(let receipt, let trades): try record(receipt, trades: trades)
        case .ended(let hash, let stage): try mark(hash, as: stage, now: now)
        case .released(let reservation): try release(reservation)
        case .closed(let intent, let exit): try close(intent: intent, exit: exit, at: now)
        case .posted(let hash, let relay): try markPosted(hash, relay: relay)
        case .notPosted(let hash): try clearDoubt(of: hash)
        }
    }
}
