package import Ethereum

/// What an operation did.
package protocol OperationOutcome: Sendable {
    var transactions: [SentTransaction] { get }
    var warnings: [String] { get }
    /// The warnings, and what a screen shows elsewhere.
    var allWarnings: [String] { get }
    /// 0, 4, 7, 11, 12, 13 or 14.
    var exit: ExitCode { get }
    /// What it is about; nil where nothing was sent.
    var subject: OutcomeSubject? { get }
    /// Why it did not end with 0; nil where it did.
    var error: DexError? { get }
}

extension OperationOutcome {
    package var allWarnings: [String] { warnings }

    package var subject: OutcomeSubject? {
        transactions.last.map {
            OutcomeSubject(hash: $0.hash, block: $0.block, reason: $0.reason)
        }
    }

    package var error: DexError? { DexError(ending: exit, subject) }
}

/// The transaction that an outcome is about.
package struct OutcomeSubject: Hashable, Sendable {
    let hash: TransactionHash
    let block: UInt64?
    let reason: String?

    /// - Parameters:
    ///   - block: the one that it is in, if any.
    ///   - reason: why it reverted, as a sentence; nil where that is not known.
    package init(hash: TransactionHash, block: UInt64?, reason: String?) {
        self.hash = hash
        self.block = block
        self.reason = reason
    }
}
