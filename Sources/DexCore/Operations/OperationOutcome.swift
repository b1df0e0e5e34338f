package import Ethereum

/// The result of an operation.
package protocol OperationOutcome: Sendable {
    var transactions: [SentTransaction] { get }
    var warnings: [String] { get }
    /// All warnings, also those that a screen shows elsewhere.
    var allWarnings: [String] { get }
    /// 0, 4, 7, 11, 12, 13 or 14.
    var exit: ExitCode { get }
    /// The transaction; nil if none was sent.
    var subject: OutcomeSubject? { get }
    /// The error of an exit code other than 0; nil for 0.
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
    ///   - block: its block, if any.
    ///   - reason: why it reverted, as a sentence; nil if unknown.
    package init(hash: TransactionHash, block: UInt64?, reason: String?) {
        self.hash = hash
        self.block = block
        self.reason = reason
    }
}
