package import Ethereum

/// The command was interrupted.
package enum EndedError: ErrorArea {
    /// By the user or the system.
    case interrupted
    /// By the user at a question or a password, before anything was signed: this is a decision, not
    /// an error.
    case cancelled
    /// While a transaction is in flight.
    case inFlight(hash: TransactionHash)

    package var report: ErrorReport {
        switch self {
        case .interrupted:
            ErrorReport(
                .interrupted,
                "interrupted",
                "Interrupted.",
                hint: "What was sent is in the journal; `dex status HASH` shows its status."
            )
        case .cancelled:
            ErrorReport(.interrupted, "interrupted", "Cancelled. Nothing was signed or sent.")
        case .inFlight(let hash):
            ErrorReport(
                .interrupted,
                "interrupted",
                "Interrupted while the transaction \(hash) is in flight; it is in the journal.",
                hint: "Follow it with `dex status \(hash) --wait`."
            )
        }
    }
}

extension DexError {
    /// The user or the system ended the command.
    package static let interrupted = DexError(EndedError.interrupted)
    /// The user cancelled at a question or a password.
    package static let cancelled = DexError(EndedError.cancelled)
}
