package import DexStore

extension DexError {
    /// A journal that could not be read or written: nothing is signed without it.
    package init(_ error: JournalError) {
        let (exit, code): (ExitCode, String) =
            switch error {
            case .notWritable: (.configuration, "journal-not-writable")
            case .corrupt: (.configuration, "journal-corrupt")
            case .foreign: (.configuration, "journal-foreign")
            case .newer: (.configuration, "journal-newer")
            case .full: (.configuration, "disk-full")
            case .busy: (.fault, "journal-busy")
            case .reservationLost: (.fault, "nonce-lost")
            case .outOfRange, .failed: (.fault, "journal-failed")
            }
        self.init(
            exit,
            code: code,
            message: error.description,
            hint: error.hint,
            retryable: code == "journal-busy" || code == "nonce-lost"
        )
    }
}
