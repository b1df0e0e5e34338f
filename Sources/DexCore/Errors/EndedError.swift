package import Ethereum

/// The command was interrupted.
package enum EndedError: ErrorArea {
    /// By the user or the system.
    package static let interrupted = row(
        .interrupted("interrupted"),
        "Interrupted.",
        hint: "What was sent is in the journal; `dex status HASH` shows its status."
    )

    /// By the user at a question or a password, before anything was signed: this is a decision, not
    /// an error.
    package static let cancelled = row(
        .interrupted("interrupted"),
        "Cancelled. Nothing was signed or sent."
    )

    /// While a transaction is in flight.
    package static func inFlight(hash: TransactionHash) -> DexError {
        row(
            .interrupted("interrupted"),
            "Interrupted while the transaction \(hash) is in flight; it is in the journal.",
            hint: "Follow it with `dex status \(hash) --wait`."
        )
    }
}

extension DexError {
    /// The user or the system ended the command.
    package static let interrupted = EndedError.interrupted
    /// The user cancelled at a question or a password.
    package static let cancelled = EndedError.cancelled
}
