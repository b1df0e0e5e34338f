import DexCore

/// Converts any error to one with an exit code and a sentence.
enum Failure {
    static func describe(_ error: any Error) -> DexError {
        switch error {
        case let error as DexError: error
        case let error as any ErrorArea: DexError(error)
        case is CancellationError: .interrupted
        default: DexError(UnexpectedError(description: String(describing: error)))
        }
    }
}

/// An error of no area.
struct UnexpectedError: ErrorArea {
    let description: String

    var report: ErrorReport {
        ErrorReport(
            .fault,
            "fault",
            "An unexpected error: \(description).",
            hint: "This is a fault of dex; please report it with the command that you ran."
        )
    }
}
