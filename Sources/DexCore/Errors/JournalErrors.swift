package import DexStore

/// A journal that cannot be read or written; nothing is signed without it.
extension JournalError: ReportedError {
    package var report: DexError {
        switch self {
        case .notWritable: row(.configuration("journal-not-writable"))
        case .corrupt, .damagedRow: row(.configuration("journal-damaged"))
        case .foreign: row(.configuration("journal-foreign"))
        case .newer: row(.configuration("journal-newer"))
        case .full: row(.configuration("journal-full"))
        case .busy: row(.fault("journal-busy"), retryable: true)
        case .reservationLost: row(.fault("nonce-lost"), retryable: true)
        case .nonceHeld: row(.refused("nonce-held"))
        case .notReplaceable: row(.refused("not-replaceable"))
        case .guardNotWaiting: row(.refused("guard-not-waiting"), concerns: .takenGuard)
        case .tooManyPlans: row(.refused("too-many-plans"))
        case .planNotOpen: row(.refused("plan-ended"))
        case .planInFlight: row(.notMinedYet("pending-transaction"), retryable: true)
        case .outOfRange: row(.fault("journal-out-of-range"))
        case .failed: row(.fault("journal-failed"))
        }
    }

    private func row(
        _ code: ErrorCode,
        retryable: Bool = false,
        concerns: ErrorConcerns = []
    ) -> DexError {
        Self.row(
            code,
            PlainText.clean(description),
            hint: hint,
            retryable: retryable,
            concerns: concerns
        )
    }
}

/// The result of a journal operation, with its failure as a command's error.
package func journaled<Value>(
    _ access: @autoclosure () throws(JournalError) -> Value
) throws(DexError) -> Value {
    try reported(JournalError.self, try access())
}
