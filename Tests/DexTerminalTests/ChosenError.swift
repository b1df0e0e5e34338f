import DexCore

/// An error whose row a test chooses.
private struct ChosenError: ErrorArea {
    let report: ErrorReport
}

extension DexError {
    init(
        _ kind: ErrorKind,
        code: String,
        message: String,
        hint: String? = nil,
        retryable: Bool = false
    ) {
        self.init(
            ChosenError(
                report: ErrorReport(kind, code, message, hint: hint, retryable: retryable)
            )
        )
    }
}
