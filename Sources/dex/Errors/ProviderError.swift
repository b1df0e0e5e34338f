import DexCore

/// Why `dex provider` does not start, or does not sign what it was asked for.
enum ProviderError: ErrorArea {
    /// There is nothing to ask on.
    case needsTerminal
    /// The address is taken, or not allowed.
    case cannotListen(place: String, reason: String)
    /// The application that asked went away before the answer.
    case withdrawn

    var report: ErrorReport {
        switch self {
        case .needsTerminal:
            ErrorReport(
                .usage,
                "needs-terminal",
                "dex provider asks about every request on a terminal, and there is none.",
                hint: "Start it in a terminal of its own, or in tmux."
            )
        case .cannotListen(let place, let reason):
            ErrorReport(
                .configuration,
                "cannot-listen",
                "dex provider cannot listen at \(place): \(PlainText.clean(reason, limit: 200)).",
                hint: "Is it running already? Another port: dex provider --port 0"
            )
        case .withdrawn:
            ErrorReport(
                .declined,
                "withdrawn",
                "The application went away before the answer: nothing was signed."
            )
        }
    }
}
