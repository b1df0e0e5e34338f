@testable import DexCore

/// An error whose row a test chooses.
private enum ChosenError: ErrorArea {}

extension DexError {
    init(
        _ kind: ErrorKind,
        code: String,
        message: String,
        hint: String? = nil,
        retryable: Bool = false
    ) {
        self = ChosenError.row(
            ErrorCode(kind, recorded: code),
            message,
            hint: hint,
            retryable: retryable
        )
    }
}
