package import DexStore

/// A journal that cannot be read or written; nothing is signed without it.
extension JournalError: ErrorArea {
    package var report: ErrorReport {
        let (kind, code): (ErrorKind, String) =
            switch self {
            case .notWritable: (.configuration, "journal-not-writable")
            case .corrupt: (.configuration, "journal-damaged")
            case .foreign: (.configuration, "journal-foreign")
            case .newer: (.configuration, "journal-newer")
            case .full: (.configuration, "journal-full")
            case .busy: (.fault, "journal-busy")
            case .reservationLost: (.fault, "nonce-lost")
            case .nonceHeld: (.refused, "nonce-held")
            case .notReplaceable: (.refused, "not-replaceable")
            case .guardNotWaiting: (.refused, "guard-not-waiting")
            case .tooManyPlans: (.refused, "too-many-plans")
            case .planNotOpen: (.refused, "plan-ended")
            case .planInFlight: (.notMinedYet, "pending-transaction")
            case .outOfRange: (.fault, "journal-out-of-range")
            case .failed: (.fault, "journal-failed")
            }
        let retryable =
            switch self {
            case .busy, .reservationLost, .planInFlight: true
            default: false
            }
        return ErrorReport(
            kind,
            code,
            PlainText.clean(description),
            hint: hint,
            retryable: retryable
        )
    }
}

/// The result of a journal operation, with its failure as a command's error.
package func journaled<Value>(
    _ access: @autoclosure () throws(JournalError) -> Value
) throws(DexError) -> Value {
    try reported(JournalError.self, try access())
}
