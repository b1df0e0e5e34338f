import DexCore

/// Converts any error to one with an exit code and a sentence.
enum Failure: ErrorArea {
    static func describe(_ error: any Error) -> DexError {
        switch error {
        case let error as DexError: error
        case let error as any ReportedError: DexError(error)
        case is CancellationError: .interrupted
        default: unexpected(String(describing: error))
        }
    }

    private static func unexpected(_ description: String) -> DexError {
        row(
            .fault("fault"),
            "An unexpected error: \(description).",
            hint: "This is a fault of dex; please report it with the command that you ran."
        )
    }
}
