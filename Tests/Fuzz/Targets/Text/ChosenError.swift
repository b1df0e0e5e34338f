import DexCore

/// An error whose row a test chooses.
private struct ChosenError: ErrorArea {
    let report: ErrorReport
}

extension DexError {
    init(
        _ exit: ExitCode,
        code: String,
        message: String,
        hint: String? = nil,
        retryable: Bool = false
    ) {
        self.init(
            ChosenError(
                report: ErrorReport(exit, code, message, hint: hint, retryable: retryable)
            )
        )
    }
}
