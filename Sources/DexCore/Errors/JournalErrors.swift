package import DexStore

/// A journal that cannot be read or written; nothing is signed without it.
extension JournalError: ReportedError {
    package var report: DexError {
        switch self {
        case .notWritable: told(.configuration("journal-not-writable"))
        case .corrupt: told(.configuration("journal-damaged"))
        case .foreign: told(.configuration("journal-foreign"))
        case .newer: told(.configuration("journal-newer"))
        case .full: told(.configuration("journal-full"))
        case .busy: told(.fault("journal-busy"), retryable: true)
        case .reservationLost: told(.fault("nonce-lost"), retryable: true)
        case .nonceHeld: told(.refused("nonce-held"))
        case .notReplaceable: told(.refused("not-replaceable"))
        case .guardNotWaiting: told(.refused("guard-not-waiting"), concerns: .takenGuard)
        case .tooManyPlans: told(.refused("too-many-plans"))
        case .planNotOpen: told(.refused("plan-ended"))
        case .planInFlight: told(.notMinedYet("pending-transaction"), retryable: true)
        case .outOfRange: told(.fault("journal-out-of-range"))
        case .failed: told(.fault("journal-failed"))
        }
    }

    private func told(
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
