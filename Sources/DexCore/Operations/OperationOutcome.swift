import Ethereum

/// The end of a command; its exit code follows from its error.
package protocol EndedWork: Sendable {
    /// Why it did not do what was asked; nil where it did.
    var error: DexError? { get }
}

extension EndedWork {
    package var exit: ExitCode { error?.exit ?? .done }
}

/// The outcome of a plan that was carried out: its transactions, and how it ended.
package protocol OperationOutcome: EndedWork {
    var transactions: [SentTransaction] { get }
    var warnings: [String] { get }
    /// All warnings, also those that a screen shows elsewhere.
    var allWarnings: [String] { get }
    /// The proof of what a signed order rests on; nil without one, or where no proofs are asked
    /// for. That of transactions is with them.
    var proof: StateProof? { get }
}

extension OperationOutcome {
    package var proof: StateProof? { nil }

    package var allWarnings: [String] { warnings }
}

/// The outcome of an operation that only sends transactions.
package protocol TransactionOutcome: OperationOutcome {
    var ending: Ending { get }
    /// The transaction that it is about; nil where nothing was sent.
    var subject: OutcomeSubject? { get }
    /// The error where less came of it than was confirmed.
    static var less: DexError { get }
}

extension TransactionOutcome {
    package static var less: DexError { OutcomeError.filledLess }

    package var subject: OutcomeSubject? { transactions.last.map { OutcomeSubject($0) } }

    package var error: DexError? {
        OutcomeError.of(ending, subject, less: Self.less)
    }
}

/// The way a command ends that sent something, by its last transaction.
package enum Ending: Sendable {
    case done
    case reverted
    case notMinedYet
    case replacedOrDropped
    /// Mined, and less came of it than was confirmed.
    case less
}

/// The transaction that an outcome is about.
package struct OutcomeSubject: Hashable, Sendable {
    let hash: TransactionHash
    /// The one that it is in, if any.
    let block: UInt64?
    /// Why it reverted, as a sentence; nil where that is not known.
    let reason: String?
    /// Why no node has it; nil if one may.
    var declined: DeclinedSend?
}

extension OutcomeSubject {
    init(_ sent: SentTransaction) {
        self.init(
            hash: sent.hash,
            block: sent.block,
            reason: sent.reason,
            declined: sent.declined
        )
    }
}
