import DexCore

/// The reason why `dex provider` does not start, or does not sign what it was asked for.
enum ProviderError: ErrorArea {
    /// There is nothing to ask on.
    static let needsTerminal = row(
        .usage("needs-terminal"),
        "dex provider asks about every request on a terminal, and there is none.",
        hint: "Start it in a terminal of its own, or in tmux."
    )

    /// The address is taken, or not allowed.
    static func cannotListen(place: String, reason: String) -> DexError {
        row(
            .configuration("cannot-listen"),
            "dex provider cannot listen at \(place): \(PlainText.clean(reason, limit: 200)).",
            hint: "Is it running already? Another port: dex provider --port 0"
        )
    }

    /// The application that asked went away before the answer.
    static let withdrawn = row(
        .declined("withdrawn"),
        "The application went away before the answer: nothing was signed."
    )
}
